import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { ownedMint, type TransactionContext } from '../context';
import type { PlaceNotes } from '../notes';

/**
 * Notes that up to `amountRaw` leaves one of the owner's token accounts: wrapped SOL counts against the limits. `namedMint` is what
 * the instruction says the account is of, for an account that only a lookup table names; where that is not known either, it may
 * be wrapped SOL, and counts as such.
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
