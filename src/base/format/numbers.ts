import { numbersIn, type Locale } from './locale';
/** The locale in which figures are written unless another is asked for. */
export const DEFAULT_LOCALE = 'en-US';

/** What stands for a figure that is not known. */
export const UNKNOWN = '–';

/** U+2212: as wide as a plus sign, and not mistaken for a hyphen. */
export const MINUS = '−';

/** From here on even compact notation has too many digits to read. */
const SCIENTIFIC_FROM = 1e15;
/** Smaller than the unit of any token that is in use: so many zeros are not read. */
const SCIENTIFIC_BELOW = 1e-18;

/** `negative`: only below zero. `always`: above zero too, for figures that are differences. Zero never has a sign. */
export type Sign = 'negative' | 'always';

/** Whether a figure can be written at all: it is there, and it is a finite number. */
export function isKnown(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}

/** Writes a finite number with the locale's own marks, a real minus sign, and no sign before zero. */
export function written(value: number | bigint, options: Intl.NumberFormatOptions, sign: Sign, locale: Locale): string {
  const format = numbersIn(locale, { numberingSystem: 'latn', signDisplay: sign === 'always' ? 'exceptZero' : 'negative', ...options });
  return format
    .formatToParts(value)
    .map((part) => (part.type === 'minusSign' && part.value === '-' ? MINUS : part.value))
    .join('');
}

/** Writes a large number with three digits: "12.3K", "4.56M", and from 1e15 on "1.23E15". */
export function compact(value: number, options: Intl.NumberFormatOptions, sign: Sign, locale: Locale): string {
  const notation = Math.abs(value) < SCIENTIFIC_FROM ? 'compact' : 'scientific';
  return written(value, { ...options, notation, minimumFractionDigits: 0, maximumSignificantDigits: 3 }, sign, locale);
}

/**
 * Writes a number that the digits asked for would turn into zero, though it is not: an amount as "<$0.01", a difference
 * or a negative number as "≈$0.00", since "−<$0.01" takes thought to read.
 * @param least the smallest number that those digits can show
 */
export function nearZero(value: number, least: number, options: Intl.NumberFormatOptions, sign: Sign, locale: Locale): string {
  const isAmount = sign === 'negative' && value > 0;
  return isAmount ? `<${written(least, options, sign, locale)}` : `≈${written(0, options, sign, locale)}`;
}

/** A count, with separators: "1,234". */
export function count(value: number | undefined, locale: Locale = DEFAULT_LOCALE): string {
  if (!isKnown(value)) {
    return UNKNOWN;
  }
  // Nothing that is counted is as many: such a figure is kept short.
  return Math.abs(value) >= SCIENTIFIC_FROM
    ? compact(value, {}, 'negative', locale)
    : written(value, { maximumFractionDigits: 0 }, 'negative', locale);
}

/** A count and what is counted: "1 position", "3 positions". For English words whose plural ends in s. */
export function counted(value: number, one: string, locale: Locale = DEFAULT_LOCALE): string {
  return `${count(value, locale)} ${value === 1 ? one : `${one}s`}`;
}

/** A number with so many significant digits, but never fewer than its whole part has: "1,234", "12.35", "0.001235". */
export function significant(value: number | undefined, digits = 4, locale: Locale = DEFAULT_LOCALE): string {
  if (!isKnown(value)) {
    return UNKNOWN;
  }
  if (Math.abs(value) >= SCIENTIFIC_FROM) {
    return compact(value, {}, 'negative', locale);
  }
  if (value !== 0 && Math.abs(value) < SCIENTIFIC_BELOW) {
    return written(value, { notation: 'scientific', maximumSignificantDigits: 3 }, 'negative', locale);
  }
  const wholeDigits = Math.abs(value) < 1 ? 1 : Math.floor(Math.log10(Math.abs(value))) + 1;
  return written(value, { maximumSignificantDigits: Math.max(digits, wholeDigits) }, 'negative', locale);
}

/** The locale's decimal mark. */
export function decimalMark(locale: Locale): string {
  const parts = numbersIn(locale, { numberingSystem: 'latn' }).formatToParts(1.5);
  return parts.find((part) => part.type === 'decimal')?.value ?? '.';
}
