/** Bins in one bin array account (program constant MAX_BIN_PER_ARRAY). */
export const BINS_PER_ARRAY = 70;

/** Bins of a new position, before it is extended (program constant DEFAULT_BIN_PER_POSITION). */
export const BINS_PER_DEFAULT_POSITION = 70;

/** The maximum number of bins of a position (program constant POSITION_MAX_LENGTH). */
export const MAX_BINS_PER_POSITION = 1400;

/** The lowest bin id of any pool, reached only at a bin step of 1 bps; see {@link maxBinIdOf}. */
export const MIN_BIN_ID = -443_636;
/** The highest bin id of any pool. */
export const MAX_BIN_ID = 443_636;

/** The largest bin step that the program allows, basis points. */
const MAX_BIN_STEP_BPS = 400;

const WHOLE_BPS = 10_000;
const Q64 = 1n << 64n;
const U128_MAX = (1n << 128n) - 1n;
/** Prices are Q64.64 on chain: the absolute value of their natural logarithm is at most this. */
const MAX_LOG_PRICE = 64 * Math.LN2;
/** Tolerance in bins within which a price counts as a bin's own price: the difference is rounding of floats. */
const SAME_BIN = 1e-6;

/** Bins from `fromBinId` to `toBinId`, both included. */
export interface BinRange {
  readonly fromBinId: number;
  readonly toBinId: number;
}

/** The price changes from the active bin to the two ends of a range, percent; negative if the price falls. */
export interface RangeEdges {
  readonly lowerPercent: number;
  readonly upperPercent: number;
}

/**
 * The highest bin id whose price fits the program's Q64.64 at this bin step; the lowest one is its negative.
 * @throws RangeError unless the bin step is a whole number from 1 to 400
 */
export function maxBinIdOf(binStepBps: number): number {
  return Math.floor(MAX_LOG_PRICE / logOfStep(binStepBps));
}

/**
 * The price of a bin: raw units of token Y for one raw unit of token X, (1 + step/10000)^binId.
 * Accurate to about 14 digits; {@link priceQ64OfBin} is exact.
 * @throws RangeError if the program has no such bin or bin step
 */
export function priceOfBin(binId: number, binStepBps: number): number {
  checkBin(binId, binStepBps);
  return Math.exp(binId * logOfStep(binStepBps));
}

/**
 * The displayed price of a bin: whole tokens Y for one whole token X.
 * @throws RangeError like {@link priceOfBin}, and unless decimals are whole numbers from 0 to 255
 */
export function uiPriceOfBin(binId: number, binStepBps: number, decimalsX: number, decimalsY: number): number {
  return priceOfBin(binId, binStepBps) * rawPerUi(decimalsX, decimalsY);
}

/**
 * The price of a bin as the program computes it, bit for bit: Q64.64, by repeated squaring with truncation at each step
 * (commons/src/math/u64x64_math.rs, `pow`).
 * @throws RangeError if the program has no such bin or bin step, or the price is truncated to 0 (the last bins before {@link maxBinIdOf} at
 * some steps)
 */
export function priceQ64OfBin(binId: number, binStepBps: number): bigint {
  checkBin(binId, binStepBps);
  if (binId === 0) {
    return Q64;
  }
  // Like the program, raise the inverse of the base: it is below one, so squares do not overflow.
  let square = U128_MAX / (Q64 + (BigInt(binStepBps) << 64n) / BigInt(WHOLE_BPS));
  let power = Q64;
  for (let exponent = Math.abs(binId); exponent > 0; exponent >>= 1) {
    if (exponent & 1) {
      power = (power * square) >> 64n;
    }
    square = (square * square) >> 64n;
  }
  if (power === 0n) {
    throw new RangeError(`Bin ${binId} has no price at a bin step of ${binStepBps} bps`);
  }
  return binId > 0 ? U128_MAX / power : power;
}

/**
 * The bin of a price in whole tokens Y for one whole token X: the nearest bin at or below it (`down`), or at or above (`up`).
 * A price that differs from a bin's price only by rounding gives that bin.
 * @throws RangeError if the price is not a positive number, or no bin of this step has it
 */
export function binOfUiPrice(price: number, binStepBps: number, decimalsX: number, decimalsY: number, rounding: 'down' | 'up'): number {
  if (!(price > 0) || price === Infinity) {
    throw new RangeError(`A price has to be a positive number, not ${price}`);
  }
  // Subtract logarithms: the quotient itself could overflow a float.
  const exact = (Math.log(price) - Math.log(rawPerUi(decimalsX, decimalsY))) / logOfStep(binStepBps);
  const nearest = Math.round(exact);
  const step = rounding === 'down' ? Math.floor : Math.ceil;
  const binId = Math.abs(exact - nearest) < SAME_BIN ? nearest : step(exact);
  if (Math.abs(binId) > maxBinIdOf(binStepBps)) {
    throw new RangeError(`No bin of step ${binStepBps} bps has the price ${price}`);
  }
  return binId === 0 ? 0 : binId; // never -0
}

/** The index of the bin array that holds a bin; negative below bin 0. */
export function binArrayIndex(binId: number): number {
  return Math.floor(binId / BINS_PER_ARRAY);
}

/** The indexes of all bin arrays that a range overlaps, ascending. */
export function binArraysOf(fromBinId: number, toBinId: number): number[] {
  const first = binArrayIndex(fromBinId);
  const count = binArrayIndex(toBinId) - first + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, index) => first + index);
}

/** The range of all bins at most `halfWidthBins` away from the active bin. */
export function rangeAround(activeBinId: number, halfWidthBins: number): BinRange {
  return { fromBinId: activeBinId - halfWidthBins, toBinId: activeBinId + halfWidthBins };
}

/** The number of bins in a range, including both ends. */
export function widthOf(range: BinRange): number {
  return range.toBinId - range.fromBinId + 1;
}

/**
 * The price changes from the active bin to the two ends of a range.
 * @throws RangeError if the program has no such bin step
 */
export function rangeEdges(range: BinRange, activeBinId: number, binStepBps: number): RangeEdges {
  const log = logOfStep(binStepBps);
  const percentTo = (binId: number) => 100 * Math.expm1((binId - activeBinId) * log);
  return { lowerPercent: percentTo(range.fromBinId), upperPercent: percentTo(range.toBinId) };
}

/** Returns whether the program allows a bin step, basis points. */
export function isBinStep(binStepBps: number): boolean {
  return Number.isInteger(binStepBps) && binStepBps >= 1 && binStepBps <= MAX_BIN_STEP_BPS;
}

/** The natural logarithm of one step. `log1p` keeps digits that 1 + step/10000 would lose. */
function logOfStep(binStepBps: number): number {
  if (!isBinStep(binStepBps)) {
    throw new RangeError(`A bin step is a whole number of basis points from 1 to ${MAX_BIN_STEP_BPS}, not ${binStepBps}`);
  }
  return Math.log1p(binStepBps / WHOLE_BPS);
}

/**
 * Checks that the program has a bin.
 * @throws RangeError if it does not
 */
export function checkBin(binId: number, binStepBps: number): void {
  const max = maxBinIdOf(binStepBps);
  if (!Number.isInteger(binId) || Math.abs(binId) > max) {
    throw new RangeError(`A bin of step ${binStepBps} bps is a whole number from -${max} to ${max}, not ${binId}`);
  }
}

/** The factor from a price in raw units to one in whole tokens: 10^(decimals of X − decimals of Y). */
function rawPerUi(decimalsX: number, decimalsY: number): number {
  for (const decimals of [decimalsX, decimalsY]) {
    if (!Number.isInteger(decimals) || decimals < 0 || decimals > 255) {
      throw new RangeError(`A token has from 0 to 255 decimals, not ${decimals}`);
    }
  }
  return 10 ** (decimalsX - decimalsY);
}

/** A bin and its price, if known. */
export interface PricedBin {
  readonly binId: number;
  readonly price: number | undefined;
}

/** Derives the bin step in basis points from the prices of two adjacent bins; `undefined` if no two adjacent bins have prices. */
export function binStepOf(bins: readonly PricedBin[]): number | undefined {
  for (const [index, { binId, price }] of bins.entries()) {
    const next = bins[index + 1];
    if (next?.binId === binId + 1 && price !== undefined && next.price !== undefined && price > 0) {
      const step = Math.round((next.price / price - 1) * WHOLE_BPS);
      return step >= 1 ? step : undefined;
    }
  }
  return undefined;
}

/** Returns which tokens a range holds: a range on one side of the active bin holds only one of them. */
export function sidesOf(range: BinRange, activeBinId: number): 'both' | 'onlyX' | 'onlyY' {
  if (range.fromBinId > activeBinId) {
    return 'onlyX';
  }
  return range.toBinId < activeBinId ? 'onlyY' : 'both';
}

/** The share of the bins that hold token X, 0 to 1. The active bin counts as a half. */
export function shareOfXBins(range: BinRange, activeBinId: number): number {
  switch (sidesOf(range, activeBinId)) {
    case 'onlyX':
      return 1;
    case 'onlyY':
      return 0;
    case 'both':
      return (range.toBinId - activeBinId + 0.5) / widthOf(range);
  }
}
