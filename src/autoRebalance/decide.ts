import * as l10n from '@vscode/l10n';
import type { OpenPosition } from '../service/positions';
import type { OperationRecord } from '../transactions/journal/types';
import { DAY_MS, halfDoneOn, type History, lineageOf, sentInDay, type SentRebalance, unfinishedOn } from './history';
import { counted, dollars, of, percent, span } from './messages';
import { hasLimits, LEAST_OBSERVATIONS, LEAST_OBSERVED_MS, type Observation, type ObservationHistory, observedFor } from './observations';
import { ageOf, gainOf, type RangeStanding, rangeStandingOf, worthOf } from './plausibility';
import { type AutoRebalanceDecision, type AutoRebalanceRules, checksNeeded } from './types';

/** From what it is decided what is to be done with a position. */
export interface DecisionFacts {
  /** As it was listed last. */
  readonly position: OpenPosition;
  /** What the checks up to the last one saw of it; `undefined`: there was none. */
  readonly sightings: ObservationHistory | undefined;
  readonly history: History;
  readonly rules: AutoRebalanceRules;
  readonly nowMs: number;
}

/** How old a position has to be: in its first two minutes services estimate what it is worth (guides/service-quirks.md, §0.8). */
const LEAST_AGE_MS = 120_000;
/** A glitch that lasts so long is told to the user: it may be real. */
const STRANGE_FOR_MS = 10 * 60_000;

/**
 * What automation is to do with a position now. It acts only on figures that hold together and were seen more than once, never
 * above a limit, never on what the rules leave alone, and never where something on the position has not come to its end. A
 * stop-loss or take-profit goes before a rebalance; it is measured for each position by itself, not for those that it came from,
 * and the cooldown and the limits a day do not hold it up.
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
    return { kind: 'leftAlone', why: l10n.t('The service does not say enough of it to withdraw it.') };
  }
  return rules.poolsLeftAlone.includes(pool) ? { kind: 'leftAlone', why: l10n.t('The rules leave its pool alone.') } : undefined;
}

function unfinished({ position, history }: DecisionFacts): Maybe {
  const open = unfinishedOn(position, history, false);
  if (open !== undefined) {
    return underWay(open);
  }
  const halfDone = halfDoneOn(position, history);
  if (halfDone === undefined) {
    return undefined;
  }
  const what = halfDone.isUnclear
    ? l10n.t('What became of the last zap-out of it is not known: a part of it may have landed.')
    : l10n.t('The last zap-out of it is half done: only a part of it landed.');
  return { kind: 'user', why: l10n.t`${what} Finish it first: Activity offers that.` };
}

function underWay({ created }: OperationRecord): AutoRebalanceDecision {
  const noun = { zapOut: l10n.t('A zap-out of it'), zapIn: l10n.t('A zap-in into its pool'), rebalance: l10n.t('A rebalance of it') }[
    created.operation
  ];
  return { kind: 'wait', why: l10n.t`${noun} has not come to its end yet; Activity shows it.`, untilMs: undefined };
}

/** Stop-loss and take-profit. */
function limits(facts: DecisionFacts): Maybe {
  const { position, sightings, rules, nowMs } = facts;
  if (!hasLimits(rules)) {
    return undefined;
  }
  const young = tooYoung(facts);
  if (young !== undefined) {
    return young;
  }
  const gain = gainOf(position, rules.pnlIn);
  if (!gain.isPlausible) {
    return strange(gain.why, sightings, nowMs);
  }
  const reached = reachedBy(gain.value, rules);
  if (reached === undefined) {
    return undefined;
  }
  const held =
    sightings === undefined
      ? { times: 0, ms: 0 }
      : observedFor(sightings, ({ gainPercent }) => gainPercent !== undefined && reachedBy(gainPercent, rules)?.name === reached.name);
  if (held.times < LEAST_OBSERVATIONS || held.ms < LEAST_OBSERVED_MS) {
    return {
      kind: 'wait',
      why: l10n.t`${reached.why} It is closed once that was seen for ${span(LEAST_OBSERVED_MS)}, in ${counted(LEAST_OBSERVATIONS, 'check')} at least.`,
      untilMs: undefined,
    };
  }
  const worth = worthOf(position);
  if (!worth.isPlausible) {
    return strange(worth.why, sightings, nowMs);
  }
  if (worth.value < rules.leastValueUsd) {
    return {
      kind: 'user',
      why: l10n.t`${reached.why} At ${dollars(worth.value)} it is worth less than the ${dollars(rules.leastValueUsd)} below which the rules leave positions alone, and stays open: close it yourself, if you want that.`,
    };
  }
  return {
    kind: 'act',
    action: 'close',
    why: l10n.t`${reached.why} It is closed and not entered again. It is worth ${dollars(worth.value)}.`,
  };
}

function reachedBy(
  gainPercent: number,
  { stopLossPercent, takeProfitPercent, pnlIn }: AutoRebalanceRules,
): { readonly name: 'loss' | 'profit'; readonly why: string } | undefined {
  const currency = pnlIn === 'usd' ? l10n.t('US dollars') : 'SOL';
  if (stopLossPercent !== undefined && gainPercent <= -stopLossPercent) {
    return { name: 'loss', why: l10n.t`It lost ${percent(-gainPercent)}, in ${currency}: the stop-loss is ${percent(stopLossPercent)}.` };
  }
  if (takeProfitPercent !== undefined && gainPercent >= takeProfitPercent) {
    return {
      name: 'profit',
      why: l10n.t`It gained ${percent(gainPercent)}, in ${currency}: the take-profit is ${percent(takeProfitPercent)}.`,
    };
  }
  return undefined;
}

/** Whether it has left its range, and may be re-centred. */
function range(facts: DecisionFacts): AutoRebalanceDecision {
  const { position, sightings, nowMs } = facts;
  const standing = rangeStandingOf(position);
  switch (standing.kind) {
    case 'none':
      return { kind: 'fine', why: l10n.t('Its pool has no ranges: it cannot leave one.') };
    case 'in':
      return { kind: 'fine', why: l10n.t('It is in range.') };
    case 'unclear':
      return strange(standing.why, sightings, nowMs);
    case 'out':
      return outOfRange(facts, standing);
  }
}

function outOfRange(facts: DecisionFacts, standing: Extract<RangeStanding, { kind: 'out' }>): AutoRebalanceDecision {
  const { position, sightings, rules, history, nowMs } = facts;
  const where = l10n.t`The price is ${counted(standing.bins, 'bin')} ${standing.side} its range.`;
  const worth = worthOf(position);
  if (!worth.isPlausible) {
    return strange(`${where} ${worth.why}`, sightings, nowMs);
  }
  if (worth.value < rules.leastValueUsd || worth.value === 0) {
    return {
      kind: 'leftAlone',
      why:
        worth.value === 0
          ? l10n.t`${where} Nothing is in it.`
          : l10n.t`${where} It is worth ${dollars(worth.value)}: the rules leave alone what is worth less than ${dollars(rules.leastValueUsd)}.`,
    };
  }
  const open = unfinishedOn(position, history, true);
  return (
    (open && underWay(open)) ??
    tooYoung(facts) ??
    notSeenEnough(facts, where) ??
    aboveLimits(facts, where) ?? { kind: 'act', action: 'rebalance', why: reasonToAct(facts, where, worth.value) }
  );
}

function notSeenEnough({ sightings, rules }: DecisionFacts, where: string): Maybe {
  const needed = checksNeeded(rules);
  const seen = sightings?.outOfRangeChecks ?? 0;
  if (seen < needed) {
    const soFar =
      seen === 0
        ? l10n.t`No check has seen it yet: ${counted(needed, 'check')} in a row ${needed === 1 ? 'is' : 'are'} needed.`
        : l10n.t`That was seen in ${of(seen, needed)} checks in a row.`;
    return { kind: 'wait', why: `${where} ${soFar}`, untilMs: undefined };
  }
  const isWorth = ({ worthUsd }: Observation) => worthUsd !== undefined && worthUsd >= rules.leastValueUsd;
  const isSeen = sightings !== undefined && observedFor(sightings, isWorth).times >= LEAST_OBSERVATIONS;
  return isSeen
    ? undefined
    : {
        kind: 'wait',
        why: l10n.t`${where} What it is worth has to be seen in ${counted(LEAST_OBSERVATIONS, 'check')} in a row.`,
        untilMs: undefined,
      };
}

function aboveLimits({ position, rules, history, nowMs }: DecisionFacts, where: string): Maybe {
  const lineage = lineageOf(position, history);
  const readyAtMs = Math.max(...lineage.map(({ lastMs }) => lastMs)) + rules.cooldownMs;
  if (readyAtMs > nowMs) {
    return {
      kind: 'wait',
      why: l10n.t`${where} It was rebalanced recently, and is left alone for ${span(readyAtMs - nowMs)} more.`,
      untilMs: readyAtMs,
    };
  }
  const ofLineage = sentInDay({ sent: lineage }, nowMs);
  return (
    atLimit(
      ofLineage,
      rules.mostPerPositionAndDay,
      nowMs,
      (limit) =>
        l10n.t`${where} It was rebalanced ${counted(ofLineage.length, 'time')} in 24 hours, with the positions that it came from: the rules allow ${limit}.`,
    ) ??
    atLimit(
      sentInDay(history, nowMs),
      rules.mostPerDay,
      nowMs,
      (limit) =>
        l10n.t`${where} There were ${counted(sentInDay(history, nowMs).length, 'rebalance')} of all positions in 24 hours: the rules allow ${limit}.`,
    )
  );
}

function atLimit(sent: readonly SentRebalance[], most: number, nowMs: number, words: (limit: number) => string): Maybe {
  if (most <= 0) {
    return { kind: 'leftAlone', why: words(0) };
  }
  if (sent.length < most) {
    return undefined;
  }
  // When so many of them are a day old that one more is allowed.
  const ofNote = sent.map(({ sentAtMs }) => sentAtMs).sort((a, b) => b - a)[most - 1] ?? nowMs;
  return { kind: 'wait', why: words(most), untilMs: ofNote + DAY_MS };
}

function tooYoung({ position, sightings, nowMs }: DecisionFacts): Maybe {
  // Where the service does not say how old it is, it is as old as it was seen here.
  const toldMs = ageOf(position, nowMs);
  const ageMs = toldMs ?? (sightings === undefined ? 0 : nowMs - sightings.firstMs);
  if (ageMs >= LEAST_AGE_MS) {
    return undefined;
  }
  const since =
    toldMs === undefined
      ? l10n.t('The service does not say how old it is, and it was first seen here less than two minutes ago')
      : l10n.t('It was opened less than two minutes ago');
  return { kind: 'wait', why: l10n.t`${since}: what is reported of it may be an estimate yet.`, untilMs: nowMs + LEAST_AGE_MS - ageMs };
}

/** Figures that do not hold together: nothing is done by them. What stays so is told to the user. */
function strange(why: string, sightings: ObservationHistory | undefined, nowMs: number): AutoRebalanceDecision {
  const sinceMs = sightings?.unclearSinceMs;
  return sinceMs !== undefined && nowMs - sinceMs >= STRANGE_FOR_MS
    ? {
        kind: 'user',
        why: l10n.t`${why} It has been so for ${span(nowMs - sinceMs)}, and auto-rebalance does nothing with it: look at the position yourself.`,
      }
    : { kind: 'wait', why: l10n.t`${why} Nothing is done until its figures hold together.`, untilMs: undefined };
}

function reasonToAct({ position, sightings, rules, history, nowMs }: DecisionFacts, where: string, worthUsd: number): string {
  const inDay = sentInDay({ sent: lineageOf(position, history) }, nowMs).length;
  return l10n.t`${where} That was seen in ${counted(sightings?.outOfRangeChecks ?? 0, 'check')} in a row. It is worth ${dollars(worthUsd)}, and was rebalanced ${of(inDay, rules.mostPerPositionAndDay)} times that the rules allow in 24 hours.`;
}
