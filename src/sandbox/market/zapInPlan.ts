import { EngineError } from '../engine';
import type { Market } from './market';
import type { Pool, PoolToken } from './pool';
import type { Amounts } from './position';
import { quote, type Route } from './quotes';

const PARTS = 1_000_000;

/** How an amount of SOL becomes a deposit. */
export interface ZapIn {
  readonly swaps: readonly Route[];
  /** Raw amounts that go into the position. */
  readonly deposit: Amounts;
  /** Lamports of the input that go to each side. */
  readonly lamportsX: bigint;
  readonly lamportsY: bigint;
}

/**
 * Plans the swaps of a zap-in: `percentX` (0 to 1) of the input becomes token X, the rest token Y; each of them that is not
 * SOL is bought for SOL by a swap of its own.
 * @throws EngineError where the amount is too small to buy anything.
 */
export function zapInPlan(market: Market, pool: Pool, lamports: bigint, percentX: number): ZapIn {
  const lamportsX = (lamports * BigInt(Math.round(percentX * PARTS))) / BigInt(PARTS);
  const lamportsY = lamports - lamportsX;
  const forX = buy(market, pool.tokenX, lamportsX);
  const forY = buy(market, pool.tokenY, lamportsY);
  return {
    lamportsX,
    lamportsY,
    swaps: [forX, forY].filter((route) => route !== undefined),
    deposit: { x: forX?.out ?? lamportsX, y: forY?.out ?? lamportsY },
  };
}

/** `undefined` where nothing has to be bought. */
function buy(market: Market, wanted: PoolToken, lamports: bigint): Route | undefined {
  if (lamports === 0n || wanted.mint === market.sol.mint) {
    return undefined;
  }
  const route = quote(market, market.sol, wanted, lamports);
  if (route === undefined || route.out === 0n) {
    throw new EngineError('invalid', `inputSOL is too small: ${lamports} lamports buy no ${wanted.spec.symbol}`);
  }
  return route;
}
