import type { DecreaseOutput } from '../../api/records/transactions';
import type { Market } from './market';
import type { Pool, PoolToken } from './pool';
import { amountsOf, feesOf, type Amounts, type PositionState } from './position';
import { quote, type Route } from './quotes';

const BASIS_POINTS = 10_000n;

/** Raw amount below which a swap is left out, and the owner keeps the crumb: wallets rightly ask about swaps for next to nothing. */
const LEAST_OUT = 2_000n;

/** What comes out of a position when a share of it is taken: liquidity in part, fees in full. */
export function expectedOut(pool: Pool, position: PositionState, shareBps: number): { readonly liquidity: Amounts; readonly fees: Amounts } {
  const all = amountsOf(pool, position);
  const part = (amount: bigint): bigint => (amount * BigInt(shareBps)) / BASIS_POINTS;
  return { liquidity: { x: part(all.x), y: part(all.y) }, fees: feesOf(pool, position) };
}

/** The swaps after a withdrawal, in order, at the present prices. */
export function swapsAfter(market: Market, pool: Pool, output: DecreaseOutput, { x, y }: Amounts): readonly Route[] {
  switch (output) {
    case 'both':
      return [];
    case 'allToken0':
      return sell(market, pool.tokenY, pool.tokenX, y);
    case 'allToken1':
      return sell(market, pool.tokenX, pool.tokenY, x);
    case 'allBaseToken':
      // SOL: each token that is not is sold for it by a swap of its own.
      return [...sell(market, pool.tokenX, market.sol, x), ...sell(market, pool.tokenY, market.sol, y)];
  }
}

function sell(market: Market, token: PoolToken, into: PoolToken, amount: bigint): readonly Route[] {
  const route = amount === 0n ? undefined : quote(market, token, into, amount);
  return route === undefined || route.out < LEAST_OUT ? [] : [route];
}
