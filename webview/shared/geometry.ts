/** Tolerance for rounding errors: 0.3 / 0.1 is not exactly 3. */
const HAIR = 1e-9;

/**
 * Round values for an axis: multiples of 1, 2 or 5 times a power of ten between both ends, ascending.
 * @param most maximum number of values, at least 1
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
  // Divided from whole numbers, so values do not drift: 0.3, not 0.30000000000000004.
  const scale = step < 1 ? Math.round(1 / step) : 0;
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) =>
    scale > 0 ? (first + index) / scale : (first + index) * step,
  );
}

/** The smallest 1, 2 or 5 times a power of ten that is at least this. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5].find((candidate) => candidate * power >= least * (1 - HAIR)) ?? 10;
  return factor * power;
}

/** Limits a value to both ends. If they cross, the lower one wins. */
export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
