import type { Locale } from './locale';
import { compact, decimalMark, DEFAULT_LOCALE, isKnown, UNKNOWN, written } from './numbers';

/** Significant digits of a price above one; at least two decimal places are kept. */
const DIGITS = 5;
/** Significant digits of a price below one. */
const SMALL_DIGITS = 4;
const COMPACT_FROM = 10_000_000;
/** Number of zeros after the decimal mark from which their count is written as a subscript. */
const SUBSCRIPT_FROM = 4;
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';

/** A price in whole tokens per whole token: "139.18", "1,234.57", "0.02257", "0.0₅1234" for 0.000001234; "–" if unknown. */
export function price(value: number | undefined, locale: Locale = DEFAULT_LOCALE): string {
  return priced(value, {}, 0, locale);
}

/** A price in US dollars: "$139.18", "$2.50", "$0.0₅1234"; "–" if unknown. */
export function priceUsd(value: number | undefined, locale: Locale = DEFAULT_LOCALE): string {
  return priced(value, { style: 'currency', currency: 'USD' }, 2, locale);
}

/** Zeros after a decimal mark: written out if they are few, else as one zero and their count as a subscript. */
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
  // Round before counting zeros: 0.00099999 becomes 0.001, which has one zero less.
  const [mantissa = '', exponent = ''] = size.toExponential(SMALL_DIGITS - 1).split('e');
  const zeros = -Number(exponent) - 1;
  if (zeros < SUBSCRIPT_FROM) {
    return written(value, { ...style, minimumFractionDigits: 0, maximumSignificantDigits: SMALL_DIGITS }, 'negative', locale);
  }
  const digits = mantissa.replace('.', '').replace(/0+$/, '');
  const one = written(Math.sign(value), { ...style, minimumFractionDigits: 0, maximumFractionDigits: 0 }, 'negative', locale);
  return one.replace('1', `0${decimalMark(locale)}${zerosAfterMark(zeros)}${digits}`);
}
