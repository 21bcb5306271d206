import { DAY_MS } from '../../../base/time';
import { isPlausibleAmount } from '../../../portfolio/snapshot';
import type { DateRange, Earned, PeriodView } from '../../../protocol/overview';
import type { Money } from '../../../service/common';
import type { RevenueRow } from '../../../service/service';

/** A time span, both ends included; a missing end is open. */
export interface Span {
  readonly from?: Date;
  readonly to?: Date;
}

/** The time span of a range of days (YYYY-MM-DD, both included) in the local time zone, to the last millisecond. */
export function spanOfDays({ from, to }: DateRange): Span {
  return {
    ...(from === undefined ? {} : { from: midnightBefore(from, 0) }),
    ...(to === undefined ? {} : { to: new Date(midnightBefore(to, 1).getTime() - 1) }),
  };
}

/** Whether a range ends before it begins. ISO dates sort as text. */
export function isInverted({ from, to }: DateRange): boolean {
  return from !== undefined && to !== undefined && from > to;
}

export function isSameRange(a: DateRange, b: DateRange): boolean {
  return a.from === b.from && a.to === b.to;
}

/** Local midnight at the start of a day, or some days later. Days on which clocks change are not 24 hours long. */
function midnightBefore(day: string, daysLater: number): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const midnight = new Date(0);
  // The Date constructor maps the years 0 to 99 to 1900 to 1999.
  midnight.setFullYear(year, month - 1, date + daysLater);
  midnight.setHours(0, 0, 0, 0);
  return midnight;
}

/** Spans of revenue that are requested: the two that the service supports, or everything. */
export type RevenueSpan = '7D' | '1M' | 'ALL';

/** Lengths in days, as the service counts: a quarter has 90, a year 365. */
const DAYS_OF = { '3M': 90, '1Y': 365 } as const;

/** The span to request for a period. */
export function revenueSpanOf(period: PeriodView): RevenueSpan {
  return period === '7D' || period === '1M' ? period : 'ALL';
}

/**
 * The daily PnL of a period, ascending, from the rows of its span. Periods that the service does not support start at the beginning of a UTC day, and
 * earlier earnings are subtracted from their sums. An implausibly large figure is left out and its day marked; if the service's own sums include it
 * too, the days are summed up instead.
 * @param nowMs milliseconds since 1970
 */
export function earnedIn(rows: readonly RevenueRow[], period: PeriodView, nowMs: number): readonly Earned[] {
  const days = rows
    .flatMap((row) => (row.day === undefined ? [] : [{ ...row, dayMs: row.day.getTime() }]))
    .toSorted((a, b) => a.dayMs - b.dayMs);
  const startMs = beginningOf(period, nowMs);
  const before = plausible(days.findLast(({ dayMs }) => dayMs < startMs)?.cumulativePnl ?? NOTHING);
  let last = NOTHING;
  return days
    .filter(({ dayMs }) => dayMs >= startMs)
    .map(({ dayMs, pnl, cumulativePnl, invested }): Earned => {
      const implausible = inBoth((currency) => pnl[currency] !== undefined && !isPlausibleAmount(pnl[currency], currency));
      const own = plausible(pnl);
      const since = combined(plausible(cumulativePnl), before, (a, b) => a - b);
      const summed = combined(last, { usd: implausible.usd ? 0 : own.usd, native: implausible.native ? 0 : own.native }, (a, b) => a + b);
      last = { usd: since.usd ?? summed.usd, native: since.native ?? summed.native };
      return {
        dayMs,
        pnl: own,
        invested: plausible(invested),
        cumulativePnl: last,
        ...(implausible.usd || implausible.native ? { implausible } : {}),
      };
    });
}

const NOTHING: Money = { usd: 0, native: 0 };

function beginningOf(period: PeriodView, nowMs: number): number {
  switch (period) {
    // The requested span starts with the period.
    case '7D':
    case '1M':
    case 'ALL':
      return Number.NEGATIVE_INFINITY;
    case '3M':
    case '1Y':
      return Math.floor(nowMs / DAY_MS - DAYS_OF[period]) * DAY_MS;
    case 'YTD':
      return Date.UTC(new Date(nowMs).getUTCFullYear(), 0, 1);
  }
}

function plausible(money: Money): Money {
  const of = (currency: keyof Money) =>
    money[currency] !== undefined && isPlausibleAmount(money[currency], currency) ? money[currency] : undefined;
  return { usd: of('usd'), native: of('native') };
}

function inBoth(of: (currency: keyof Money) => boolean): Readonly<Record<keyof Money, boolean>> {
  return { usd: of('usd'), native: of('native') };
}

/** Combines two amounts per currency; `undefined` where one is not known. */
function combined(a: Money, b: Money, join: (a: number, b: number) => number): Money {
  const joined = (left: number | undefined, right: number | undefined) =>
    left === undefined || right === undefined ? undefined : join(left, right);
  return { usd: joined(a.usd, b.usd), native: joined(a.native, b.native) };
}
