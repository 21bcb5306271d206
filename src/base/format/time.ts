import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../time';
import { datesIn, tagOf, type Locale, displayLocale } from './locale';
import { compact, compactStyle, isKnown, UNKNOWN, written } from './numbers';

const HOURS_PER_DAY = 24;
const DAYS_PER_YEAR = 365;
/** Days from which hours are omitted. */
const DAYS_ONLY_FROM = 30;
/** A hundred thousand years: an implausible age, which is written in short form. */
const ABSURD_HOURS = 1e9;

const CLOCK: Intl.DateTimeFormatOptions = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  numberingSystem: 'latn',
};

/**
 * An age: "<1m", "12m", "3h", "2d 4h", "45d", "1y 20d"; "–" if unknown. Truncated, not rounded.
 * @param hours may be below zero if clocks differ; that is written as "<1m"
 */
export function age(hours: number | undefined, locale: Locale = displayLocale()): string {
  if (!isKnown(hours)) {
    return UNKNOWN;
  }
  if (hours >= ABSURD_HOURS) {
    return compact(hours / HOURS_PER_DAY / DAYS_PER_YEAR, ABSURD_YEARS, 'negative', locale);
  }
  const minutes = Math.floor(hours * 60);
  const days = Math.floor(hours / HOURS_PER_DAY);
  if (minutes < 1) {
    return `<${wholeUnits(1, 'minute', locale)}`;
  }
  if (hours < 1) {
    return wholeUnits(minutes, 'minute', locale);
  }
  if (days < 1) {
    return wholeUnits(Math.floor(hours), 'hour', locale);
  }
  if (days < DAYS_ONLY_FROM) {
    return `${wholeUnits(days, 'day', locale)} ${wholeUnits(Math.floor(hours % HOURS_PER_DAY), 'hour', locale)}`.trim();
  }
  return `${wholeUnits(Math.floor(days / DAYS_PER_YEAR), 'year', locale)} ${wholeUnits(days % DAYS_PER_YEAR, 'day', locale)}`.trim();
}

type AgeUnit = 'year' | 'day' | 'hour' | 'minute';

/** Years, days, hours and minutes, as short as a row needs them: `Intl` has the units. */
const SHORT_UNITS: Readonly<Record<AgeUnit, Intl.NumberFormatOptions>> = {
  year: shortUnit('year'),
  day: shortUnit('day'),
  hour: shortUnit('hour'),
  minute: shortUnit('minute'),
};

const ABSURD_YEARS = compactStyle(shortUnit('year'));

function shortUnit(unit: AgeUnit): Intl.NumberFormatOptions {
  return { style: 'unit', unit, unitDisplay: 'narrow' };
}

/** A whole number of a unit: "7d"; empty for none. */
export function wholeUnits(amount: number, unit: AgeUnit, locale: Locale = displayLocale()): string {
  return amount === 0 ? '' : written(amount, SHORT_UNITS[unit], 'negative', locale);
}

/** A time relative to `now` (ms since 1970): "now", "2 minutes ago", "yesterday", "in 3 hours"; "–" if unknown. */
export function relativeTime(at: Date | undefined, now: number, locale: Locale = displayLocale()): string {
  if (!isTime(at)) {
    return UNKNOWN;
  }
  const distance = at.getTime() - now;
  const format = new Intl.RelativeTimeFormat(tagOf(locale), { numeric: 'auto' });
  for (const [unit, length] of [
    ['day', DAY_MS],
    ['hour', HOUR_MS],
    ['minute', MINUTE_MS],
  ] as const) {
    if (Math.abs(distance) >= length) {
      return format.format(Math.trunc(distance / length), unit);
    }
  }
  return format.format(Math.trunc(distance / SECOND_MS), 'second');
}

/** Date and time to the second, by default in the machine's time zone: "Nov 20, 2026, 10:03:12"; "–" if unknown. */
export function exactTime(at: Date | undefined, locale: Locale = displayLocale(), timeZone?: string): string {
  if (!isTime(at)) {
    return UNKNOWN;
  }
  return datesIn(locale, { year: 'numeric', month: 'short', day: 'numeric', ...CLOCK, timeZone }).format(at);
}

/** The time of day to the second: "10:03:12"; "–" if unknown. */
export function timeOfDay(at: Date | undefined, locale: Locale = displayLocale(), timeZone?: string): string {
  if (!isTime(at)) {
    return UNKNOWN;
  }
  return datesIn(locale, { ...CLOCK, timeZone }).format(at);
}

/** Hours and minutes: "12:04"; "–" if unknown. */
export function clockTime(at: Date | undefined, locale: Locale = displayLocale(), timeZone?: string): string {
  return dated(at, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, locale, timeZone);
}

/** A day with its year: "Nov 20, 2026"; "–" if unknown. */
export function calendarDay(at: Date | undefined, locale: Locale = displayLocale(), timeZone?: string): string {
  return dated(at, { year: 'numeric', month: 'short', day: 'numeric' }, locale, timeZone);
}

/** A day without its year: "Nov 20"; "–" if unknown. */
export function monthDay(at: Date | undefined, locale: Locale = displayLocale(), timeZone?: string): string {
  return dated(at, { month: 'short', day: 'numeric' }, locale, timeZone);
}

/** A month: "Nov 2026"; "–" if unknown. */
export function calendarMonth(at: Date | undefined, locale: Locale = displayLocale(), timeZone?: string): string {
  return dated(at, { year: 'numeric', month: 'short' }, locale, timeZone);
}

function dated(at: Date | undefined, parts: Intl.DateTimeFormatOptions, locale: Locale, timeZone: string | undefined): string {
  return isTime(at) ? datesIn(locale, { numberingSystem: 'latn', ...parts, timeZone }).format(at) : UNKNOWN;
}

function isTime(at: Date | undefined): at is Date {
  return at !== undefined && !Number.isNaN(at.getTime());
}
