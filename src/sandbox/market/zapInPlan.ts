import { EngineError } from '../engine';
import type { Market } from './market';
import type { Pool, PoolToken } from './pool';
import type { Amounts } from './position';
import { quote, type Leg } from './quotes';

const PARTS = 1_000_000;

/** How an amount of SOL becomes a deposit. */
export interface ZapIn {
  readonly swaps: readonly Leg[];
  /** Raw amounts that go into the position. */
  readonly deposit: Amounts;
  /** Lamports of the input that go to each side. */
  readonly lamportsX: bigint;
  readonly lamportsY: bigint;
}

/**
 * Plans the swaps of a zap-in: `percentX` (0 to 1) of the input becomes token X, the rest token Y.
 * @throws EngineError where the amount is too small to buy anything.
 */
export function zapInPlan(market: Market, pool: Pool, lamports: bigint, percentX: number): ZapIn {
  const lamportsX = (lamports * BigInt(Math.round(percentX * PARTS))) / BigInt(PARTS);
  const lamportsY = lamports - lamportsX;
  const sides = { lamportsX, lamportsY };
  const { sol } = market;
  if (pool.tokenX.mint === sol.mint) {
    const swaps = buy(market, sol, pool.tokenY, lamportsY);
    return { ...sides, swaps, deposit: { x: lamportsX, y: bought(swaps) } };
  }
  if (pool.tokenY.mint === sol.mint) {
    const swaps = buy(market, sol, pool.tokenX, lamportsX);
    return { ...sides, swaps, deposit: { x: bought(swaps), y: lamportsY } };
  }
  // No SOL in the pool: everything becomes Y, and then X's part of it X.
  const all = buy(market, sol, pool.tokenY, lamports);
  const partX = (bought(all) * lamportsX) / lamports;
  const swaps = buy(market, pool.tokenY, pool.tokenX, partX);
  return { ...sides, swaps: [...all, ...swaps], deposit: { x: bought(swaps), y: bought(all) - partX } };
}

function buy(market: Market, sold: PoolToken, wanted: PoolToken, amount: bigint): readonly Leg[] {
  if (amount === 0n) {
    return [];
  }
  const legs = quote(market, sold, wanted, amount);
  if (legs === undefined || legs.some((leg) => leg.out === 0n)) {
    throw new EngineError('invalid', `inputSOL is too small: ${amount} raw ${sold.spec.symbol} buys no ${wanted.spec.symbol}`);
  }
  return legs;
}

function bought(legs: readonly Leg[]): bigint {
  return legs.at(-1)?.out ?? 0n;
}
