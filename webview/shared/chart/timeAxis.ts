import type { FigureTexts } from '../figures';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** From so many days between two marks on, the day of a month says little. */
const MONTHS_FROM_DAYS = 27;

/** So many marks are enough, or one less than there could be: then the coarser ones say more. */
const ENOUGH_MARKS = 4;

/** The words below an axis of time: times of day where marks are hours apart, else days, else months. The nearest two marks decide. @param atMs ascending */
export function timeLabels(atMs: readonly number[], text: Pick<FigureTexts, 'clock' | 'monthDay' | 'month'>): readonly string[] {
  const step = atMs.length > 1 ? Math.min(...atMs.slice(1).map((at, index) => at - (atMs[index] ?? at))) : 0;
  // A day on which the clocks are put forward has an hour less.
  if (atMs.length > 1 && step < DAY_MS - HOUR_MS) {
    // A new day is written as such.
    return atMs.map((at, index) => (index > 0 && dayOf(at) !== dayOf(atMs[index - 1] ?? at) ? text.monthDay(at) : text.clock(at)));
  }
  return atMs.map((at) => (step >= MONTHS_FROM_DAYS * DAY_MS ? text.month(at) : text.monthDay(at)));
}

/**
 * The points that are marked below an axis, ascending, at least this far apart, from the newest on: first points of months where those are enough, else of
 * days, else any.
 * @param times ascending
 * @param leastApart milliseconds
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

/** Leaves out what is too near to the next one that stays. */
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

/** The index that a key leads to from another; `undefined` where the key leads nowhere. @param from absent: nothing was pointed at yet */
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

/** The least and the most of some values, with zero where bars stand on it; `undefined` of none. */
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
