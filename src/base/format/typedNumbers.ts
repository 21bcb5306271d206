import * as l10n from '@vscode/l10n';
import { displayLocale, type Locale, numbersIn } from './locale';
import { decimalMark } from './numbers';

/** A value that was read; or that there is none, with a message if more can be said than that the text is not a number. */
export type TypedNumber<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly message?: string };

/** Longer than any amount on Solana. Characters. */
const LONGEST_TEXT = 40;
/** Plain digits in a field have at most as many decimals as a token can have units. */
const MOST_PLACES = 20;
const DECIMAL = /^(?:(\d+)(?:\.(\d*))?|\.(\d+))$/;

/**
 * Reads a number that a person typed, and gives it with a point as its decimal mark. This is the one rule for all numbers that are typed, so
 * that none becomes a thousand times more or less than what was meant:
 * - The decimal mark is the locale's own, as in the figures that are shown. A point is read, too.
 * - Marks between thousands are not read.
 * - A number that could have either is refused with both readings: "1.200" where the decimal mark is a comma, "1,200" where it is a point.
 *
 * Only the marks are checked: what is not a number stays one.
 */
export function pointed(text: string, locale: Locale = displayLocale()): TypedNumber<string> {
  const ambiguous = ambiguousNumberIn(text, locale);
  if (ambiguous !== undefined) {
    return { ok: false, message: ambiguous };
  }
  const mark = decimalMark(locale);
  return { ok: true, value: mark === '.' || text.includes('.') ? text : text.replace(mark, '.') };
}

/** What to say of the first number in a text that can be read in two ways ({@link pointed}); `undefined`: none can. */
export function ambiguousNumberIn(text: string, locale: Locale = displayLocale()): string | undefined {
  const mark = decimalMark(locale);
  const grouped = mark === '.' ? GROUPED_BY_COMMA : GROUPED_BY_POINT;
  const [, typed, whole = '', thousand = ''] = grouped.exec(text) ?? [];
  if (typed === undefined) {
    return undefined;
  }
  const decimals = thousand.replace(/0+$/, '');
  return l10n.t`"${typed}" can mean ${decimals === '' ? whole : `${whole}${mark}${decimals}`} or ${whole + thousand}. Enter one of them.`;
}

/** One to three digits, a mark and three digits, as a number of its own. "0.004" can only have decimals. Two points are part of a range. */
const GROUPED_BY_POINT = groupedBy(String.raw`\.`);
const GROUPED_BY_COMMA = groupedBy(',');

function groupedBy(mark: string): RegExp {
  return new RegExp(String.raw`(?:^|[^\d.,]|\.\.)(([1-9]\d{0,2})${mark}(\d{3}))(?!\d|[.,]\d)`);
}

/** Reads a typed decimal number exactly, scaled by its decimal places: "1.5" with two places is 150n. Signs and exponents are not read. */
export function readDecimal(text: string, places: number, locale: Locale = displayLocale()): TypedNumber<bigint> {
  const plain = pointed(text.trim(), locale);
  if (!plain.ok) {
    return plain;
  }
  const match = text.length > LONGEST_TEXT ? null : DECIMAL.exec(plain.value);
  const fraction = match?.[2] ?? match?.[3] ?? '';
  return match === null || fraction.length > places
    ? { ok: false }
    : { ok: true, value: BigInt((match[1] ?? '') + fraction.padEnd(places, '0')) };
}

/** What was said of a number that could not be read, if anything. */
export function messageOf(reading: TypedNumber<unknown>): string | undefined {
  return reading.ok ? undefined : reading.message;
}

/** Why an amount was not read. @param symbol safe for labels */
export const enterAmountText = (symbol: string, decimals: number): string =>
  l10n.t`Enter ${symbol} with at most ${decimals} decimals, for example ${decimals === 0 ? '1' : '0.5'}.`;

/** Why a percentage was not read. */
export const enterPercentText = (least: string, example: string): string =>
  l10n.t`Enter ${least} to 100% with at most two decimals, for example ${example}.`;

export const moreThanZeroText = (): string => l10n.t('The amount must be more than 0.');

/** Writes a number for a field, so that {@link readDecimal} reads it back: 1500000000n with nine places is "1.5". */
export function decimalText(value: bigint, places: number, locale: Locale = displayLocale()): string {
  const digits = value.toString().padStart(places + 1, '0');
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  return `${digits.slice(0, digits.length - places)}${fraction === '' ? '' : `${decimalMark(locale)}${fraction}`}`;
}

/** Writes a number for a field in plain digits, so that {@link pointed} reads it back. */
export function numberText(value: number, options: Intl.NumberFormatOptions = {}, locale: Locale = displayLocale()): string {
  return numbersIn(locale, { useGrouping: false, maximumFractionDigits: MOST_PLACES, ...options }, 'negative').format(value);
}
