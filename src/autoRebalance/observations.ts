import type { OpenPosition } from '../service/positions';
import { gainOf, rangeStandingOf, worthOf } from './plausibility';
import type { AutoRebalanceRules } from './types';

// What earlier checks saw of a position. It is kept in memory alone: "in a row" means without a gap, and after a restart there
// was one.

/** What one check saw; `undefined` where a figure was not plausible. */
export interface Observation {
  readonly atMs: number;
  readonly worthUsd: number | undefined;
  readonly gainPercent: number | undefined;
  /** Whether it counts as a check; a look that followed on another one too soon can only break a row. */
  readonly isCheck: boolean;
}

/** What the checks so far saw of one position. */
export interface ObservationHistory {
  /** In how many checks in a row, up to the last one, it was out of range. */
  readonly outOfRangeChecks: number;
  /** Oldest first. */
  readonly recent: readonly Observation[];
  /** Since when something about it that counts is not plausible, without a break; `undefined`: all is. */
  readonly unclearSinceMs: number | undefined;
  readonly firstMs: number;
}

/** How long a figure has to be seen, from the first time to the last: glitches are known to last a minute (guides/peers-and-wishes.md, c.). */
export const LEAST_OBSERVED_MS = 90_000;
/** How many have to have seen it. */
export const LEAST_OBSERVATIONS = 2;

/** So many sightings are kept at most; with the shortest interval they reach back ten minutes. */
const MOST_KEPT = 40;
/** Checks that lie further apart than so many intervals, or this span if it is longer, are not in a row. */
const GAP_INTERVALS = 3;
const LEAST_GAP_MS = 5 * 60_000;
/** Looks that follow on each other in less than this share of the interval are one check. */
const SAME_CHECK = 0.5;

/** Takes down what a check saw, for each position that is listed. A position that is not listed any more is forgotten. */
export function observe(
  before: ReadonlyMap<string, ObservationHistory>,
  positions: readonly OpenPosition[],
  rules: AutoRebalanceRules,
  nowMs: number,
): ReadonlyMap<string, ObservationHistory> {
  return new Map(positions.map((position) => [position.key, next(before.get(position.key), position, rules, nowMs)]));
}

/** In how many checks, and for how long, a figure was as it is asked for, up to the last sighting and without a break. */
export function observedFor(
  { recent }: ObservationHistory,
  isSo: (sighting: Observation) => boolean,
): { readonly times: number; readonly ms: number } {
  const broken = recent.findLastIndex((sighting) => !isSo(sighting));
  const held = recent.slice(broken + 1);
  const [first, last] = [held[0], held.at(-1)];
  return {
    times: held.filter(({ isCheck }) => isCheck).length,
    ms: first === undefined || last === undefined ? 0 : last.atMs - first.atMs,
  };
}

function next(
  before: ObservationHistory | undefined,
  position: OpenPosition,
  rules: AutoRebalanceRules,
  nowMs: number,
): ObservationHistory {
  const standing = rangeStandingOf(position);
  const worth = worthOf(position);
  const gain = hasLimits(rules) ? gainOf(position, rules.pnlIn) : undefined;
  const figures = {
    worthUsd: worth.isPlausible ? worth.value : undefined,
    gainPercent: gain?.isPlausible === true ? gain.value : undefined,
  };
  const isUnclear = standing.kind === 'unclear' || !worth.isPlausible || gain?.isPlausible === false;
  const isOut = standing.kind === 'out';
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

/** Whether gains and losses matter. */
export function hasLimits({ stopLossPercent, takeProfitPercent }: AutoRebalanceRules): boolean {
  return stopLossPercent !== undefined || takeProfitPercent !== undefined;
}
