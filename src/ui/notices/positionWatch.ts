import type { OpenPosition } from '../../service/positions';

/** What the user wants to be told about positions. `undefined`: nothing of that kind. */
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
export type PositionNotice =
  | { readonly kind: 'leftRange' | 'enteredRange'; readonly position: OpenPosition }
  | { readonly kind: 'pnlAbove' | 'pnlBelow'; readonly position: OpenPosition; readonly percent: number; readonly threshold: number }
  | { readonly kind: 'feesAbove'; readonly position: OpenPosition; readonly usd: number; readonly threshold: number };

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
}

interface Watched {
  isInRange: boolean | undefined;
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

  /** Takes the positions of one read of the service, and returns what has happened since the read before. */
  observe(positions: readonly OpenPosition[], rules: NoticeRules): readonly PositionNotice[] {
    const listed = new Set(positions.map(({ key }) => key));
    for (const key of [...this.#watched.keys()].filter((one) => !listed.has(one))) {
      this.#watched.delete(key);
    }
    return positions.flatMap((position) => this.#observeOne(position, rules));
  }

  #observeOne(position: OpenPosition, rules: NoticeRules): readonly PositionNotice[] {
    const known = this.#watched.get(position.key);
    const watched: Watched = known ?? {
      isInRange: position.inRange,
      contradictions: 0,
      ...{ above: undefined, below: undefined, fees: undefined },
    };
    this.#watched.set(position.key, watched);
    return [
      ...rangeNotices(position, watched, rules),
      ...pnlNotices(position, watched, rules),
      ...feeNotices(position, watched, rules.feesAboveUsd),
    ];
  }
}

function rangeNotices(position: OpenPosition, watched: Watched, rules: NoticeRules): readonly PositionNotice[] {
  const { inRange } = position;
  if (inRange === undefined) {
    return [];
  }
  if (watched.isInRange === undefined || inRange === watched.isInRange) {
    watched.isInRange = inRange;
    watched.contradictions = 0;
    return [];
  }
  watched.contradictions += 1;
  if (watched.contradictions < READS_TO_CONFIRM) {
    return [];
  }
  watched.isInRange = inRange;
  watched.contradictions = 0;
  const kind = inRange ? 'enteredRange' : 'leftRange';
  return rules[kind] ? [{ kind, position }] : [];
}

function pnlNotices(
  position: OpenPosition,
  watched: Watched,
  { pnlAbovePercent, pnlBelowPercent }: NoticeRules,
): readonly PositionNotice[] {
  const percent = position.pnlPercent.usd;
  if (percent === undefined || !Number.isFinite(percent)) {
    return [];
  }
  const comeback = (threshold: number): number => Math.max(REARM_POINTS, Math.abs(threshold) * REARM_SHARE);
  const above = passed(watched.above, pnlAbovePercent, {
    isPassed: (threshold) => percent >= threshold,
    isBack: (threshold) => percent < threshold - comeback(threshold),
  });
  const below = passed(watched.below, pnlBelowPercent, {
    isPassed: (threshold) => percent <= threshold,
    isBack: (threshold) => percent > threshold + comeback(threshold),
  });
  [watched.above, watched.below] = [above.state, below.state];
  return [
    ...(above.threshold === undefined ? [] : [{ kind: 'pnlAbove' as const, position, percent, threshold: above.threshold }]),
    ...(below.threshold === undefined ? [] : [{ kind: 'pnlBelow' as const, position, percent, threshold: below.threshold }]),
  ];
}

function feeNotices(position: OpenPosition, watched: Watched, rule: number | undefined): readonly PositionNotice[] {
  const usd = position.uncollectedFee.usd;
  if (usd === undefined || !Number.isFinite(usd)) {
    return [];
  }
  const { state, threshold } = passed(watched.fees, rule, {
    isPassed: (value) => usd >= value,
    isBack: (value) => usd < value * FEES_REARM_SHARE,
  });
  watched.fees = state;
  return threshold === undefined ? [] : [{ kind: 'feesAbove', position, usd, threshold }];
}

interface Comparison {
  readonly isPassed: (threshold: number) => boolean;
  readonly isBack: (threshold: number) => boolean;
}

/** @returns the new state, and the threshold if it has just been passed */
function passed(
  before: Threshold | undefined,
  value: number | undefined,
  { isPassed, isBack }: Comparison,
): { readonly state: Threshold | undefined; readonly threshold?: number } {
  if (value === undefined) {
    return { state: undefined };
  }
  if (before?.value !== value) {
    return { state: { value, isPassed: isPassed(value) } };
  }
  if (before.isPassed) {
    return { state: { value, isPassed: !isBack(value) } };
  }
  return isPassed(value) ? { state: { value, isPassed: true }, threshold: value } : { state: before };
}
