import type { FigureTexts } from '../figures';

const DAY_MS = 86_400_000;
/** From so many days between two marks on, the day of a month says little. */
const MONTHS_FROM_DAYS = 27;

/** The words below an axis of time: times of day where the marks are hours apart, else days, else months. @param atMs ascending */
export function timeLabels(atMs: readonly number[], text: Pick<FigureTexts, 'clock' | 'monthDay' | 'month'>): readonly string[] {
  const step = (atMs[1] ?? 0) - (atMs[0] ?? 0);
  if (atMs.length > 1 && step < DAY_MS) {
    // A new day is written as such.
    return atMs.map((at, index) => (index > 0 && new Date(at).getDate() !== new Date(atMs[index - 1] ?? at).getDate() ? text.monthDay(at) : text.clock(at)));
  }
  return atMs.map((at) => (step >= MONTHS_FROM_DAYS * DAY_MS ? text.month(at) : text.monthDay(at)));
}

/** The index that a key leads to from another; `undefined` where the key leads nowhere. @param from absent: nothing was pointed at yet */
export function indexAfterKey(key: string, from: number | undefined, count: number): number | undefined {
  const last = count - 1;
  const page = Math.max(Math.round(count / 10), 2);
  const moves: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: page, PageDown: -page };
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
