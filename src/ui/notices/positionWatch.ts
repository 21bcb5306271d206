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
  #watched: ReadonlyMap<string, Watched> = new Map();

  /** Forgets everything. To be called when the wallet or the service changes. */
  reset(): void {
    this.#watched = new Map();
  }

  /**
   * Takes the positions of one read of the service, and returns what has happened since the read before: all changes of the range status,
   * since other windows need to know of them, too, and what else the rules ask for.
   * @param readAtMs milliseconds since 1970
   */
  observe(positions: readonly OpenPosition[], rules: NoticeRules, readAtMs: number): readonly PositionNotice[] {
    // There can be thousands of positions at each read, most of them without a notice.
    const notices: PositionNotice[] = [];
    const listed = new Map<string, Watched>();
    for (const position of positions) {
      const watched = this.#watched.get(position.key) ?? unseen(position, readAtMs);
      listed.set(position.key, watched);
      addRangeNotice(notices, position, watched, rules, readAtMs);
      addPnlNotices(notices, position, watched, rules, readAtMs);
      addFeeNotice(notices, position, watched, rules.feesAboveUsd, readAtMs);
    }
    this.#watched = listed;
    return notices;
  }
}

function unseen({ inRange }: OpenPosition, readAtMs: number): Watched {
  return { isInRange: inRange, agreedAtMs: readAtMs, contradictions: 0, above: undefined, below: undefined, fees: undefined };
}

function addRangeNotice(notices: PositionNotice[], position: OpenPosition, watched: Watched, rules: NoticeRules, readAtMs: number): void {
  const { inRange } = position;
  if (inRange === undefined) {
    return;
  }
  if (watched.isInRange !== undefined && inRange !== watched.isInRange) {
    watched.contradictions += 1;
    if (watched.contradictions < READS_TO_CONFIRM) {
      return;
    }
    const kind = inRange ? 'enteredRange' : 'leftRange';
    notices.push({ kind, position, sinceMs: watched.agreedAtMs, isWanted: rules[kind] });
  }
  watched.isInRange = inRange;
  watched.agreedAtMs = readAtMs;
  watched.contradictions = 0;
}

function addPnlNotices(
  notices: PositionNotice[],
  position: OpenPosition,
  watched: Watched,
  { pnlAbovePercent, pnlBelowPercent }: NoticeRules,
  readAtMs: number,
): void {
  const percent = position.pnlPercent.usd;
  if (percent === undefined || !Number.isFinite(percent)) {
    return;
  }
  const above = passed(watched, 'above', pnlAbovePercent, percent, readAtMs);
  if (above !== undefined) {
    notices.push({ kind: 'pnlAbove', position, percent, ...above });
  }
  const below = passed(watched, 'below', pnlBelowPercent, percent, readAtMs);
  if (below !== undefined) {
    notices.push({ kind: 'pnlBelow', position, percent, ...below });
  }
}

function addFeeNotice(
  notices: PositionNotice[],
  position: OpenPosition,
  watched: Watched,
  rule: number | undefined,
  readAtMs: number,
): void {
  const usd = position.uncollectedFee.usd;
  if (usd === undefined || !Number.isFinite(usd)) {
    return;
  }
  const event = passed(watched, 'fees', rule, usd, readAtMs);
  if (event !== undefined) {
    notices.push({ kind: 'feesAbove', position, usd, ...event });
  }
}

type ThresholdName = 'above' | 'below' | 'fees';

/**
 * Updates the state of a threshold.
 * @param rule the threshold that the settings have now
 * @returns the threshold if the figure has just passed it
 */
function passed(
  watched: Watched,
  name: ThresholdName,
  rule: number | undefined,
  figure: number,
  readAtMs: number,
): { readonly threshold: number; readonly sinceMs: number } | undefined {
  if (rule === undefined) {
    watched[name] = undefined;
    return undefined;
  }
  const isPassed = name === 'below' ? figure <= rule : figure >= rule;
  const known = watched[name];
  if (known?.value !== rule) {
    watched[name] = { value: rule, isPassed, clearAtMs: readAtMs };
    return undefined;
  }
  if (known.isPassed) {
    if (isBack(name, rule, figure)) {
      known.isPassed = false;
      known.clearAtMs = readAtMs;
    }
    return undefined;
  }
  if (!isPassed) {
    known.clearAtMs = readAtMs;
    return undefined;
  }
  known.isPassed = true;
  return { threshold: rule, sinceMs: known.clearAtMs };
}

/** Whether a figure has come back so far that its threshold counts again. */
function isBack(name: ThresholdName, threshold: number, figure: number): boolean {
  switch (name) {
    case 'above':
      return figure < threshold - comeback(threshold);
    case 'below':
      return figure > threshold + comeback(threshold);
    case 'fees':
      return figure < threshold * FEES_REARM_SHARE;
  }
}

/** Percentage points that PnL has to come back. */
function comeback(thresholdPercent: number): number {
  return Math.max(REARM_POINTS, Math.abs(thresholdPercent) * REARM_SHARE);
}
