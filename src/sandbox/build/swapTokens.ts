import { PlanError, type SwapHop, type SwapPlan, type TokenAccounts } from './types';

/** What a trade, or a swap of several, takes and gives. */
export interface SoldAndBought {
  readonly sold: TokenAccounts;
  readonly bought: TokenAccounts;
}

/** The tokens of one trade. */
export function tokensOfHop({ via, sells }: SwapHop): SoldAndBought {
  return sells === 'x' ? { sold: via.tokenX, bought: via.tokenY } : { sold: via.tokenY, bought: via.tokenX };
}

/**
 * What a swap takes first and gives last.
 * @throws PlanError where a trade does not sell what the one before it bought, or a token comes up twice.
 */
export function tokensOfSwap({ hops }: Pick<SwapPlan, 'hops'>): SoldAndBought {
  const trades = hops.map(tokensOfHop);
  const [first] = trades;
  const last = trades.at(-1);
  if (first === undefined || last === undefined) {
    throw new PlanError('A swap has one trade at least');
  }
  if (trades.some(({ sold }, index) => index > 0 && !isSameToken(sold, trades[index - 1]?.bought))) {
    throw new PlanError('Each trade of a swap sells what the one before it bought');
  }
  const mints = new Set([first.sold.mint, ...trades.map(({ bought }) => bought.mint)]);
  if (mints.size < trades.length + 1) {
    throw new PlanError('A swap is of one token for another, and no token comes up twice');
  }
  return { sold: first.sold, bought: last.bought };
}

/** Every token that a swap puts into an account of the owner's: what passes through, and what it gives last. */
export function tokensBought({ hops }: SwapPlan): readonly TokenAccounts[] {
  return hops.map((hop) => tokensOfHop(hop).bought);
}

function isSameToken(one: TokenAccounts, other: TokenAccounts | undefined): boolean {
  return one.mint === other?.mint && one.tokenProgram === other.tokenProgram;
}
