import type { Market, Position, Valuation } from '../../../../../src/sandbox/market/types';
import { known } from './smallMarket';

/** What a position made so far: what came out, was earned and is still in it, less what was put in. Written without SQL, for comparison. */
export function profitOf(market: Market, position: Readonly<Position>): Valuation {
  const { input, output } = position;
  const value = valueOf(market, position);
  const fee = earnedOf(market, position);
  return { usd: value.usd + fee.usd + output.usd - input.usd, native: value.native + fee.native + output.native - input.native };
}

/** What is still in it, without fees. */
export function valueOf(market: Market, position: Readonly<Position>): Valuation {
  const pool = known(market.poolAt(position.pool));
  return market.books.worthOf(pool, market.books.amountsOf(pool, position));
}

/** Fees collected and due. */
export function earnedOf(market: Market, position: Readonly<Position>): Valuation {
  const pool = known(market.poolAt(position.pool));
  const due = market.books.worthOf(pool, market.books.feesOf(pool, position));
  return { usd: position.collectedFee.usd + due.usd, native: position.collectedFee.native + due.native };
}

/** The sum of a figure. */
export function total<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

/** Whether two figures are the same but for the order in which they were added up. */
export function isNear(actual: number, expected: number): boolean {
  return Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(actual), Math.abs(expected));
}
