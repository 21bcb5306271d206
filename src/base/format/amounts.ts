import { type Locale, displayLocale } from './locale';
import { compact, compactStyle, decimalMark, isKnown, MINUS, UNKNOWN, written } from './numbers';

/** US dollars, as "$" in every language. */
export const DOLLARS: Intl.NumberFormatOptions = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' };

/** Significant digits of a price above one; at least two decimal places are kept. */
const PRICE_DIGITS = 5;
/** Significant digits of a price below one. */
const SMALL_PRICE_DIGITS = 4;
const PRICE_COMPACT_FROM = 10_000_000;
/** Number of zeros after the decimal mark from which their count is written as a subscript. */
const SUBSCRIPT_FROM = 4;
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';

/** A price in whole tokens per whole token: "139.18", "1,234.57", "0.02257", "0.0₅1234" for 0.000001234; "–" if unknown. */
export function price(value: number | undefined, locale: Locale = displayLocale()): string {
  return priced(value, {}, 0, locale);
}

/** A price in US dollars: "$139.18", "$2.50", "$0.0₅1234"; "–" if unknown. */
export function priceUsd(value: number | undefined, locale: Locale = displayLocale()): string {
  return priced(value, DOLLARS, 2, locale);
}

/** Zeros after a decimal mark: written out if they are few, else as one zero and their count as a subscript. */
function zerosAfterMark(zeros: number): string {
  if (zeros < SUBSCRIPT_FROM) {
    return '0'.repeat(zeros);
  }
  return `0${String(zeros).replace(/\d/g, (digit) => SUBSCRIPTS.charAt(Number(digit)))}`;
}

function priced(value: number | undefined, style: Intl.NumberFormatOptions, leastPlaces: number, locale: Locale): string {
  if (!isKnown(value)) {
    return UNKNOWN;
  }
  const size = Math.abs(value);
  if (size >= PRICE_COMPACT_FROM) {
    return compact(value, compactStyle(style), 'negative', locale);
  }
  if (size >= 1 || size === 0) {
    const wholeDigits = Math.trunc(size).toString().length;
    const places = { minimumFractionDigits: leastPlaces, maximumFractionDigits: Math.max(PRICE_DIGITS - wholeDigits, 2) };
    return written(value, { ...style, ...places }, 'negative', locale);
  }
  // Round before counting zeros: 0.00099999 becomes 0.001, which has one zero less.
  const [mantissa = '', exponent = ''] = size.toExponential(SMALL_PRICE_DIGITS - 1).split('e');
  const zeros = -Number(exponent) - 1;
  if (zeros < SUBSCRIPT_FROM) {
    return written(value, { ...style, minimumFractionDigits: 0, maximumSignificantDigits: SMALL_PRICE_DIGITS }, 'negative', locale);
  }
  const digits = mantissa.replace('.', '').replace(/0+$/, '');
  const one = written(Math.sign(value), { ...style, minimumFractionDigits: 0, maximumFractionDigits: 0 }, 'negative', locale);
  return one.replace('1', `0${decimalMark(locale)}${zerosAfterMark(zeros)}${digits}`);
}

/** From here on whole tokens are shortened: "1.23M". */
const AMOUNT_COMPACT_FROM = 1_000_000n;
/** Digits of a shortened amount. */
const AMOUNT_DIGITS = 6;
/** Minimum decimal places of a shortened amount above one, if it has as many. */
const AMOUNT_MIN_PLACES = 2;
/** Significant digits of a shortened amount below one. */
const SMALL_AMOUNT_DIGITS = 4;

/**
 * Whole tokens with all digits and no trailing zeros: `exactAmount(1234567000n, 6)` is "1,234.567".
 * @param raw amount in the smallest unit of the token
 * @throws RangeError unless `decimals` is a whole number from 0 on
 */
export function exactAmount(raw: bigint, decimals: number, locale: Locale = displayLocale()): string {
  const { whole, fraction } = split(raw, decimals);
  return signOf(raw) + written(whole, {}, 'negative', locale) + afterMark(fraction, locale);
}

/**
 * Whole tokens with about six digits: "1,234.56", "1.23M", "0.001234", "0.0₅1234"; "–" if amount or decimals are unknown. Truncated, not
 * rounded, so the user never sees more than there is.
 * @param raw amount in the smallest unit of the token
 * @throws RangeError unless `decimals` is a whole number from 0 on
 */
export function shortAmount(raw: bigint | undefined, decimals: number | undefined, locale: Locale = displayLocale()): string {
  if (raw === undefined || decimals === undefined) {
    return UNKNOWN;
  }
  const { whole, fraction } = split(raw, decimals);
  if (whole >= AMOUNT_COMPACT_FROM) {
    return signOf(raw) + compact(Number(whole), compactStyle({ roundingMode: 'trunc' }), 'negative', locale);
  }
  if (whole === 0n && fraction !== '') {
    const zeros = fraction.length - fraction.replace(/^0+/, '').length;
    const digits = fraction.slice(zeros, zeros + SMALL_AMOUNT_DIGITS).replace(/0+$/, '');
    return signOf(raw) + written(0, {}, 'negative', locale) + decimalMark(locale) + zerosAfterMark(zeros) + digits;
  }
  const places = Math.max(AMOUNT_DIGITS - whole.toString().length, AMOUNT_MIN_PLACES);
  return signOf(raw) + written(whole, {}, 'negative', locale) + afterMark(fraction.slice(0, places).replace(/0+$/, ''), locale);
}

/** Whole tokens, and the digits after the decimal mark without trailing zeros; without the sign. */
function split(raw: bigint, decimals: number): { readonly whole: bigint; readonly fraction: string } {
  if (!Number.isInteger(decimals) || decimals < 0) {
    throw new RangeError(`Decimals are a whole number from 0 on, not ${decimals}`);
  }
  const size = raw < 0n ? -raw : raw;
  const unit = 10n ** BigInt(decimals);
  const digits = (size % unit).toString().padStart(decimals, '0');
  return { whole: size / unit, fraction: digits.replace(/0+$/, '') };
}

function signOf(raw: bigint): string {
  return raw < 0n ? MINUS : '';
}

function afterMark(fraction: string, locale: Locale): string {
  return fraction === '' ? '' : decimalMark(locale) + fraction;
}
