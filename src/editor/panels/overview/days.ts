import type { DateRange } from '../../../protocol/overview';

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
