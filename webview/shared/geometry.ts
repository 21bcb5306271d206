/** Where values stand on the screen: pure arithmetic, without a screen. */
export interface Scale {
  /** The place of a value, pixels. Values beyond the ends have places beyond the ends. */
  at(value: number): number;
  /** The value of a place. */
  valueAt(place: number): number;
}

/**
 * A linear scale. Where both ends of the values are the same, all values have the place in the middle.
 * @param values the first and the last value; the first may be the larger one
 * @param places where they stand, pixels
 */
export function linearScale([fromValue, toValue]: readonly [number, number], [fromPlace, toPlace]: readonly [number, number]): Scale {
  const values = toValue - fromValue;
  const places = toPlace - fromPlace;
  return {
    at: (value) => (values === 0 ? fromPlace + places / 2 : fromPlace + ((value - fromValue) / values) * places),
    valueAt: (place) => (places === 0 ? fromValue : fromValue + ((place - fromPlace) / places) * values),
  };
}

/** What quotients and powers may be off by: 0.3 / 0.1 is not quite 3. */
const HAIR = 1e-9;

/**
 * Round values to write on an axis: multiples of 1, 2 or 5 times a power of ten that lie within both ends, ascending.
 * @param most so many at most, at least 1; it may be fewer
 */
export function niceTicks(from: number, to: number, most: number): readonly number[] {
  if (!Number.isFinite(from) || !Number.isFinite(to) || to < from || most < 1) {
    return [];
  }
  if (from === to) {
    return [from];
  }
  const within = (step: number): [number, number] => [Math.ceil(from / step - HAIR), Math.floor(to / step + HAIR)];
  let step = niceStep((to - from) / most);
  let [first, last] = within(step);
  while (last - first + 1 > most) {
    step = niceStep(step * 1.5);
    [first, last] = within(step);
  }
  // From whole numbers, so that sums of steps do not drift: 0.3, not 0.30000000000000004.
  const scale = step < 1 ? Math.round(1 / step) : 0;
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => (scale > 0 ? (first + index) / scale : (first + index) * step));
}

/** The smallest 1, 2 or 5 times a power of ten that is not smaller than this. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5].find((candidate) => candidate * power >= least * (1 - HAIR)) ?? 10;
  return factor * power;
}

/** Keeps a value within both ends. Where they cross, the lower one holds. */
export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

/** The index of the number nearest to this one; `undefined` of none. @param ascending sorted; of two that are as near, the first */
export function nearestIndex(ascending: readonly number[], value: number): number | undefined {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const [before, after] = [ascending[low - 1], ascending[low]];
  if (after === undefined) {
    return undefined;
  }
  return before !== undefined && value - before <= after - value ? low - 1 : low;
}
