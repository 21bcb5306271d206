import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { ownedMint, type TransactionContext } from '../context';
import type { PlaceNotes } from '../notes';

/**
 * Notes that up to `amountRaw` raw units leave one of the owner's token accounts. Wrapped SOL counts toward the limits, and so does a token
 * that cannot be determined, because it may be wrapped SOL.
 * @param namedMint the account's mint by the instruction, for an account from an unread lookup table
 */
export function noteSpend(
  account: Address | undefined,
  amountRaw: bigint,
  into: 'swap' | 'position',
  context: TransactionContext,
  notes: PlaceNotes,
  namedMint?: Address,
): void {
  const mint = ownedMint(context, account) ?? namedMint;
  if (mint === WRAPPED_SOL_MINT || (mint === undefined && account === undefined)) {
    notes.effect({ kind: 'consume', lamports: amountRaw });
  } else if (amountRaw > 0n) {
    notes.effect({ kind: 'spendToken', mint, amountRaw, into });
  }
}
