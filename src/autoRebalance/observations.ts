import type { OpenPosition } from '../service/positions';
import { type ChainWorth, chainWorthOf } from './chainProof';
import { checkRange, type PriceEvidence, gainOf, worthOf } from './plausibility';
import type { AutoRebalanceRules } from './types';

// What earlier checks saw of a position. It is kept in memory only: "in a row" means without a gap, and a restart is a gap.

/** What one check saw; a figure is `undefined` if it was not plausible. */
export interface Observation {
  readonly atMs: number;
  readonly worthUsd: number | undefined;
  readonly gainPercent: number | undefined;
  /** `undefined` if the chain was not read. */
  readonly onChain: ChainWorth | undefined;
  /** Whether it counts as a check: an observation too soon after another one can only break a row. */
  readonly isCheck: boolean;
}

/** What the checks so far saw of a position. */
export interface ObservationHistory {
  /** Number of checks in a row, up to the last one, in which it was out of range. */
  readonly outOfRangeChecks: number;
  /** Oldest first. */
  readonly recent: readonly Observation[];
  /** Since when a relevant figure has been implausible without a break; `undefined` if all are plausible. */
  readonly unclearSinceMs: number | undefined;
  readonly firstMs: number;
}

/** Minimum time from the first to the last observation of a figure that the chain proves. */
export const LEAST_OBSERVED_MS = 90_000;
/** Minimum number of checks that must have seen such a figure. */
export const LEAST_OBSERVATIONS = 2;
/**
 * The same for a figure that only the service reports, such as a price in US dollars: a glitch can keep all figures consistent. The price of a
 * longer wait is a later stop-loss in a crash.
 */
export const LEAST_CONFIRMING_MS = 5 * 60_000;
export const LEAST_CONFIRMING_CHECKS = 4;

/** A listed position, and what it is compared with. */
export interface Seen {
  readonly position: OpenPosition;
  readonly evidence: PriceEvidence;
}

/** Observations kept for a position: ten minutes at the shortest check interval. */
const MOST_KEPT = 40;
/** Checks further apart than this many intervals, or than {@link LEAST_GAP_MS} if that is longer, are not in a row. */
const GAP_INTERVALS = 3;
const LEAST_GAP_MS = 5 * 60_000;
/** Observations within this share of the check interval are one check. */
const SAME_CHECK = 0.5;

/** Adds the observations of a check for each listed position. Positions that are no longer listed are forgotten. */
export function observe(
  before: ReadonlyMap<string, ObservationHistory>,
  listed: readonly Seen[],
  rules: AutoRebalanceRules,
  nowMs: number,
): ReadonlyMap<string, ObservationHistory> {
  return new Map(listed.map((seen) => [seen.position.key, next(before.get(seen.position.key), seen, rules, nowMs)]));
}

/** For how many checks, and how long, a condition has held without a break up to the last observation. */
export function observedFor(
  { recent }: ObservationHistory,
  isSo: (observation: Observation) => boolean,
): { readonly times: number; readonly ms: number } {
  const broken = recent.findLastIndex((observation) => !isSo(observation));
  const held = recent.slice(broken + 1);
  const [first, last] = [held[0], held.at(-1)];
  return {
    times: held.filter(({ isCheck }) => isCheck).length,
    ms: first === undefined || last === undefined ? 0 : last.atMs - first.atMs,
  };
}

function next(
  before: ObservationHistory | undefined,
  { position, evidence }: Seen,
  rules: AutoRebalanceRules,
  nowMs: number,
): ObservationHistory {
  const range = checkRange(position, evidence.pool);
  const worth = worthOf(position);
  const gain = hasLimits(rules) ? gainOf(position, rules.pnlIn, evidence) : undefined;
  const figures = {
    worthUsd: worth.isPlausible ? worth.value : undefined,
    gainPercent: gain?.isPlausible === true ? gain.value : undefined,
    onChain: chainWorthOf(position, evidence.pool),
  };
  const isUnclear = range.kind === 'unclear' || !worth.isPlausible || gain?.isPlausible === false;
  const isOut = range.kind === 'out';
  const last = before?.recent.at(-1);
  if (
    before === undefined ||
    last === undefined ||
    nowMs < last.atMs ||
    nowMs - last.atMs > Math.max(GAP_INTERVALS * rules.checkEveryMs, LEAST_GAP_MS)
  ) {
    return {
      outOfRangeChecks: isOut ? 1 : 0,
      recent: [{ ...figures, atMs: nowMs, isCheck: true }],
      unclearSinceMs: isUnclear ? nowMs : undefined,
      firstMs: nowMs,
    };
  }
  const lastCheck = before.recent.findLast(({ isCheck }) => isCheck);
  const isCheck = lastCheck === undefined || nowMs - lastCheck.atMs >= SAME_CHECK * rules.checkEveryMs;
  return {
    outOfRangeChecks: isOut ? before.outOfRangeChecks + (isCheck ? 1 : 0) : 0,
    recent: [...before.recent, { ...figures, atMs: nowMs, isCheck }].slice(-MOST_KEPT),
    unclearSinceMs: isUnclear ? (before.unclearSinceMs ?? nowMs) : undefined,
    firstMs: before.firstMs,
  };
}

/** Whether a stop-loss or take-profit is set. */
export function hasLimits({ stopLossPercent, takeProfitPercent }: AutoRebalanceRules): boolean {
  return stopLossPercent !== undefined || takeProfitPercent !== undefined;
}
