import { DAY_MS, HOUR_MS } from '../../../src/base/time';
import type { FigureTexts } from '../figures';

/** From this many days between marks on, labels are months instead of days. */
const MONTHS_FROM_DAYS = 27;

/** Coarser marks are preferred if there are at least this many of them, or one fewer than the maximum. */
const ENOUGH_MARKS = 4;

/** Labels of a time axis: times of day if marks are hours apart, else days, else months. The closest two marks decide. @param atMs ascending */
export function timeLabels(atMs: readonly number[], text: Pick<FigureTexts, 'clock' | 'monthDay' | 'month'>): readonly string[] {
  const step = atMs.length > 1 ? Math.min(...atMs.slice(1).map((at, index) => at - (atMs[index] ?? at))) : 0;
  // The day on which clocks go forward is an hour shorter.
  if (atMs.length > 1 && step < DAY_MS - HOUR_MS) {
    // The first mark of a new day shows the date.
    return atMs.map((at, index) => (index > 0 && dayOf(at) !== dayOf(atMs[index - 1] ?? at) ? text.monthDay(at) : text.clock(at)));
  }
  return atMs.map((at) => (step >= MONTHS_FROM_DAYS * DAY_MS ? text.month(at) : text.monthDay(at)));
}

/**
 * The points to mark on an axis, ascending and at least this far apart, chosen from the newest on: first points of months if there are enough,
 * else first points of days, else any.
 * @param times ascending
 * @param leastApart minimum distance, milliseconds
 */
export function timeMarks(times: readonly number[], leastApart: number): readonly number[] {
  const any = apart(times, leastApart);
  const enough = Math.max(Math.min(ENOUGH_MARKS, any.length - 1), 2);
  for (const unit of [monthOf, dayOf]) {
    const marks = apart(
      times.filter((at, index) => unit(at) !== unit(times[index - 1] ?? NaN)),
      leastApart,
    );
    if (marks.length >= enough) {
      return marks;
    }
  }
  return any;
}

/** Steps between calendar marks. */
const DAY_STEPS = [1, 2, 3, 7, 14];
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120];
/** A day on which clocks go forward is an hour shorter. */
const SHORTEST_DAY_MS = 23 * HOUR_MS;
const SHORTEST_MONTH_MS = 28 * DAY_MS;

/**
 * Evenly spaced marks for a continuous line, ascending: local days counted back from the last one, or first days of months, at least this far apart.
 * Independent of where the points are, which may be few. Empty for spans of less than two days.
 * @param fromMs the first point @param toMs the last point @param leastApart minimum distance, milliseconds
 */
export function calendarMarks(fromMs: number, toMs: number, leastApart: number): readonly number[] {
  if (!(toMs - fromMs >= 2 * DAY_MS)) {
    return [];
  }
  const last = new Date(toMs);
  const back = (dateOf: (index: number) => Date): readonly number[] => {
    const marks: number[] = [];
    for (let index = 0; ; index += 1) {
      const at = dateOf(index).getTime();
      if (!(at >= fromMs)) {
        return marks.reverse();
      }
      marks.push(at);
    }
  };
  const days = DAY_STEPS.find((step) => step * SHORTEST_DAY_MS >= leastApart);
  if (days !== undefined) {
    return back((index) => new Date(last.getFullYear(), last.getMonth(), last.getDate() - index * days));
  }
  const months = MONTH_STEPS.find((step) => step * SHORTEST_MONTH_MS >= leastApart) ?? 240;
  return back((index) => new Date(last.getFullYear(), last.getMonth() - index * months, 1));
}

/** Drops marks that are too close to the next one that is kept. */
function apart(ascending: readonly number[], least: number): readonly number[] {
  let next = Infinity;
  return ascending
    .toReversed()
    .filter((at) => {
      const isFar = next - at >= least;
      next = isFar ? at : next;
      return isFar;
    })
    .reverse();
}

function monthOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${date.getMonth()}`;
}

function dayOf(at: number): string {
  return new Date(at).toDateString();
}

/** The index that a key moves to; `undefined` for other keys. @param from `undefined`: nothing was selected yet */
export function indexAfterKey(key: string, from: number | undefined, count: number): number | undefined {
  const last = count - 1;
  const page = Math.max(Math.round(count / 10), 2);
  const moves: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowUp: 1,
    ArrowLeft: -1,
    ArrowDown: -1,
    PageUp: page,
    PageDown: -page,
  };
  if (count === 0) {
    return undefined;
  }
  if (key === 'Home' || key === 'End') {
    return key === 'Home' ? 0 : last;
  }
  const move = moves[key];
  return move === undefined ? undefined : Math.min(Math.max(from === undefined ? last : from + move, 0), last);
}

/** Minimum and maximum of the values, including zero if `withZero`; `undefined` if there are none. */
export function extentOf(values: Iterable<number | undefined>, withZero: boolean): readonly [number, number] | undefined {
  let [least, most] = withZero ? [0, 0] : [Infinity, -Infinity];
  let isAny = false;
  for (const value of values) {
    if (value !== undefined && Number.isFinite(value)) {
      isAny = true;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  }
  return isAny ? [least, most] : undefined;
}
