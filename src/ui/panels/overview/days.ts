import { isPlausibleAmount } from '../../../portfolio/snapshot';
import type { DateRange, Earned, PeriodView } from '../../../protocol/overview';
import type { Money } from '../../../service/common';
import type { RevenueRow } from '../../../service/service';

/** A time between two moments, both included; absent: open at that end. */
export interface Span {
  readonly from?: Date;
  readonly to?: Date;
}

/** The days of a range (YYYY-MM-DD, both included) in this machine's time zone, from the first moment of the first to the last millisecond of the last. */
export function spanOfDays({ from, to }: DateRange): Span {
  return {
    ...(from === undefined ? {} : { from: midnightBefore(from, 0) }),
    ...(to === undefined ? {} : { to: new Date(midnightBefore(to, 1).getTime() - 1) }),
  };
}

/** Whether the range ends before it begins. Days as text sort as the days do. */
export function isInverted({ from, to }: DateRange): boolean {
  return from !== undefined && to !== undefined && from > to;
}

/** Whether two ranges are the same days. */
export function isSameRange(a: DateRange, b: DateRange): boolean {
  return a.from === b.from && a.to === b.to;
}

/** Where a day begins, or the one so many days later: days with a change of the clocks are longer or shorter than 24 hours. */
function midnightBefore(day: string, daysLater: number): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const midnight = new Date(0);
  // Not by the constructor, which takes the years 0 to 99 for the last century's.
  midnight.setFullYear(year, month - 1, date + daysLater);
  midnight.setHours(0, 0, 0, 0);
  return midnight;
}

/** What revenue is asked for: the two spans that the service cuts itself (published contract), or everything. */
export type RevenueSpan = '7D' | '1M' | 'ALL';

const DAY_MS = 86_400_000;
/** As the service counts its own spans: a quarter of ninety days, a year of 365. */
const DAYS_OF = { '3M': 90, '1Y': 365 } as const;

/** What is read to show a period. */
export function revenueSpanOf(period: PeriodView): RevenueSpan {
  return period === '7D' || period === '1M' ? period : 'ALL';
}

/**
 * What each day of a period earned, ascending, out of what was read for its span. Periods that the service does not cut
 * begin with the whole day (UTC) on which they begin, and what was earned before it does not count in their sums. A figure that is too large
 * to be real is left out, and its day says so; where the service's own sums have it too, the days are summed up instead.
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
    // What was read begins with them.
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

/** Both figures, each where both are known. */
function combined(a: Money, b: Money, join: (a: number, b: number) => number): Money {
  const joined = (left: number | undefined, right: number | undefined) =>
    left === undefined || right === undefined ? undefined : join(left, right);
  return { usd: joined(a.usd, b.usd), native: joined(a.native, b.native) };
}
