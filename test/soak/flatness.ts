/** A figure of a process over the time of a run. */
export interface Series {
  /** Minutes since the begin. */
  readonly minutes: number;
  readonly value: number;
}

/** How a figure may grow. */
export interface GrowthLimit {
  /** In its unit, per minute. */
  readonly mostPerMinute: number;
  /** Growth over the whole judged time that counts as none: steps in which an allocator, a pool of connections or V8's tables grow. */
  readonly least: number;
}

/** What became of a figure after the warm-up. */
export type Growth =
  | { readonly kind: 'tooShort'; readonly samples: number }
  | {
      readonly kind: 'measured';
      /** In the figure's unit. */
      readonly perMinute: number;
      readonly from: number;
      readonly to: number;
      readonly isFlat: boolean;
    };

/** Share of a run in which code is compiled, caches fill and pools reach their size. */
export const WARM_UP_SHARE = 0.3;
/** Fewer samples say nothing about a slope. */
export const LEAST_SAMPLES = 8;
/** The first and the last values are medians of so many. */
const ENDS = 4;

/**
 * The slope of a figure after the warm-up: the median of the slopes between all pairs of samples (Theil and Sen), which a few samples in the
 * middle of an operation do not change. It grows if slope and difference of the ends are both beyond the limit.
 */
export function growthOf(series: readonly Series[], { mostPerMinute, least }: GrowthLimit): Growth {
  const end = series.at(-1)?.minutes ?? 0;
  const judged = series.filter(({ minutes }) => minutes >= end * WARM_UP_SHARE);
  if (judged.length < LEAST_SAMPLES) {
    return { kind: 'tooShort', samples: judged.length };
  }
  const slopes = judged.flatMap((one, index) =>
    judged
      .slice(index + 1)
      .filter(({ minutes }) => minutes > one.minutes)
      .map((other) => (other.value - one.value) / (other.minutes - one.minutes)),
  );
  const perMinute = median(slopes);
  const from = median(judged.slice(0, ENDS).map(({ value }) => value));
  const to = median(judged.slice(-ENDS).map(({ value }) => value));
  return { kind: 'measured', perMinute, from, to, isFlat: perMinute <= mostPerMinute || to - from <= least };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [below = 0, above = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (below + above) / 2;
}
