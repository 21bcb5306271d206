import { maxBinIdOf, uiPriceOfBin } from '../../../src/base/dlmm/bins';
import type { BinView, PoolView } from '../../../src/protocol/pool';

/** A bin with what is in it, and what both parts are worth in one unit: so they can be stacked. */
export interface WorthBin extends BinView {
  readonly worthX: number;
  readonly worthY: number;
  readonly total: number;
}

/** A pool's bins, and in what they are weighed. */
export interface ValuedBins {
  /** Ascending. */
  readonly bins: readonly WorthBin[];
  /** `usd`: today's prices in US dollars; `y`: whole tokens Y at the pool's price. */
  readonly unit: 'usd' | 'y';
}

/** Weighs a pool's bins: in US dollars where both tokens have a price, else in token Y at the pool's own price, else at each bin's. */
export function valueBins(pool: Pick<PoolView, 'bins' | 'x' | 'y' | 'price' | 'binStepBps' | 'activeBinId'>): ValuedBins {
  const { x, y } = pool;
  const isInUsd = isPrice(x.priceUsd) && isPrice(y.priceUsd);
  const priceOf = binPrices(pool);
  const worthOfX = (binId: number): number => (isInUsd ? (x.priceUsd ?? 0) : (positive(pool.price) ?? priceOf(binId) ?? 0));
  const worthOfY = isInUsd ? (y.priceUsd ?? 0) : 1;
  const bins = pool.bins.map((bin): WorthBin => {
    const worthX = Math.max(bin.x, 0) * worthOfX(bin.binId);
    const worthY = Math.max(bin.y, 0) * worthOfY;
    return { ...bin, worthX, worthY, total: worthX + worthY };
  });
  return { bins: bins.sort((one, other) => one.binId - other.binId), unit: isInUsd ? 'usd' : 'y' };
}

/**
 * The price of each bin: whole tokens Y for one whole X. Where a token's decimals are not known it is reckoned from the pool's price and its
 * active bin; `undefined` where neither goes, and for bins that the program does not have.
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

/** How far a bin's price is from the active bin's, percent; `undefined` where the bin step is not known. */
export function percentFromActive(
  { binStepBps, activeBinId }: Pick<PoolView, 'binStepBps' | 'activeBinId'>,
  binId: number,
): number | undefined {
  return binStepBps === undefined || !(binStepBps > 0) || activeBinId === undefined
    ? undefined
    : 100 * Math.expm1((binId - activeBinId) * Math.log1p(binStepBps / 10_000));
}

/** What all bins hold together, and where most of it is. */
export interface Sums {
  readonly count: number;
  readonly x: number;
  readonly y: number;
  readonly worthX: number;
  readonly worthY: number;
  readonly fullest: WorthBin | undefined;
}

/** Sums up bins; those that hold nothing are not counted. */
export function sumsOf(bins: readonly WorthBin[]): Sums {
  const holding = bins.filter(({ x, y }) => x > 0 || y > 0);
  const sum = (figure: (bin: WorthBin) => number): number => holding.reduce((total, bin) => total + figure(bin), 0);
  return {
    count: holding.length,
    x: sum(({ x }) => x),
    y: sum(({ y }) => y),
    worthX: sum(({ worthX }) => worthX),
    worthY: sum(({ worthY }) => worthY),
    fullest: holding.reduce<WorthBin | undefined>((most, bin) => (most === undefined || bin.total > most.total ? bin : most), undefined),
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
