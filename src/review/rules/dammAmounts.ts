import { PROGRAMS } from '../../solana/programs';
import { integerAt } from '../argumentValues';
import { ownedMint, type TransactionContext } from '../context';
import { FROM_WITHDRAWAL } from '../leastReceived';
import type { PlaceNotes } from '../notes';
import { addressIn, isInstruction, type DecodedCall } from '../reading';
import { noteSpend } from './spending';

/** Roles of the owner's token accounts and their mints, with the argument that bounds what they give or get. */
const SIDES = [
  ['token_a_account', 'token_a_mint', 'token_a_amount_threshold'],
  ['token_b_account', 'token_b_mint', 'token_b_amount_threshold'],
] as const;

/**
 * Notes what a DAMM v2 instruction takes from the owner at most, and what it gives back at least (DAMM-4): the thresholds of a
 * deposit are the most, those of a withdrawal the least.
 */
export function noteDammAmounts(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  const isAddition = isInstruction(reading, PROGRAMS.dammV2, 'add_liquidity');
  if (!isAddition && !isInstruction(reading, PROGRAMS.dammV2, 'remove_liquidity', 'remove_all_liquidity')) {
    return;
  }
  const thresholds = SIDES.map(([account, mint, threshold]) => ({
    account: addressIn(reading, account),
    namedMint: addressIn(reading, mint),
    amountRaw: integerAt(reading.args, 'params', threshold) ?? integerAt(reading.args, threshold) ?? 0n,
  }));
  if (isAddition) {
    thresholds.forEach(({ account, namedMint, amountRaw }) => noteSpend(account, amountRaw, 'position', context, notes, namedMint));
    return;
  }
  for (const { account, namedMint, amountRaw } of thresholds.filter((threshold) => threshold.amountRaw > 0n)) {
    notes.effect({ kind: 'minimumOut', mint: ownedMint(context, account) ?? namedMint, amountRaw, from: FROM_WITHDRAWAL });
  }
  if (thresholds.every(({ amountRaw }) => amountRaw === 0n)) {
    notes.info('DAMM-4', 'The withdrawal states no least amounts: whoever trades right before it may worsen what you get. It comes to you in any case.');
  }
}
