import * as l10n from '@vscode/l10n';
import { DAY_MS } from '../base/time';
import { span } from './cooldowns';
import { actionsOf, partialExecutionOn, type WalletHistory, lineageOf, sentInDay, type SentRebalance, unfinishedOn } from './history';
import { usdToTheCent } from '../base/format/money';
import { counted } from '../base/format/counted';
import { count } from '../base/format/numbers';
import { percent } from '../base/format/percent';
import { chainWorthOf, isExplainedByChain, isListedAsOnChain, provenCurrency } from './chainProof';
import { isSettled, type LedgerEntry } from './ledger';
import {
  hasLimits,
  LEAST_CONFIRMING_CHECKS,
  LEAST_CONFIRMING_MS,
  LEAST_OBSERVATIONS,
  LEAST_OBSERVED_MS,
  type Observation,
  type ObservationHistory,
  observedFor,
  type Seen,
} from './observations';
import { ageOf, checkRange, gainOf, type RangeCheck, worthOf } from './plausibility';
import { type AutoRebalanceDecision, type AutoRebalanceRules, checksNeeded } from './types';

/** The input of {@link decide}. */
export interface DecisionFacts extends Seen {
  /** What earlier checks saw of the position; `undefined` before the first check. */
  readonly observations: ObservationHistory | undefined;
  /** What earlier checks saw of its deposit. */
  readonly ledger: LedgerEntry | undefined;
  readonly history: WalletHistory;
  readonly rules: AutoRebalanceRules;
  readonly nowMs: number;
}

/** Minimum age of a position: in the first two minutes the service only estimates its value. */
const LEAST_AGE_MS = 120_000;
/** Inconsistent figures that last this long are reported to the user: they may be real. */
const INCONSISTENT_FOR_MS = 10 * 60_000;

/**
 * Decides what auto-rebalance does with a position now. It acts only on consistent figures that more than one check has seen, within
 * the limits of the rules, and never on an excluded pool or while an operation on the position is unfinished.
 *
 * Stop-loss and take-profit come before a rebalance. They use the PnL of this position alone (not of its predecessors), and neither
 * the cooldown nor the daily limits of rebalances delay them; limits.ts makes them questions beyond their own.
 */
export function decide(facts: DecisionFacts): AutoRebalanceDecision {
  return leftAlone(facts) ?? unfinished(facts) ?? limits(facts) ?? range(facts);
}

type Maybe = AutoRebalanceDecision | undefined;

function leftAlone({ position, rules, history }: DecisionFacts): Maybe {
  const { pool, owner, address, id, poolType } = position;
  if (owner !== undefined && owner !== history.owner) {
    return { kind: 'leftAlone', why: l10n.t('It belongs to another wallet.') };
  }
  if (pool === undefined || address === undefined || id === undefined || poolType === 'other') {
    return { kind: 'leftAlone', why: l10n.t('The service does not report enough about it to close it.') };
  }
  return rules.poolsLeftAlone.includes(pool) ? { kind: 'leftAlone', why: l10n.t('Your rules exclude its pool.') } : undefined;
}

function unfinished({ position, history }: DecisionFacts): Maybe {
  const open = unfinishedOn(position, history, false);
  if (open !== undefined) {
    return underWay();
  }
  const incomplete = partialExecutionOn(position, history);
  if (incomplete === undefined) {
    return undefined;
  }
  return { kind: 'user', why: l10n.t('Its last zap-out may have landed in part. Complete it in Activity first.') };
}

function underWay(): AutoRebalanceDecision {
  return { kind: 'wait', why: l10n.t('Another operation is in progress. Wait until it ends.'), untilMs: undefined };
}

/** Stop-loss and take-profit. */
function limits(facts: DecisionFacts): Maybe {
  const { position, evidence, observations, rules, nowMs } = facts;
  if (!hasLimits(rules)) {
    return undefined;
  }
  const young = tooYoung(facts);
  if (young !== undefined) {
    return young;
  }
  const gain = gainOf(position, rules.pnlIn, evidence);
  if (!gain.isPlausible) {
    return inconsistent(gain.why, observations, nowMs);
  }
  const reached = reachedBy(gain.value, rules);
  if (reached === undefined) {
    return undefined;
  }
  if (!isConfirmed(facts, reached.name)) {
    return {
      kind: 'wait',
      why: `${reached.why} ${l10n.t`It will be closed once ${LEAST_CONFIRMING_CHECKS} checks over ${span(LEAST_CONFIRMING_MS)} confirm it (${LEAST_OBSERVATIONS} over ${span(LEAST_OBSERVED_MS)} if the chain proves the loss).`}`,
      untilMs: undefined,
    };
  }
  const worth = worthOf(position);
  if (!worth.isPlausible) {
    return inconsistent(worth.why, observations, nowMs);
  }
  if (worth.value < rules.leastValueUsd) {
    return {
      kind: 'user',
      why: `${reached.why} ${l10n.t`Its value of ${usdToTheCent(worth.value)} is below the ${usdToTheCent(rules.leastValueUsd)} minimum of your rules.`}`,
    };
  }
  return { kind: 'act', action: 'close', why: `${reached.why} ${l10n.t`Its value is ${usdToTheCent(worth.value)}.`}` };
}

/** Whether enough checks have seen that a limit is reached: fewer where the chain proves a loss. */
function isConfirmed(facts: DecisionFacts, limit: 'loss' | 'profit'): boolean {
  const { observations, rules } = facts;
  if (observations === undefined) {
    return false;
  }
  const isReached = ({ gainPercent }: Observation): boolean => gainPercent !== undefined && reachedBy(gainPercent, rules)?.name === limit;
  const held = observedFor(observations, isReached);
  const isHeldFor = (checks: number, ms: number): boolean => held.times >= checks && held.ms >= ms;
  return (
    isHeldFor(LEAST_CONFIRMING_CHECKS, LEAST_CONFIRMING_MS) ||
    (limit === 'loss' &&
      isHeldFor(LEAST_OBSERVATIONS, LEAST_OBSERVED_MS) &&
      isLossProven(facts) &&
      isExplainedByChain(observations.recent, isReached))
  );
}

/** Whether the position also reaches the stop-loss in the currency that its pool proves, and its deposit is known well enough. */
function isLossProven({ position, evidence, rules, ledger }: DecisionFacts): boolean {
  const currency = provenCurrency(position);
  const onChain = chainWorthOf(position, evidence.pool);
  if (currency === undefined || onChain === undefined || ledger === undefined || !isSettled(ledger)) {
    return false;
  }
  const gain = gainOf(position, currency, evidence);
  return gain.isPlausible && reachedBy(gain.value, rules)?.name === 'loss' && isListedAsOnChain(position, currency, onChain);
}

function reachedBy(
  gainPercent: number,
  { stopLossPercent, takeProfitPercent, pnlIn }: AutoRebalanceRules,
): { readonly name: 'loss' | 'profit'; readonly why: string } | undefined {
  const currency = pnlIn === 'usd' ? l10n.t('US dollars') : 'SOL';
  if (stopLossPercent !== undefined && gainPercent <= -stopLossPercent) {
    return { name: 'loss', why: l10n.t`It is down ${percent(-gainPercent)} in ${currency} (stop-loss: ${percent(stopLossPercent)}).` };
  }
  if (takeProfitPercent !== undefined && gainPercent >= takeProfitPercent) {
    return { name: 'profit', why: l10n.t`It is up ${percent(gainPercent)} in ${currency} (take-profit: ${percent(takeProfitPercent)}).` };
  }
  return undefined;
}

/** A rebalance, where the price has left the range and nothing speaks against it. */
function range(facts: DecisionFacts): AutoRebalanceDecision {
  const { position, evidence, observations, nowMs } = facts;
  const range = checkRange(position, evidence.pool);
  switch (range.kind) {
    case 'none':
      return { kind: 'fine', why: l10n.t('DAMM v2 positions have no range to leave.') };
    case 'in':
      return { kind: 'fine', why: l10n.t('It is in range and earns fees.') };
    case 'unclear':
      return inconsistent(range.why, observations, nowMs);
    case 'out':
      return outOfRange(facts, range);
  }
}

function outOfRange(facts: DecisionFacts, range: Extract<RangeCheck, { kind: 'out' }>): AutoRebalanceDecision {
  const { position, observations, rules, history, nowMs } = facts;
  const where = distanceText(range.side, range.bins);
  const worth = worthOf(position);
  if (!worth.isPlausible) {
    return inconsistent(worth.why, observations, nowMs);
  }
  if (worth.value < rules.leastValueUsd || worth.value === 0) {
    return {
      kind: 'leftAlone',
      why:
        worth.value === 0
          ? `${where} ${l10n.t`The position is empty.`}`
          : `${where} ${l10n.t`Its value of ${usdToTheCent(worth.value)} is below the ${usdToTheCent(rules.leastValueUsd)} minimum of your rules.`}`,
    };
  }
  const open = unfinishedOn(position, history, true);
  return (
    (open && underWay()) ??
    tooYoung(facts) ??
    needsMoreChecks(facts, where) ??
    aboveLimits(facts, where) ?? { kind: 'act', action: 'rebalance', why: reasonToAct(facts, where, worth.value) }
  );
}

function needsMoreChecks({ observations, rules }: DecisionFacts, where: string): Maybe {
  const needed = checksNeeded(rules);
  const seen = observations?.outOfRangeChecks ?? 0;
  if (seen < needed) {
    return {
      kind: 'wait',
      why: `${where} ${l10n.t`Out of range in ${count(seen)} of ${count(needed)} checks in a row.`}`,
      untilMs: undefined,
    };
  }
  const isWorth = ({ worthUsd }: Observation) => worthUsd !== undefined && worthUsd >= rules.leastValueUsd;
  const isSeen = observations !== undefined && observedFor(observations, isWorth).times >= LEAST_OBSERVATIONS;
  return isSeen
    ? undefined
    : {
        kind: 'wait',
        why: `${where} ${l10n.t`Its value must reach the minimum of your rules in ${LEAST_OBSERVATIONS} checks in a row.`}`,
        untilMs: undefined,
      };
}

function aboveLimits({ position, rules, history, nowMs }: DecisionFacts, where: string): Maybe {
  const lineage = lineageOf(position, history);
  const readyAtMs = Math.max(...lineage.map(({ lastMs }) => lastMs)) + rules.cooldownMs;
  if (readyAtMs > nowMs) {
    return { kind: 'wait', why: `${where} ${l10n.t`Cooldown: ${span(readyAtMs - nowMs)}.`}`, untilMs: readyAtMs };
  }
  const ofLineage = sentInDay({ sent: lineage }, nowMs);
  const ofAll = sentInDay({ sent: actionsOf(history) }, nowMs);
  const { mostPerPositionAndDay, mostPerDay } = rules;
  const noneAllowed: AutoRebalanceDecision = { kind: 'leftAlone', why: `${where} ${l10n.t`Your rules allow no rebalances.`}` };
  if (mostPerPositionAndDay <= 0) {
    return noneAllowed;
  }
  if (ofLineage.length >= mostPerPositionAndDay) {
    return {
      kind: 'wait',
      why: `${where} ${l10n.t`Rebalances of this position in 24 hours: ${count(ofLineage.length)} (limit: ${count(mostPerPositionAndDay)}).`}`,
      untilMs: nextAllowedMs(ofLineage, mostPerPositionAndDay, nowMs),
    };
  }
  if (mostPerDay <= 0) {
    return noneAllowed;
  }
  return ofAll.length >= mostPerDay
    ? {
        kind: 'wait',
        why: `${where} ${l10n.t`Rebalances and closings in 24 hours: ${count(ofAll.length)} (limit: ${count(mostPerDay)}).`}`,
        untilMs: nextAllowedMs(ofAll, mostPerDay, nowMs),
      }
    : undefined;
}

/** When enough of these rebalances are a day old that the limit allows one more; milliseconds since 1970. */
function nextAllowedMs(sent: readonly SentRebalance[], most: number, nowMs: number): number {
  return (sent.map(({ sentAtMs }) => sentAtMs).sort((a, b) => b - a)[most - 1] ?? nowMs) + DAY_MS;
}

function tooYoung({ position, observations, nowMs }: DecisionFacts): Maybe {
  // Without a reported age, it counts from when this window first saw the position.
  const reportedMs = ageOf(position, nowMs);
  const ageMs = reportedMs ?? (observations === undefined ? 0 : nowMs - observations.firstMs);
  if (ageMs >= LEAST_AGE_MS) {
    return undefined;
  }
  return { kind: 'wait', why: l10n.t('It is new: its figures may still be estimates.'), untilMs: nowMs + LEAST_AGE_MS - ageMs };
}

/** Nothing is done while figures are inconsistent. If that lasts, the position is left to the user. */
function inconsistent(why: string, observations: ObservationHistory | undefined, nowMs: number): AutoRebalanceDecision {
  const sinceMs = observations?.unclearSinceMs;
  return sinceMs !== undefined && nowMs - sinceMs >= INCONSISTENT_FOR_MS
    ? { kind: 'user', why: `${why} ${l10n.t`Auto-rebalance has left it alone for ${span(nowMs - sinceMs)}: check the position yourself.`}` }
    : { kind: 'wait', why: `${why} ${l10n.t`Waiting for consistent figures.`}`, untilMs: undefined };
}

function reasonToAct({ position, observations, rules, history, nowMs }: DecisionFacts, where: string, worthUsd: number): string {
  const inDay = sentInDay({ sent: lineageOf(position, history) }, nowMs).length;
  const [seen, needed] = [count(observations?.outOfRangeChecks ?? 0), count(checksNeeded(rules))];
  return [
    where,
    l10n.t`Out of range in ${seen} of ${needed} checks in a row.`,
    l10n.t`Its value is ${usdToTheCent(worthUsd)}.`,
    l10n.t`Rebalances of this position in 24 hours: ${count(inDay)} (limit: ${count(rules.mostPerPositionAndDay)}).`,
  ].join(' ');
}

/** How far the price is from a range: "The price is 5 bins above its range." */
function distanceText(side: 'above' | 'below', bins: number): string {
  const distance = counted(bins, 'bin');
  return side === 'above' ? l10n.t`The price is ${distance} above its range.` : l10n.t`The price is ${distance} below its range.`;
}
