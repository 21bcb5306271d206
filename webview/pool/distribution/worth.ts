import { maxBinIdOf, uiPriceOfBin } from '../../../src/base/dlmm/bins';
import type { BinView, PoolView } from '../../../src/protocol/pool';

/** A bin with the value of both tokens in one unit, so they can be stacked. */
export interface ValuedBin extends BinView {
  readonly worthX: number;
  readonly worthY: number;
  readonly total: number;
}

/** A pool's bins and the unit of their values. */
export interface ValuedBins {
  /** Ascending. */
  readonly bins: readonly ValuedBin[];
  /** `usd`: US dollars at current prices; `y`: whole tokens Y at the pool's price. */
  readonly unit: 'usd' | 'y';
}

/** Values a pool's bins: in US dollars if both tokens have a price, else in token Y at the pool's price, else at each bin's price. */
export function valueBins(pool: Pick<PoolView, 'bins' | 'x' | 'y' | 'price' | 'binStepBps' | 'activeBinId'>): ValuedBins {
  const { x, y } = pool;
  const isInUsd = isPrice(x.priceUsd) && isPrice(y.priceUsd);
  const priceOf = binPrices(pool);
  const worthOfX = (binId: number): number => (isInUsd ? (x.priceUsd ?? 0) : (positive(pool.price) ?? priceOf(binId) ?? 0));
  const worthOfY = isInUsd ? (y.priceUsd ?? 0) : 1;
  const bins = pool.bins.map((bin): ValuedBin => {
    const worthX = Math.max(bin.x, 0) * worthOfX(bin.binId);
    const worthY = Math.max(bin.y, 0) * worthOfY;
    return { ...bin, worthX, worthY, total: worthX + worthY };
  });
  return { bins: bins.sort((one, other) => one.binId - other.binId), unit: isInUsd ? 'usd' : 'y' };
}

/**
 * The price of each bin in whole tokens Y per whole token X. Without the tokens' decimals it is derived from the pool's price and active bin;
 * `undefined` if that is impossible too, and for bins outside the program's limits.
 */
export function binPrices({
  binStepBps,
  activeBinId,
  price,
  x,
  y,
}: Pick<PoolView, 'binStepBps' | 'activeBinId' | 'price' | 'x' | 'y'>): (binId: number) => number | undefined {
  if (binStepBps === undefined || !Number.isInteger(binStepBps) || binStepBps < 1 || binStepBps > 400) {
    return () => undefined;
  }
  const most = maxBinIdOf(binStepBps);
  const isBin = (binId: number): boolean => Math.abs(binId) <= most;
  const { decimals: decimalsX } = x;
  const { decimals: decimalsY } = y;
  if (areDecimals(decimalsX) && areDecimals(decimalsY)) {
    return (binId) => (isBin(binId) ? uiPriceOfBin(binId, binStepBps, decimalsX, decimalsY) : undefined);
  }
  const known = positive(price);
  if (known === undefined || activeBinId === undefined) {
    return () => undefined;
  }
  return (binId) => (isBin(binId) ? known * Math.exp((binId - activeBinId) * Math.log1p(binStepBps / 10_000)) : undefined);
}

/** Difference of a bin's price from the active bin's, percent; `undefined` if the bin step is unknown. */
export function percentFromActive(
  { binStepBps, activeBinId }: Pick<PoolView, 'binStepBps' | 'activeBinId'>,
  binId: number,
): number | undefined {
  return binStepBps === undefined || !(binStepBps > 0) || activeBinId === undefined
    ? undefined
    : 100 * Math.expm1((binId - activeBinId) * Math.log1p(binStepBps / 10_000));
}

/** Totals of all bins, and the fullest bin. */
export interface Sums {
  readonly count: number;
  readonly x: number;
  readonly y: number;
  readonly worthX: number;
  readonly worthY: number;
  readonly fullest: ValuedBin | undefined;
}

/** Sums up bins; empty ones are not counted. */
export function sumsOf(bins: readonly ValuedBin[]): Sums {
  const holding = bins.filter(({ x, y }) => x > 0 || y > 0);
  const sum = (figure: (bin: ValuedBin) => number): number => holding.reduce((total, bin) => total + figure(bin), 0);
  return {
    count: holding.length,
    x: sum(({ x }) => x),
    y: sum(({ y }) => y),
    worthX: sum(({ worthX }) => worthX),
    worthY: sum(({ worthY }) => worthY),
    fullest: holding.reduce<ValuedBin | undefined>((most, bin) => (most === undefined || bin.total > most.total ? bin : most), undefined),
  };
}

function isPrice(value: number | undefined): value is number {
  return positive(value) !== undefined;
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined;
}

function areDecimals(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255;
}
