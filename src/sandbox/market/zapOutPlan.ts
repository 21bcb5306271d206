import type { DecreaseOutput } from '../../api/records/transactions';
import type { Market } from './market';
import type { Pool, PoolToken } from './pool';
import { amountsOf, feesOf, type Amounts, type PositionState } from './position';
import { quote, type Leg } from './quotes';

const BASIS_POINTS = 10_000n;

/** What comes out of a position when a share of it is taken: liquidity in part, fees in full. */
export function expectedOut(pool: Pool, position: PositionState, shareBps: number): { readonly liquidity: Amounts; readonly fees: Amounts } {
  const all = amountsOf(pool, position);
  const part = (amount: bigint): bigint => (amount * BigInt(shareBps)) / BASIS_POINTS;
  return { liquidity: { x: part(all.x), y: part(all.y) }, fees: feesOf(pool, position) };
}

/** The swaps after a withdrawal, in order, at the present prices. */
export function swapsAfter(market: Market, pool: Pool, output: DecreaseOutput, { x, y }: Amounts): readonly Leg[] {
  switch (output) {
    case 'both':
      return [];
    case 'allToken0':
      return sell(market, pool.tokenY, pool.tokenX, y);
    case 'allToken1':
      return sell(market, pool.tokenX, pool.tokenY, x);
    case 'allBaseToken':
      return swapsToSol(market, pool, { x, y });
  }
}

/** The base token is SOL. Where the pool has none, X becomes Y first, and all of Y becomes SOL. */
function swapsToSol(market: Market, pool: Pool, { x, y }: Amounts): readonly Leg[] {
  const { tokenX, tokenY } = pool;
  if (tokenX.mint === market.sol.mint) {
    return sell(market, tokenY, tokenX, y);
  }
  const first = sell(market, tokenX, tokenY, x);
  if (tokenY.mint === market.sol.mint) {
    return first;
  }
  const gained = first.reduce((sum, leg) => sum + leg.out, 0n);
  return [...first, ...sell(market, tokenY, market.sol, y + gained)];
}

function sell(market: Market, token: PoolToken, into: PoolToken, amount: bigint): readonly Leg[] {
  return amount === 0n ? [] : (quote(market, token, into, amount) ?? []);
}
