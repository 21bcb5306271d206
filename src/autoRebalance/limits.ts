import * as l10n from '@vscode/l10n';
import { count } from '../base/format/numbers';
import { lamportsToSol } from '../base/solana/amounts';
import { LAMPORTS_PER_SOL } from '../base/solana/programs';
import type { OpenPosition } from '../service/positions';
import { worthSol } from '../transactions/rebalance/market';
import { isOpening } from '../transactions/operations';
import { automatedCostLamports, lineOf, openingOf, sentInDay, type WalletHistory } from './history';
import type { AutoRebalanceAction, AutoRebalanceRules, ConfirmedWorth, PlannedPosition } from './types';

// What auto-rebalance may do without asking, whatever the rules say about a single position: how much a re-entry deposits, what operations
// cost in a day, and how many positions are closed. Anything beyond is a question, since a wrong figure or a hostile service can make the
// rules fit any number of positions.

/** A re-entry deposits at most this much more than the position was worth when the rules were confirmed, percent. */
export const REENTRY_ROOM_PERCENT = 10;
/** More closings than these in one check are questions: many positions at once are more likely a wrong price than as many losses. */
export const MOST_CLOSINGS_AT_ONCE = 2;

/** The most positions that a consent names, those of the greatest worth. */
const MOST_WORTHS = 1_000;
const PERCENT = 100;
/** Parts of a percent that a cost limit may have. */
const PERCENT_SCALE = 1_000;

/** What the positions under the rules are worth now, with fees; one without figures is left out, and each rebalance of it is a question. */
export function worthsOf(positions: readonly OpenPosition[], { poolsLeftAlone }: AutoRebalanceRules): readonly ConfirmedWorth[] {
  const worths = positions.flatMap((position) => {
    const { address, pool, poolType } = position;
    const sol = worthSol(position);
    return address === undefined || pool === undefined || poolsLeftAlone.includes(pool) || poolType === 'other' || sol === undefined
      ? []
      : [{ position: address, lamports: BigInt(Math.round(sol * Number(LAMPORTS_PER_SOL))) }];
  });
  return worths.sort((one, other) => (one.lamports < other.lamports ? 1 : -1)).slice(0, MOST_WORTHS);
}

/** The most that operations of auto-rebalance may cost in 24 hours without a question, lamports. */
export function mostCostLamports(worths: readonly ConfirmedWorth[], { mostCostPercentPerDay }: AutoRebalanceRules): bigint {
  const all = worths.reduce((sum, { lamports }) => sum + lamports, 0n);
  return (all * BigInt(Math.round(mostCostPercentPerDay * PERCENT_SCALE))) / BigInt(PERCENT * PERCENT_SCALE);
}

/**
 * The most that a re-entry of a position may deposit without a question, lamports: by what it, or the position that it came from, was worth
 * when the rules were confirmed; of a position that the user opened with Binsight since then, by what went in. `undefined`: not known.
 */
export function mostReentryLamports(position: OpenPosition, worths: readonly ConfirmedWorth[], history: WalletHistory): bigint | undefined {
  const line = lineOf(position, history);
  const known = worths.filter((worth) => line.has(worth.position)).map(({ lamports }) => lamports);
  const opened = [...line].flatMap((address) => byHand(openingOf({ ...position, address }, history)));
  const [first, ...others] = known.length > 0 ? known : opened;
  return first === undefined
    ? undefined
    : (others.reduce((least, next) => (next < least ? next : least), first) * BigInt(PERCENT + REENTRY_ROOM_PERCENT)) / BigInt(PERCENT);
}

/** What the user deposited with a zap-in of their own. */
function byHand(opening: ReturnType<typeof openingOf>): readonly bigint[] {
  const plan = opening?.created.plan;
  return opening?.created.parent === undefined && plan !== undefined && isOpening(plan) && plan.inputLamports > 0n
    ? [plan.inputLamports]
    : [];
}

/** Adds to each action what limits it, and why it is a question. @param worths as confirmed */
export function withLimits(
  planned: readonly PlannedPosition[],
  history: WalletHistory,
  rules: AutoRebalanceRules,
  worths: readonly ConfirmedWorth[],
  nowMs: number,
): readonly PlannedPosition[] {
  const due = planned.filter(({ decision }) => decision.kind === 'act' && decision.action === 'close').length;
  const cost = costReason(history, rules, worths, nowMs);
  const closing = due > MOST_CLOSINGS_AT_ONCE ? atOnceText(due) : closingsReason(history, rules, nowMs);
  return planned.map(({ position, decision }) => {
    if (decision.kind !== 'act') {
      return { position, decision };
    }
    const most = decision.action === 'rebalance' ? mostReentryLamports(position, worths, history) : undefined;
    const reasons = [decision.action === 'rebalance' ? reentryReason(position, most) : closing, cost].filter((why) => why !== undefined);
    return { position, decision: { ...decision, mostReentryLamports: most, asks: reasons.length === 0 ? undefined : reasons.join(' ') } };
  });
}

/** Keeps asking about an action once it was a question, until its position is fine again: the user may have been asked a minute ago. */
export class AskedActions {
  readonly #asked = new Map<string, string>();

  applied(planned: readonly PlannedPosition[]): readonly PlannedPosition[] {
    return planned.map(({ position, decision }) => {
      const nameOf = (action: AutoRebalanceAction): string => `${action} ${position.key}`;
      if (decision.kind === 'fine') {
        this.#asked.delete(nameOf('rebalance'));
        this.#asked.delete(nameOf('close'));
      }
      if (decision.kind !== 'act') {
        return { position, decision };
      }
      const name = nameOf(decision.action);
      const asks = decision.asks ?? this.#asked.get(name);
      if (asks !== undefined) {
        this.#asked.set(name, asks);
      }
      return { position, decision: { ...decision, asks } };
    });
  }
}

function reentryReason(position: OpenPosition, most: bigint | undefined): string | undefined {
  if (most === undefined) {
    return l10n.t('The value of this position was not known when you confirmed the rules.');
  }
  const sol = worthSol(position);
  return sol === undefined || BigInt(Math.round(sol * Number(LAMPORTS_PER_SOL))) > most
    ? l10n.t`A re-entry may deposit at most ${lamportsToSol(most)} SOL, and it is worth ${sol === undefined ? '?' : sol.toFixed(4)} SOL.`
    : undefined;
}

function costReason(
  history: WalletHistory,
  rules: AutoRebalanceRules,
  worths: readonly ConfirmedWorth[],
  nowMs: number,
): string | undefined {
  const [spent, most] = [automatedCostLamports(history, nowMs), mostCostLamports(worths, rules)];
  return spent >= most ? l10n.t`Costs in 24 hours: ${lamportsToSol(spent)} SOL (limit: ${lamportsToSol(most)} SOL).` : undefined;
}

function closingsReason({ closed }: WalletHistory, { mostClosingsPerDay }: AutoRebalanceRules, nowMs: number): string | undefined {
  const closings = sentInDay({ sent: closed }, nowMs).length;
  return closings >= mostClosingsPerDay
    ? l10n.t`Closings in 24 hours: ${count(closings)} (limit: ${count(mostClosingsPerDay)}).`
    : undefined;
}

function atOnceText(due: number): string {
  return l10n.t`Closings at once: ${count(due)} (limit: ${count(MOST_CLOSINGS_AT_ONCE)}).`;
}
