import { numbersIn, type Locale, type Sign, displayLocale } from './locale';

/** Placeholder for an unknown figure. */
export const UNKNOWN = '–';

/** U+2212: as wide as a plus sign, and can't be mistaken for a hyphen. */
export const MINUS = '−';

/** From here on even compact notation has too many digits. */
const SCIENTIFIC_FROM = 1e15;
/** Smaller than the smallest unit of any token in use. */
const SCIENTIFIC_BELOW = 1e-18;

/** True for a finite number. */
export function isKnown(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}

/** Formats a finite number with the locale's separators, a real minus sign, and no sign for zero. */
export function written(value: number | bigint, options: Intl.NumberFormatOptions, sign: Sign, locale: Locale): string {
  const format = numbersIn(locale, options, sign);
  const text = format.format(value);
  const hyphen = value >= 0 ? -1 : text.indexOf('-');
  if (hyphen === -1) {
    return text;
  }
  if (hyphen === text.lastIndexOf('-')) {
    return `${text.slice(0, hyphen)}${MINUS}${text.slice(hyphen + 1)}`;
  }
  // Parts take several times as long, so only where it is unclear which hyphen is the sign: "-1E-20".
  return format
    .formatToParts(value)
    .map((part) => (part.type === 'minusSign' && part.value === '-' ? MINUS : part.value))
    .join('');
}

/** How large numbers are written. Made once for each style: lists have thousands of figures. */
export interface CompactStyle {
  readonly compact: Intl.NumberFormatOptions;
  readonly scientific: Intl.NumberFormatOptions;
}

export function compactStyle(options: Intl.NumberFormatOptions): CompactStyle {
  const digits = { ...options, minimumFractionDigits: 0, maximumSignificantDigits: 3 };
  return { compact: { ...digits, notation: 'compact' }, scientific: { ...digits, notation: 'scientific' } };
}

/** The style of a number without a unit. */
export const PLAIN_COMPACT = compactStyle({});

/** Whole numbers, with separators. */
export const PLAIN: Intl.NumberFormatOptions = { maximumFractionDigits: 0 };

/** Formats a large number with three digits: "12.3K", "4.56M", and from 1e15 on "1.23E15". */
export function compact(value: number, style: CompactStyle, sign: Sign, locale: Locale): string {
  return written(value, Math.abs(value) < SCIENTIFIC_FROM ? style.compact : style.scientific, sign, locale);
}

/**
 * Formats a number that isn't zero but would be rounded to it: an amount as "<$0.01", a difference or a negative number as "≈$0.00",
 * since "−<$0.01" is hard to read.
 * @param least the smallest number that `options` can show
 */
export function nearZero(value: number, least: number, options: Intl.NumberFormatOptions, sign: Sign, locale: Locale): string {
  const isAmount = sign === 'negative' && value > 0;
  return isAmount ? `<${written(least, options, sign, locale)}` : `≈${written(0, options, sign, locale)}`;
}

/** Every language writes smaller whole numbers as their digits. */
const SEPARATED_FROM = 1_000;

/** A number rounded to a whole one, with separators: "1,234". */
function whole(value: number, locale: Locale): string {
  return Number.isInteger(value) && value >= 0 && value < SEPARATED_FROM ? String(value) : written(value, PLAIN, 'negative', locale);
}

/** A count, with separators: "1,234". */
export function count(value: number | undefined, locale: Locale = displayLocale()): string {
  if (!isKnown(value)) {
    return UNKNOWN;
  }
  // An implausible count is written in short form.
  return Math.abs(value) >= SCIENTIFIC_FROM ? compact(value, PLAIN_COMPACT, 'negative', locale) : whole(value, locale);
}

/** A number with at least `digits` significant digits, so its whole part is never rounded: "1,234", "12.35", "0.001235". */
export function significant(value: number | undefined, digits = 4, locale: Locale = displayLocale()): string {
  if (!isKnown(value)) {
    return UNKNOWN;
  }
  if (Math.abs(value) >= SCIENTIFIC_FROM) {
    return compact(value, PLAIN_COMPACT, 'negative', locale);
  }
  if (value !== 0 && Math.abs(value) < SCIENTIFIC_BELOW) {
    return written(value, { notation: 'scientific', maximumSignificantDigits: 3 }, 'negative', locale);
  }
  const wholeDigits = Math.abs(value) < 1 ? 1 : Math.floor(Math.log10(Math.abs(value))) + 1;
  return written(value, { maximumSignificantDigits: Math.max(digits, wholeDigits) }, 'negative', locale);
}

/** The locale's decimal mark. */
export function decimalMark(locale: Locale): string {
  const parts = numbersIn(locale, {}, 'negative').formatToParts(1.5);
  return parts.find((part) => part.type === 'decimal')?.value ?? '.';
}
