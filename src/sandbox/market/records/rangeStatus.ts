import { MAX_BIN_ID, MIN_BIN_ID, uiPriceOfBin } from '../../../base/dlmm/bins';
import { WHOLE_BPS } from '../../../base/basisPoints';
import { rawPrice, wholePrice } from '../tokens';
import type { BinPool, Pool, Position, ProductPool } from '../types';

/** Basis points of a tick in pools without bins: the program bounds their prices by 1.0001^±443636, as the others' at a bin step of 1. */
const TICK_BPS = 1;

/** Prices at a moment: US dollars for one whole token. */
export interface Prices {
  readonly usdX: number;
  readonly usdY: number;
}

/** Where the price stands or stood. */
export interface RangeStatus extends Prices {
  /** Whole Y for one whole X. */
  readonly uiPrice: number;
  /** Only in bin pools. */
  readonly activeBinId: number | null;
}

/** Range of a position and price: in bins, or in pools without bins in ticks of one basis point over the whole range of the program. */
export interface PositionPlacement {
  readonly lower: number;
  readonly upper: number;
  readonly current: number;
  readonly isInRange: boolean;
  /** US dollars for one X: lower end, upper end, now. */
  readonly priceRange: readonly [number, number, number];
  /** The `poolInfo` field of the record. */
  readonly poolInfo: { readonly fee: number; readonly tickSpacing: number };
}

/** Prices and active bin of a pool now. */
export function rangeStatusOf(pool: Pool, prices: Prices): RangeStatus {
  const uiPrice = pool.type === 'bins' ? pool.uiPriceOf(pool.activeBinId) : wholePrice(pool.price, pool.tokenX, pool.tokenY);
  return { ...prices, uiPrice, activeBinId: pool.type === 'bins' ? pool.activeBinId : null };
}

/** Prices and active bin of a pool when the position was closed. */
export function rangeStatusAtClosing(pool: Pool, { activeBinId, usdX, usdY }: NonNullable<Position['closing']>): RangeStatus {
  const uiPrice = pool.type === 'bins' && activeBinId !== null ? pool.uiPriceOf(activeBinId) : usdX / usdY;
  return { usdX, usdY, uiPrice, activeBinId };
}

/** Range of a position in its pool. @throws RangeError if the position is of the other pool type. */
export function placementOf(pool: Pool, position: Readonly<Position>, standing: RangeStatus): PositionPlacement {
  return pool.type === 'bins' ? binPlace(pool, position, standing) : tickPlace(pool, standing);
}

function binPlace(
  pool: BinPool,
  { address, lowerBinId, upperBinId }: Readonly<Position>,
  { uiPrice, usdY, activeBinId }: RangeStatus,
): PositionPlacement {
  if (lowerBinId === null || upperBinId === null || activeBinId === null) {
    throw new RangeError(`The position ${address} has no bins`);
  }
  const { binStepBps } = pool.spec;
  return {
    lower: lowerBinId,
    upper: upperBinId,
    current: activeBinId,
    isInRange: lowerBinId <= activeBinId && activeBinId <= upperBinId,
    priceRange: [pool.uiPriceOf(lowerBinId) * usdY, pool.uiPriceOf(upperBinId) * usdY, uiPrice * usdY],
    poolInfo: { fee: binStepBps, tickSpacing: binStepBps },
  };
}

function tickPlace(pool: ProductPool, { uiPrice, usdY }: RangeStatus): PositionPlacement {
  const { tokenX, tokenY, spec } = pool;
  const priceAt = (tick: number): number => uiPriceOfBin(tick, TICK_BPS, tokenX.spec.decimals, tokenY.spec.decimals) * usdY;
  return {
    lower: MIN_BIN_ID,
    upper: MAX_BIN_ID,
    current: tickOf(pool, uiPrice),
    isInRange: true,
    priceRange: [priceAt(MIN_BIN_ID), priceAt(MAX_BIN_ID), uiPrice * usdY],
    poolInfo: { fee: spec.baseFeeBps, tickSpacing: TICK_BPS },
  };
}

function tickOf({ tokenX, tokenY }: Pool, uiPrice: number): number {
  return Math.floor(Math.log(rawPrice(uiPrice, tokenX, tokenY)) / Math.log1p(TICK_BPS / WHOLE_BPS));
}
