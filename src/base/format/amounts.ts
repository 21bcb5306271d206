import type { Locale } from './locale';
import { compact, decimalMark, DEFAULT_LOCALE, MINUS, UNKNOWN, written } from './numbers';
import { zerosAfterMark } from './price';

/** From here on whole tokens are shortened: "1.23M". */
const COMPACT_FROM = 1_000_000n;
/** Digits of a shortened amount. */
const SHORT_DIGITS = 6;
/** Minimum decimal places of a shortened amount above one, if it has as many. */
const LEAST_PLACES = 2;
/** Significant digits of a shortened amount below one. */
const SMALL_DIGITS = 4;

/**
 * Whole tokens with all digits and no trailing zeros: `exactAmount(1234567000n, 6)` is "1,234.567".
 * @param raw amount in the smallest unit of the token
 * @throws RangeError unless `decimals` is a whole number from 0 on
 */
export function exactAmount(raw: bigint, decimals: number, locale: Locale = DEFAULT_LOCALE): string {
  const { whole, fraction } = split(raw, decimals);
  return signOf(raw) + written(whole, {}, 'negative', locale) + afterMark(fraction, locale);
}

/**
 * Whole tokens with about six digits: "1,234.56", "1.23M", "0.001234", "0.0₅1234"; "–" if amount or decimals are unknown. Truncated, not
 * rounded, so the user never sees more than there is.
 * @param raw amount in the smallest unit of the token
 * @throws RangeError unless `decimals` is a whole number from 0 on
 */
export function shortAmount(raw: bigint | undefined, decimals: number | undefined, locale: Locale = DEFAULT_LOCALE): string {
  if (raw === undefined || decimals === undefined) {
    return UNKNOWN;
  }
  const { whole, fraction } = split(raw, decimals);
  if (whole >= COMPACT_FROM) {
    return signOf(raw) + compact(Number(whole), { roundingMode: 'trunc' }, 'negative', locale);
  }
  if (whole === 0n && fraction !== '') {
    const zeros = fraction.length - fraction.replace(/^0+/, '').length;
    const digits = fraction.slice(zeros, zeros + SMALL_DIGITS).replace(/0+$/, '');
    return signOf(raw) + written(0, {}, 'negative', locale) + decimalMark(locale) + zerosAfterMark(zeros) + digits;
  }
  const places = Math.max(SHORT_DIGITS - whole.toString().length, LEAST_PLACES);
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
