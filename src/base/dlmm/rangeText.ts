import type { Locale } from '../format/locale';
import { decimalMark } from '../format/numbers';
import { ambiguousNumberIn } from '../format/typedNumbers';
import { binOfUiPrice, type BinRange, checkBin, isBinStep, rangeAround } from './bins';

/** What a typed range is read against. */
export interface RangeContext {
  readonly activeBinId: number;
  /** Percentages and prices need a valid one. */
  readonly binStepBps: number | undefined;
  /** Prices need both. */
  readonly decimalsX: number | undefined;
  readonly decimalsY: number | undefined;
  /** Prices are typed as token X per token Y; otherwise token Y per token X. */
  readonly isSwapped: boolean;
  /** The locale of the figures that are shown: numbers are read as `pointed` of typedNumbers.ts does. */
  readonly locale: Locale;
}

/** In which unit a range was typed. */
export type RangeUnit = 'bins' | 'percent' | 'prices';

/**
 * A range that was read, or why not: `unreadable` text, `ambiguous` with the two readings of a number, `noPrices` where the pool's bin step or
 * decimals are unknown, `outside` where no bin has the price. The range may be inverted or too wide: callers check it like any other.
 */
export type RangeReading =
  | { readonly ok: true; readonly range: BinRange; readonly unit: RangeUnit }
  | { readonly ok: false; readonly problem: 'unreadable' | 'noPrices' | 'outside' }
  | { readonly ok: false; readonly problem: 'ambiguous'; readonly message: string };

/** Longer than two prices of the cheapest token, written out. Characters. */
const LONGEST_TEXT = 140;
/** Prices and percentages are rounded where they are shown: this close to a bin, in bins, that bin is meant. */
const SAME_BIN = 0.02;
const WHOLE_BPS = 10_000;

const AROUND = /^(?:±|\+-|\+\/-)?\s*(\d+(?:\.\d+)?|\.\d+)\s*(%?)$/;
const SEPARATOR = String.raw`(?:\s*(?:\.{2,3}|…|–|—|:|;|\bto\b)\s*|\s+-\s+|\s+)`;
const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,3})?(?: ?%)?`;
const TWO = new RegExp(`^(${NUMBER})${SEPARATOR}(${NUMBER})$`, 'i');
const WHOLE = /^[+-]?\d{1,7}$/;
const UNREADABLE: RangeReading = { ok: false, problem: 'unreadable' };

/**
 * Reads a typed range of bins, percentages or prices:
 * - "34", "±34": bins on either side of the active bin; "±5%", "5%": percent on either side of its price
 * - "-5% +5%", "-5% to 10%": changes of the price; "0.004 to 0.005": prices
 * - "-420..-350", "700 to 800": whole numbers are bins or prices, whichever of both readings is closer to the active bin (bins if both are as
 *   close); with "bins" behind them always bins, with a decimal point always prices.
 *
 * Percentages and prices are those that the user sees, so in the inverted direction the higher one is the lower bin. The range contains both ends.
 */
export function readRangeText(text: string, context: RangeContext): RangeReading {
  if (text.length > LONGEST_TEXT) {
    return UNREADABLE;
  }
  const ambiguous = ambiguousNumberIn(text, context.locale);
  if (ambiguous !== undefined) {
    return { ok: false, problem: 'ambiguous', message: ambiguous };
  }
  const plain = plainText(text, decimalMark(context.locale));
  const isInBins = /\bbins?$/i.test(plain);
  const figures = isInBins ? plain.replace(/\s*bins?$/i, '') : plain;
  const around = AROUND.exec(figures);
  if (around !== null) {
    const [, size = '', percent] = around;
    return percent === '%' ? percentRange(-Number(size), Number(size), isInBins, context) : aroundBins(size, context);
  }
  const [, first, second] = TWO.exec(figures) ?? [];
  if (first === undefined || second === undefined) {
    return UNREADABLE;
  }
  const areInPercent = [first, second].filter((one) => one.endsWith('%')).length;
  if (areInPercent > 0) {
    // "-5 to +5%" is read, too.
    return percentRange(Number(first.replace('%', '')), Number(second.replace('%', '')), isInBins, context);
  }
  return WHOLE.test(first) && WHOLE.test(second)
    ? wholeRange(Number(first), Number(second), isInBins, context)
    : isInBins
      ? UNREADABLE
      : priceRange(Number(first), Number(second), context);
}

/** With ASCII signs, and with a point as the decimal mark. */
function plainText(text: string, mark: string): string {
  const signed = text.trim().replaceAll(/[−‒]/g, '-').replaceAll(/\s+/g, ' ');
  return mark === ',' && !/\d\.\d/.test(signed) ? signed.replaceAll(/(\d),(\d)/g, '$1.$2') : signed;
}

function aroundBins(size: string, { activeBinId }: RangeContext): RangeReading {
  return WHOLE.test(size) ? { ok: true, unit: 'bins', range: rangeAround(activeBinId, Number(size)) } : UNREADABLE;
}

function wholeRange(first: number, second: number, isInBins: boolean, context: RangeContext): RangeReading {
  // Adding 0 turns -0 into 0.
  const bins: RangeReading = { ok: true, unit: 'bins', range: { fromBinId: first + 0, toBinId: second + 0 } };
  if (isInBins || first <= 0 || second <= 0) {
    return bins;
  }
  const prices = priceRange(first, second, context);
  return prices.ok && distanceOf(prices.range, context) < distanceOf(bins.range, context) ? prices : bins;
}

/** Bins between the active bin and a range; 0 inside. */
function distanceOf({ fromBinId, toBinId }: BinRange, { activeBinId }: RangeContext): number {
  return Math.max(Math.min(fromBinId, toBinId) - activeBinId, activeBinId - Math.max(fromBinId, toBinId), 0);
}

function percentRange(first: number, second: number, isInBins: boolean, context: RangeContext): RangeReading {
  const { activeBinId, binStepBps, isSwapped } = context;
  if (isInBins || !(first > -100 && second > -100) || !Number.isFinite(first) || !Number.isFinite(second)) {
    return UNREADABLE;
  }
  if (binStepBps === undefined || !isBinStep(binStepBps)) {
    return { ok: false, problem: 'noPrices' };
  }
  const place = (percent: number) => (isSwapped ? -1 : 1) * (Math.log1p(percent / 100) / Math.log1p(binStepBps / WHOLE_BPS));
  const [lower, upper] = isSwapped ? [second, first] : [first, second];
  return within('percent', { fromBinId: activeBinId + below(place(lower)), toBinId: activeBinId + above(place(upper)) }, binStepBps);
}

function priceRange(first: number, second: number, { binStepBps, decimalsX, decimalsY, isSwapped }: RangeContext): RangeReading {
  if (!(first > 0 && second > 0) || !Number.isFinite(first) || !Number.isFinite(second)) {
    return UNREADABLE;
  }
  if (binStepBps === undefined || !isBinStep(binStepBps) || decimalsX === undefined || decimalsY === undefined) {
    return { ok: false, problem: 'noPrices' };
  }
  const [lower, upper] = isSwapped ? [1 / second, 1 / first] : [first, second];
  try {
    const place = (price: number, rounding: 'down' | 'up') => nearestBin(price, rounding, binStepBps, decimalsX, decimalsY);
    return within('prices', { fromBinId: place(lower, 'down'), toBinId: place(upper, 'up') }, binStepBps);
  } catch (error) {
    if (error instanceof RangeError) {
      return { ok: false, problem: 'outside' };
    }
    throw error;
  }
}

/** The bin at or beyond a price, or the one whose price it is except for rounding. */
function nearestBin(price: number, rounding: 'down' | 'up', binStepBps: number, decimalsX: number, decimalsY: number): number {
  const tolerance = Math.exp(SAME_BIN * Math.log1p(binStepBps / WHOLE_BPS));
  // A price just above a bin is that bin's for the upper end, a price just below it for the lower end.
  return rounding === 'down'
    ? binOfUiPrice(price * tolerance, binStepBps, decimalsX, decimalsY, 'down')
    : binOfUiPrice(price / tolerance, binStepBps, decimalsX, decimalsY, 'up');
}

function within(unit: RangeUnit, range: BinRange, binStepBps: number): RangeReading {
  try {
    checkBin(range.fromBinId, binStepBps);
    checkBin(range.toBinId, binStepBps);
    return { ok: true, unit, range };
  } catch (error) {
    if (error instanceof RangeError) {
      return { ok: false, problem: 'outside' };
    }
    throw error;
  }
}

/** Rounded down, except for a place that is a bin's own but for rounding; never -0. */
function below(place: number): number {
  return Math.floor(place + SAME_BIN) + 0;
}

function above(place: number): number {
  return Math.ceil(place - SAME_BIN) + 0;
}
