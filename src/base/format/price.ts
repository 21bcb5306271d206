import type { Locale } from './locale';
import { compact, decimalMark, DEFAULT_LOCALE, isKnown, UNKNOWN, written } from './numbers';

/** Digits of a price above one, while that leaves at least two places. */
const DIGITS = 5;
/** Digits of a price below one, after its leading zeros. */
const SMALL_DIGITS = 4;
const COMPACT_FROM = 10_000_000;
/** From so many zeros after the decimal mark on, their number is written instead of them. */
const SUBSCRIPT_FROM = 4;
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';

/** A price in whole tokens for a whole token: "139.18", "1,234.57", "0.02257", "0.0₅1234" for 0.000001234; "–" where not known. */
export function price(value: number | undefined, locale: Locale = DEFAULT_LOCALE): string {
  return priced(value, {}, 0, locale);
}

/** A price in US dollars: "$139.18", "$2.50", "$0.0₅1234"; "–" where not known. */
export function priceUsd(value: number | undefined, locale: Locale = DEFAULT_LOCALE): string {
  return priced(value, { style: 'currency', currency: 'USD' }, 2, locale);
}

/** So many zeros after a decimal mark: written out while they can be counted at a glance, else one zero and their number. */
export function zerosAfterMark(zeros: number): string {
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
  if (size >= COMPACT_FROM) {
    return compact(value, style, 'negative', locale);
  }
  if (size >= 1 || size === 0) {
    const wholeDigits = Math.trunc(size).toString().length;
    const places = { minimumFractionDigits: leastPlaces, maximumFractionDigits: Math.max(DIGITS - wholeDigits, 2) };
    return written(value, { ...style, ...places }, 'negative', locale);
  }
  // Digits are rounded first: 0.00099999 is 0.001, which has one zero less.
  const [mantissa = '', exponent = ''] = size.toExponential(SMALL_DIGITS - 1).split('e');
  const zeros = -Number(exponent) - 1;
  if (zeros < SUBSCRIPT_FROM) {
    return written(value, { ...style, minimumFractionDigits: 0, maximumSignificantDigits: SMALL_DIGITS }, 'negative', locale);
  }
  const digits = mantissa.replace('.', '').replace(/0+$/, '');
  const one = written(Math.sign(value), { ...style, minimumFractionDigits: 0, maximumFractionDigits: 0 }, 'negative', locale);
  return one.replace('1', `0${decimalMark(locale)}${zerosAfterMark(zeros)}${digits}`);
}
