import type { DecreaseOutput } from '../../../service/transactions';
import type { BinRange } from '../../../base/dlmm/bins';
import { shareOf } from '../../../base/basisPoints';
import type { UnitOfWork } from '../../store/unitOfWork';
import type { Amounts, Market, Pool, PoolToken, Position } from '../types';
import { follow } from './exchange';
import { bestRoute, type Route } from './quotes';

/** Raw amount below which a swap is left out, and the owner keeps the crumb: wallets rightly ask about swaps for next to nothing. */
const LEAST_OUT = 2_000n;

/** What is taken out of a position. */
export type Part =
  | { readonly type: 'bins'; readonly range: BinRange; readonly shareBps: number }
  | { readonly type: 'product'; readonly liquidity: bigint; readonly shareBps: number };

/** What a withdrawal gives at the present prices. */
export interface ZapOut {
  readonly part: Part;
  /** Liquidity in part, fees in full. */
  readonly liquidity: Amounts;
  readonly fees: Amounts;
  /** In order; each is quoted in pools as the withdrawal and the swaps before it leave them. */
  readonly swaps: readonly Route[];
}

/** A share of the position, 1 to 10000 bps: of its bins in the range (`undefined`: of all), or of its liquidity. */
export function partOf(position: Readonly<Position>, shareBps: number, range: BinRange | undefined): Part {
  const { holding, lowerBinId, upperBinId } = position;
  if (holding?.type === 'product') {
    return { type: 'product', liquidity: shareOf(holding.liquidity, shareBps), shareBps };
  }
  if (lowerBinId === null || upperBinId === null) {
    throw new RangeError(`The position ${position.address} has no range`);
  }
  return { type: 'bins', range: range ?? { fromBinId: lowerBinId, toBinId: upperBinId }, shareBps };
}

/** Tries a withdrawal with its swaps, and takes everything back: what landing gives, unless something moves until then. */
export function zapOutPlan(
  { market, unit }: { readonly market: Market; readonly unit: UnitOfWork },
  pool: Pool,
  position: Readonly<Position>,
  part: Part,
  output: DecreaseOutput,
): ZapOut {
  return unit.rehearse(() => {
    const liquidity = withdraw(market, pool, position, part);
    const fees = market.books.collect(pool, position.address);
    return { part, liquidity, fees, swaps: swapAll(market, pool, output, { x: liquidity.x + fees.x, y: liquidity.y + fees.y }) };
  });
}

/** Takes a part of a position out. @throws RangeError where it has less, or is of the other type. */
export function withdraw({ books }: Market, pool: Pool, { address }: Readonly<Position>, part: Part): Amounts {
  if (pool.type === 'bins' && part.type === 'bins') {
    return books.withdrawBins(pool, address, part.range, part.shareBps);
  }
  if (pool.type === 'product' && part.type === 'product') {
    return books.withdrawLiquidity(pool, address, part.liquidity, part.shareBps);
  }
  throw new RangeError(`${pool.pairName} is a pool of the other type`);
}

/** Swaps what came out, token by token; what no way leads from stays as it is. */
function swapAll(market: Market, pool: Pool, output: DecreaseOutput, { x, y }: Amounts): readonly Route[] {
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
  const route = bestRoute(market, token, into, amount);
  if (route === undefined || route.out < LEAST_OUT) {
    return [];
  }
  follow(market, route);
  return [route];
}
