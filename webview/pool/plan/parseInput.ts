import * as l10n from '@vscode/l10n';
import {
  MAX_BINS_PER_POSITION,
  binOfUiPrice,
  isBinStep,
  maxBinIdOf,
  uiPriceOfBin,
  widthOf,
  type BinRange,
} from '../../../src/base/dlmm/bins';
import { binId } from '../../../src/base/format/places';
import { bps } from '../../../src/base/format/percent';
import { slippageWarning } from '../../../src/base/format/slippage';
import { decimalMark } from '../../../src/base/format/numbers';

/** What became of a text: its value, or what is wrong with it and what would be right. */
export type ParsedInput<Value> =
  { readonly ok: true; readonly value: Value; readonly note?: string } | { readonly ok: false; readonly message: string };

/** What tells the prices of a pool's bins. */
export interface PriceScale {
  readonly binStepBps: number;
  readonly decimalsX: number;
  readonly decimalsY: number;
  /** Prices are token X for one token Y. */
  readonly isSwapped: boolean;
}

const SOL_DECIMALS = 9;
const PERCENT_PLACES = 2;
const WHOLE_BPS = 10_000;
/** No amount on Solana is longer. */
const LONGEST_TEXT = 40;
/** Digits of a price in a field: enough to tell the bins of the finest step apart. */
const PRICE_DIGITS = 8;
/** A price that lies this near to a bin's price, in bins, was meant to be that bin's: fields do not show all of its digits. */
const SAME_BIN = 0.02;

const DECIMAL = /^(?:(\d+)(?:\.(\d*))?|\.(\d+))$/;
const NUMBER = /^\d{0,60}(?:\.\d{0,60})?(?:e[+-]?\d{1,3})?$/i;
const BIN = /^[+-]?\d{1,7}$/;

/**
 * Reads a decimal number exactly, as a whole number of its last place: "1.5" with two places is 150n. The decimal mark is a point, or the
 * locale's own. `undefined` for anything else: signs, separators, more places.
 */
export function readDecimal(text: string, places: number, locale: string): bigint | undefined {
  const match = text.length > LONGEST_TEXT ? null : DECIMAL.exec(pointed(text.trim(), locale));
  if (match === null) {
    return undefined;
  }
  const fraction = match[2] ?? match[3] ?? '';
  return fraction.length > places ? undefined : BigInt((match[1] ?? '') + fraction.padEnd(places, '0'));
}

/** Writes such a number so that a field can show it and {@link readDecimal} reads it back: 1500000000n with nine places is "1.5". */
export function decimalText(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0');
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  return `${digits.slice(0, digits.length - places)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Writes lamports as a field shows them: "0.5". */
export function amountText(lamports: bigint): string {
  return decimalText(lamports, SOL_DECIMALS);
}

/** Reads an amount of SOL as lamports; whether the wallet has as much is not asked here. */
export function readAmount(text: string, locale: string): ParsedInput<bigint> {
  const lamports = readDecimal(text.replace(/\s*SOL\s*$/i, ''), SOL_DECIMALS, locale);
  if (lamports === undefined) {
    return { ok: false, message: l10n.t`Type an amount of SOL with at most ${SOL_DECIMALS} decimals, such as 0.5.` };
  }
  return lamports === 0n ? { ok: false, message: l10n.t('The amount has to be more than 0.') } : { ok: true, value: lamports };
}

/** Reads a slippage as basis points: "1" and "1 %" are 100, and so is "100 bps". */
export function readSlippage(text: string, locale: string): ParsedInput<number> {
  const inBps = /^(.*?)\s*(?:bps|bp)\s*$/i.exec(text)?.[1];
  const raw = inBps === undefined ? readDecimal(text.replace(/\s*%\s*$/, ''), PERCENT_PLACES, locale) : readDecimal(inBps, 0, locale);
  if (raw === undefined || raw > BigInt(WHOLE_BPS)) {
    return {
      ok: false,
      message: l10n.t('Type a percentage from 0 to 100 with at most two decimals, such as 1.5, or basis points, such as 150 bps.'),
    };
  }
  const value = Number(raw);
  return { ok: true, value, note: `${bps(value, locale)}${slippageWarning(value, locale)}` };
}

/** Writes a slippage as a field shows it, in percent: 150 is "1.5". */
export function slippageText(slippageBps: number): string {
  return decimalText(BigInt(slippageBps), PERCENT_PLACES);
}

/** Reads the share of token X, typed in percent, as a fraction from 0 to 1. */
export function readShare(text: string, locale: string): ParsedInput<number> {
  const raw = readDecimal(text.replace(/\s*%\s*$/, ''), PERCENT_PLACES, locale);
  return raw === undefined || raw > BigInt(WHOLE_BPS)
    ? { ok: false, message: l10n.t('Type a percentage from 0 to 100 with at most two decimals, such as 40.') }
    : { ok: true, value: Number(raw) / WHOLE_BPS };
}

/** Writes a share as its field shows it, in percent: 0.4 is "40". */
export function shareText(share: number): string {
  return decimalText(BigInt(Math.round(share * WHOLE_BPS)), PERCENT_PLACES);
}

/** Reads the number of a bin. */
export function readBin(text: string): ParsedInput<number> {
  const plain = text.trim().replaceAll('−', '-');
  return BIN.test(plain)
    ? { ok: true, value: Number(plain) + 0 }
    : { ok: false, message: l10n.t('Type the whole number of a bin, such as −350.') };
}

/**
 * Reads the price at an end of a range, and gives the bin to which it snaps: the lower end's the one at or below it, the upper end's at or
 * above, so that the price is inside.
 */
export function readPrice(text: string, end: 'from' | 'to', scale: PriceScale, locale: string): ParsedInput<number> {
  const plain = pointed(text.trim(), locale);
  const shown = NUMBER.test(plain) ? Number(plain) : NaN;
  if (!(shown > 0) || shown === Infinity) {
    return { ok: false, message: l10n.t('Type a price above 0, such as 0.0225.') };
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
      return { ok: false, message: l10n.t('No bin of this pool has such a price.') };
    }
    throw error;
  }
}

/** The price of a bin as it is shown, the right way round. @throws RangeError where the pool has no such bin. */
export function priceOf(bin: number, { binStepBps, decimalsX, decimalsY, isSwapped }: PriceScale): number {
  const price = uiPriceOfBin(bin, binStepBps, decimalsX, decimalsY);
  return isSwapped ? 1 / price : price;
}

/** Writes a price as a field shows it: plain digits, that {@link readPrice} reads back as the same bin. */
export function priceText(price: number): string {
  return new Intl.NumberFormat('en-US', { numberingSystem: 'latn', useGrouping: false, maximumSignificantDigits: PRICE_DIGITS }).format(
    price,
  );
}

/** What is wrong with a range as a whole; `undefined`: nothing. */
export function problemOfRange({ fromBinId, toBinId }: BinRange, binStepBps: number | undefined): string | undefined {
  if (fromBinId > toBinId) {
    return l10n.t`The lower end, bin ${binId(fromBinId)}, lies above the upper one, bin ${binId(toBinId)}.`;
  }
  const width = widthOf({ fromBinId, toBinId });
  if (width > MAX_BINS_PER_POSITION) {
    return l10n.t`A position has at most ${MAX_BINS_PER_POSITION} bins, and this range has ${width}.`;
  }
  const most = mostBinOf(binStepBps);
  return Math.max(Math.abs(fromBinId), Math.abs(toBinId)) > most
    ? l10n.t`The bins of this pool go from ${binId(-most)} to ${binId(most)}.`
    : undefined;
}

/** The greatest bin of a pool; its least one is the negative. Where the step is not known, or none that the program has, that of the finest. */
export function mostBinOf(binStepBps: number | undefined): number {
  return maxBinIdOf(binStepBps !== undefined && isBinStep(binStepBps) ? binStepBps : 1);
}

function isNear(bin: number, price: number, { binStepBps, decimalsX, decimalsY }: PriceScale): boolean {
  const apart = Math.abs(Math.log(price / uiPriceOfBin(bin, binStepBps, decimalsX, decimalsY))) / Math.log1p(binStepBps / WHOLE_BPS);
  return apart < SAME_BIN;
}

/** With a point as the decimal mark. Where the locale's is a comma, a comma is one; a text with both is not understood. */
function pointed(text: string, locale: string): string {
  return decimalMark(locale) === ',' && !text.includes('.') ? text.replace(',', '.') : text;
}
