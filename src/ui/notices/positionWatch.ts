import type { OpenPosition } from '../../service/positions';

/** The notices about positions that the settings select. `undefined`: none of that kind. */
export interface NoticeRules {
  readonly leftRange: boolean;
  readonly enteredRange: boolean;
  /** PnL in percent of the deposits, US dollars. */
  readonly pnlAbovePercent: number | undefined;
  readonly pnlBelowPercent: number | undefined;
  /** Unclaimed fees. */
  readonly feesAboveUsd: number | undefined;
}

/** An event of a position. */
export type PositionNotice = {
  readonly position: OpenPosition;
  /** It has happened after this time: a read then still showed the opposite. Milliseconds since 1970. */
  readonly sinceMs: number;
} & (
  | { readonly kind: 'leftRange' | 'enteredRange'; /** The rules ask for it. */ readonly isWanted: boolean }
  | { readonly kind: 'pnlAbove' | 'pnlBelow'; readonly percent: number; readonly threshold: number }
  | { readonly kind: 'feesAbove'; readonly usd: number; readonly threshold: number }
);

/** Reads in a row that have to agree before a change of the range status counts: prices often cross an edge back and forth. */
const READS_TO_CONFIRM = 2;
/** How far PnL has to come back before its threshold counts again: a tenth of the threshold, at least one percentage point. */
const REARM_SHARE = 0.1;
const REARM_POINTS = 1;
/** Fees count again once they were claimed, or have fallen below this share of the threshold. */
const FEES_REARM_SHARE = 0.5;

/** A threshold that has been passed is not reported again until the figure has come back. */
interface Threshold {
  readonly value: number;
  isPassed: boolean;
  /** When a read last showed that it was not passed; milliseconds since 1970. */
  clearAtMs: number;
}

interface Watched {
  isInRange: boolean | undefined;
  /** When a read last showed `isInRange`; milliseconds since 1970. */
  agreedAtMs: number;
  /** Reads in a row that contradict `isInRange`. */
  contradictions: number;
  above: Threshold | undefined;
  below: Threshold | undefined;
  fees: Threshold | undefined;
}

/**
 * Finds out what is worth a notice. What was so when a position was first seen is no event, and neither is what is true because a threshold
 * was set or moved.
 */
export class PositionWatch {
  readonly #watched = new Map<string, Watched>();

  /** Forgets everything. To be called when the wallet or the service changes. */
  reset(): void {
    this.#watched.clear();
  }

  /**
   * Takes the positions of one read of the service, and returns what has happened since the read before: all changes of the range status,
   * since other windows need to know of them, too, and what else the rules ask for.
   * @param readAtMs milliseconds since 1970
   */
  observe(positions: readonly OpenPosition[], rules: NoticeRules, readAtMs: number): readonly PositionNotice[] {
    const listed = new Set(positions.map(({ key }) => key));
    for (const key of [...this.#watched.keys()].filter((one) => !listed.has(one))) {
      this.#watched.delete(key);
    }
    return positions.flatMap((position) => this.#observeOne(position, rules, readAtMs));
  }

  #observeOne(position: OpenPosition, rules: NoticeRules, readAtMs: number): readonly PositionNotice[] {
    const known = this.#watched.get(position.key);
    const watched: Watched = known ?? {
      isInRange: position.inRange,
      agreedAtMs: readAtMs,
      contradictions: 0,
      ...{ above: undefined, below: undefined, fees: undefined },
    };
    this.#watched.set(position.key, watched);
    return [
      ...rangeNotices(position, watched, rules, readAtMs),
      ...pnlNotices(position, watched, rules, readAtMs),
      ...feeNotices(position, watched, rules.feesAboveUsd, readAtMs),
    ];
  }
}

function rangeNotices(position: OpenPosition, watched: Watched, rules: NoticeRules, readAtMs: number): readonly PositionNotice[] {
  const { inRange } = position;
  if (inRange === undefined) {
    return [];
  }
  if (watched.isInRange === undefined || inRange === watched.isInRange) {
    watched.isInRange = inRange;
    watched.agreedAtMs = readAtMs;
    watched.contradictions = 0;
    return [];
  }
  watched.contradictions += 1;
  if (watched.contradictions < READS_TO_CONFIRM) {
    return [];
  }
  const sinceMs = watched.agreedAtMs;
  watched.isInRange = inRange;
  watched.agreedAtMs = readAtMs;
  watched.contradictions = 0;
  const kind = inRange ? 'enteredRange' : 'leftRange';
  return [{ kind, position, sinceMs, isWanted: rules[kind] }];
}

function pnlNotices(
  position: OpenPosition,
  watched: Watched,
  { pnlAbovePercent, pnlBelowPercent }: NoticeRules,
  readAtMs: number,
): readonly PositionNotice[] {
  const percent = position.pnlPercent.usd;
  if (percent === undefined || !Number.isFinite(percent)) {
    return [];
  }
  const above = passed(watched.above, pnlAbovePercent, readAtMs, {
    isPassed: (threshold) => percent >= threshold,
    isBack: (threshold) => percent < threshold - comeback(threshold),
  });
  const below = passed(watched.below, pnlBelowPercent, readAtMs, {
    isPassed: (threshold) => percent <= threshold,
    isBack: (threshold) => percent > threshold + comeback(threshold),
  });
  [watched.above, watched.below] = [above.state, below.state];
  return [
    ...(above.event === undefined ? [] : [{ kind: 'pnlAbove' as const, position, percent, ...above.event }]),
    ...(below.event === undefined ? [] : [{ kind: 'pnlBelow' as const, position, percent, ...below.event }]),
  ];
}

/** Percentage points that PnL has to come back. */
function comeback(thresholdPercent: number): number {
  return Math.max(REARM_POINTS, Math.abs(thresholdPercent) * REARM_SHARE);
}

function feeNotices(position: OpenPosition, watched: Watched, rule: number | undefined, readAtMs: number): readonly PositionNotice[] {
  const usd = position.uncollectedFee.usd;
  if (usd === undefined || !Number.isFinite(usd)) {
    return [];
  }
  const { state, event } = passed(watched.fees, rule, readAtMs, {
    isPassed: (value) => usd >= value,
    isBack: (value) => usd < value * FEES_REARM_SHARE,
  });
  watched.fees = state;
  return event === undefined ? [] : [{ kind: 'feesAbove', position, usd, ...event }];
}

interface Comparison {
  readonly isPassed: (threshold: number) => boolean;
  readonly isBack: (threshold: number) => boolean;
}

/** @returns the new state, and the threshold if it has just been passed */
function passed(
  before: Threshold | undefined,
  value: number | undefined,
  readAtMs: number,
  { isPassed, isBack }: Comparison,
): { readonly state: Threshold | undefined; readonly event?: { readonly threshold: number; readonly sinceMs: number } } {
  if (value === undefined) {
    return { state: undefined };
  }
  if (before?.value !== value) {
    return { state: { value, isPassed: isPassed(value), clearAtMs: readAtMs } };
  }
  if (before.isPassed) {
    return { state: isBack(value) ? { value, isPassed: false, clearAtMs: readAtMs } : before };
  }
  return isPassed(value)
    ? { state: { ...before, isPassed: true }, event: { threshold: value, sinceMs: before.clearAtMs } }
    : { state: { ...before, clearAtMs: readAtMs } };
}
