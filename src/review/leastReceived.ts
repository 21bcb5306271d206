import type { Address } from '../solana/address';
import { WRAPPED_SOL_MINT } from '../solana/programs';
import type { Review } from './types';

/** What the minimum of a withdrawal is called among {@link Review.minimumOut}; all others are of swaps. */
export const FROM_WITHDRAWAL = 'withdrawal';

/**
 * What a zap-out leaves of each token at least, raw units: what the withdrawal and the swaps guarantee, without what the swaps may
 * sell of it again. Tokens of which nothing is certain to be left are not in it. `undefined` is a token that could not be determined.
 */
export function leastReceived({ minimumOut, tokenSpends, spends }: Pick<Review, 'minimumOut' | 'tokenSpends' | 'spends'>): ReadonlyMap<Address | undefined, bigint> {
  const least = new Map<Address | undefined, bigint>();
  const add = (mint: Address | undefined, amountRaw: bigint): void => {
    least.set(mint, (least.get(mint) ?? 0n) + amountRaw);
  };
  // Without minimums of the withdrawal, what is sold is more of it than is certain; what an unknown token takes may be any.
  const isCertain = statesWithdrawal({ minimumOut }) && tokenSpends.every(({ mint }) => mint !== undefined);
  minimumOut.filter(({ from }) => isCertain || from !== FROM_WITHDRAWAL).forEach(({ mint, amountRaw }) => add(mint, amountRaw));
  if (isCertain) {
    tokenSpends.forEach(({ mint, amountRaw }) => add(mint, -amountRaw));
    add(WRAPPED_SOL_MINT, -spends.consumedLamports);
  }
  return new Map([...least].filter(([, amountRaw]) => amountRaw > 0n));
}

/** Says whether the withdrawal itself states what it gives at least. */
export function statesWithdrawal({ minimumOut }: Pick<Review, 'minimumOut'>): boolean {
  return minimumOut.some(({ from }) => from === FROM_WITHDRAWAL);
}
