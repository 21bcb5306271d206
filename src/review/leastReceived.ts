import type { Address } from '../solana/address';
import { WRAPPED_SOL_MINT } from '../solana/programs';
import type { Review } from './types';

/** What the minimum of a withdrawal is called among {@link Review.minimumOut}; all others are of swaps. */
export const FROM_WITHDRAWAL = 'withdrawal';

/**
 * What a zap-out leaves of each token at least, raw units: what the withdrawal and the swaps guarantee, without what the swaps may
 * sell of it again, and what others get. Tokens of which nothing is certain to be left are not in it. `undefined` is a token that
 * could not be determined.
 */
export function leastReceived({ minimumOut, tokenSpends, spends }: Pick<Review, 'minimumOut' | 'tokenSpends' | 'spends'>): ReadonlyMap<Address | undefined, bigint> {
  const least = new Map<Address | undefined, bigint>();
  const add = (mint: Address | undefined, amountRaw: bigint): void => {
    least.set(mint, (least.get(mint) ?? 0n) + amountRaw);
  };
  // What an unknown token takes may be any, so of what is withdrawn nothing is certain then.
  const isCertain = tokenSpends.every(({ mint }) => mint !== undefined);
  minimumOut.filter(({ from }) => isCertain || from !== FROM_WITHDRAWAL).forEach(({ mint, amountRaw }) => add(mint, amountRaw));
  tokenSpends.filter(({ mint }) => mint !== undefined).forEach(({ mint, amountRaw }) => add(mint, -amountRaw));
  // SOL that was wrapped for it is the wallet's, and counts as spent.
  add(WRAPPED_SOL_MINT, spends.wrappedLamports < spends.consumedLamports ? spends.wrappedLamports - spends.consumedLamports : 0n);
  return new Map([...least].filter(([, amountRaw]) => amountRaw > 0n));
}

/** Says whether the withdrawal itself states what it gives at least. */
export function statesWithdrawal({ minimumOut }: Pick<Review, 'minimumOut'>): boolean {
  return minimumOut.some(({ from }) => from === FROM_WITHDRAWAL);
}
