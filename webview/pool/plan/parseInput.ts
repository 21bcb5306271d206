import * as l10n from '@vscode/l10n';
import {
  binOfUiPrice,
  type BinRange,
  isBinStep,
  MAX_BINS_PER_POSITION,
  maxBinIdOf,
  rangeEdges,
  uiPriceOfBin,
  widthOf,
} from '../../../src/base/dlmm/bins';
import { readRangeText } from '../../../src/base/dlmm/rangeText';
import { binId } from '../../../src/base/format/identifiers';
import { bps, slippageWarning } from '../../../src/base/format/percent';
import {
  decimalText,
  enterAmountText,
  enterPercentText,
  messageOf,
  moreThanZeroText,
  numberText,
  pointed,
  readDecimal,
} from '../../../src/base/format/typedNumbers';
import type { PoolView } from '../../../src/protocol/pool';

/** A parsed value, or a message that says what is wrong and what would be valid. */
export type ParsedInput<Value> =
  | { readonly ok: true; readonly value: Value; readonly note?: string }
  | { readonly ok: false; readonly message: string };

/** Converts between bins and prices. */
export interface PriceScale {
  readonly binStepBps: number;
  readonly decimalsX: number;
  readonly decimalsY: number;
  /** Prices are token X per token Y. */
  readonly isSwapped: boolean;
}

const SOL_DECIMALS = 9;
const PERCENT_PLACES = 2;
const WHOLE_BPS = 10_000;
/** Significant digits of a price in a field: enough to distinguish bins of the finest bin step. */
const PRICE_DIGITS = 8;
/** A price this close to a bin's price, in bins, is taken for that bin: fields do not show all of its digits. */
const SAME_BIN = 0.02;

const NUMBER = /^\d{0,60}(?:\.\d{0,60})?(?:e[+-]?\d{1,3})?$/i;
const BIN = /^[+-]?\d{1,7}$/;

/** Formats lamports for a field: "0.5". */
export function amountText(lamports: bigint, locale: string): string {
  return decimalText(lamports, SOL_DECIMALS, locale);
}

/** Parses an amount of SOL as lamports. Does not check the wallet's balance. */
export function readAmount(text: string, locale: string): ParsedInput<bigint> {
  const reading = readDecimal(text.replace(/\s*SOL\s*$/i, ''), SOL_DECIMALS, locale);
  if (!reading.ok) {
    return { ok: false, message: messageOf(reading) ?? enterAmountText('SOL', SOL_DECIMALS) };
  }
  return reading.value === 0n ? { ok: false, message: moreThanZeroText() } : reading;
}

/** Parses a slippage tolerance as basis points: "1", "1%" and "100 bps" are all 100. */
export function readSlippage(text: string, locale: string): ParsedInput<number> {
  const inBps = /^(.*?)\s*(?:bps|bp)\s*$/i.exec(text)?.[1];
  const reading = inBps === undefined ? readDecimal(text.replace(/\s*%\s*$/, ''), PERCENT_PLACES, locale) : readDecimal(inBps, 0, locale);
  if (!reading.ok || reading.value > BigInt(WHOLE_BPS)) {
    return { ok: false, message: messageOf(reading) ?? enterPercentText('0', '1.5') };
  }
  const value = Number(reading.value);
  return { ok: true, value, note: `${bps(value, locale)}${slippageWarning(value, locale)}` };
}

/** Formats basis points for a field, in percent: 150 is "1.5". */
export function slippageText(slippageBps: number, locale: string): string {
  return decimalText(BigInt(slippageBps), PERCENT_PLACES, locale);
}

/** Parses token X's share, given in percent, as a fraction from 0 to 1. */
export function readShare(text: string, locale: string): ParsedInput<number> {
  const reading = readDecimal(text.replace(/\s*%\s*$/, ''), PERCENT_PLACES, locale);
  return !reading.ok || reading.value > BigInt(WHOLE_BPS)
    ? { ok: false, message: messageOf(reading) ?? enterPercentText('0', '40') }
    : { ok: true, value: Number(reading.value) / WHOLE_BPS };
}

/** Formats a fraction for a field, in percent: 0.4 is "40". */
export function shareText(share: number, locale: string): string {
  return decimalText(BigInt(Math.round(share * WHOLE_BPS)), PERCENT_PLACES, locale);
}

/** Parses a bin id. */
export function readBin(text: string): ParsedInput<number> {
  const plain = text.trim().replaceAll('−', '-');
  return BIN.test(plain) ? { ok: true, value: Number(plain) + 0 } : { ok: false, message: l10n.t`Enter a number, for example ${'−350'}.` };
}

/**
 * Parses a price at a bound of a range and snaps it to a bin: for the lower bound at or below the price, for the upper bound at or above, so the
 * price is inside the range.
 */
export function readPrice(text: string, end: 'from' | 'to', scale: PriceScale, locale: string): ParsedInput<number> {
  const plain = pointed(text.trim(), locale);
  const shown = plain.ok && NUMBER.test(plain.value) ? Number(plain.value) : NaN;
  if (!(shown > 0) || shown === Infinity) {
    return { ok: false, message: messageOf(plain) ?? l10n.t`Enter a number, for example ${'0.0225'}.` };
  }
  const { binStepBps, decimalsX, decimalsY, isSwapped } = scale;
  const price = isSwapped ? 1 / shown : shown;
  try {
    const exact = (rounding: 'down' | 'up') => binOfUiPrice(price, binStepBps, decimalsX, decimalsY, rounding);
    const [below, above] = [exact('down'), exact('up')];
    const bin = end === 'from' ? (isNear(above, price, scale) ? above : below) : isNear(below, price, scale) ? below : above;
    return { ok: true, value: bin };
  } catch (error) {
    if (error instanceof RangeError) {
      return { ok: false, message: l10n.t('No bin of this pool has this price.') };
    }
    throw error;
  }
}

/** Parses a range in bins, percent, or prices in the displayed direction. Does not check it as a whole: {@link problemOfRange}. */
export function readRange(
  text: string,
  { activeBinId, binStepBps, x, y }: Pick<PoolView, 'activeBinId' | 'binStepBps' | 'x' | 'y'>,
  isSwapped: boolean,
  locale: string,
): ParsedInput<BinRange> {
  const reading =
    activeBinId === undefined
      ? ({ ok: false, problem: 'unreadable' } as const)
      : readRangeText(text, { activeBinId, binStepBps, decimalsX: x.decimals, decimalsY: y.decimals, isSwapped, locale });
  if (reading.ok) {
    return { ok: true, value: reading.range };
  }
  switch (reading.problem) {
    case 'ambiguous':
      return { ok: false, message: reading.message };
    case 'unreadable':
      return { ok: false, message: rangeExamples() };
    case 'noPrices':
      return { ok: false, message: l10n.t('The service reports no price: enter bins.') };
    case 'outside':
      return { ok: false, message: l10n.t('No bin of this pool has this price.') };
  }
}

/** What a range may look like. */
export function rangeExamples(): string {
  return l10n.t('For example -5% +5%, 0.004 to 0.005, or -384 to -316.');
}

/** Decimal places with which percentages of a range are tried: fine bin steps need more. */
const RANGE_PLACES = [2, 3, 4];

/**
 * Formats a range for a field, so that {@link readRange} reads it back as the same: the changes of the price to both ends in percent ("-4.9% +5.1%"),
 * else the bins ("-384 to -316 bins").
 */
export function rangeText(range: BinRange, pool: Parameters<typeof readRange>[1], isSwapped: boolean, locale: string): string {
  const { activeBinId, binStepBps } = pool;
  const inBins = `${range.fromBinId} to ${range.toBinId} bins`;
  if (activeBinId === undefined || binStepBps === undefined || !isBinStep(binStepBps)) {
    return inBins;
  }
  const ends = isSwapped ? [range.toBinId, range.fromBinId] : [range.fromBinId, range.toBinId];
  const changes = ends.map((bin) => changePercent(bin, activeBinId, binStepBps, isSwapped));
  const inPercent = (places: number): string =>
    changes.map((percent) => `${percent > 0 ? '+' : ''}${numberText(percent, { maximumFractionDigits: places }, locale)}%`).join(' ');
  const isReadBack = (text: string): boolean => {
    const reading = readRange(text, pool, isSwapped, locale);
    return reading.ok && reading.value.fromBinId === range.fromBinId && reading.value.toBinId === range.toBinId;
  };
  return RANGE_PLACES.map(inPercent).find(isReadBack) ?? inBins;
}

/** The change from the price of the active bin to that of another, percent, in the displayed direction. @throws RangeError for an invalid bin step */
export function changePercent(bin: number, activeBinId: number, binStepBps: number, isSwapped: boolean): number {
  const [from, to] = isSwapped ? [bin, activeBinId] : [activeBinId, bin];
  return rangeEdges({ fromBinId: to, toBinId: to }, from, binStepBps).lowerPercent;
}

/** The price of a bin in the displayed direction. @throws RangeError if the pool has no such bin */
export function priceOf(bin: number, { binStepBps, decimalsX, decimalsY, isSwapped }: PriceScale): number {
  const price = uiPriceOfBin(bin, binStepBps, decimalsX, decimalsY);
  return isSwapped ? 1 / price : price;
}

/** Formats a price for a field: plain digits that {@link readPrice} reads back as the same bin. */
export function priceText(price: number, locale: string): string {
  return numberText(price, { maximumSignificantDigits: PRICE_DIGITS }, locale);
}

/** The error of a range as a whole; `undefined` if it is valid. */
export function problemOfRange({ fromBinId, toBinId }: BinRange, binStepBps: number | undefined): string | undefined {
  if (fromBinId > toBinId) {
    return l10n.t`The lower bin comes first: ${binId(toBinId)} to ${binId(fromBinId)}.`;
  }
  const width = widthOf({ fromBinId, toBinId });
  if (width > MAX_BINS_PER_POSITION) {
    return l10n.t`The range has ${width} bins; a position holds at most ${MAX_BINS_PER_POSITION}.`;
  }
  const most = mostBinOf(binStepBps);
  return Math.max(Math.abs(fromBinId), Math.abs(toBinId)) > most
    ? l10n.t`This pool's bins go from ${binId(-most)} to ${binId(most)}.`
    : undefined;
}

/** A pool's highest bin id; the lowest is its negative. For an unknown or invalid bin step, the limit of the finest step. */
export function mostBinOf(binStepBps: number | undefined): number {
  return maxBinIdOf(binStepBps !== undefined && isBinStep(binStepBps) ? binStepBps : 1);
}

function isNear(bin: number, price: number, { binStepBps, decimalsX, decimalsY }: PriceScale): boolean {
  const apart = Math.abs(Math.log(price / uiPriceOfBin(bin, binStepBps, decimalsX, decimalsY))) / Math.log1p(binStepBps / WHOLE_BPS);
  return apart < SAME_BIN;
}
