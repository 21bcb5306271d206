import * as l10n from '@vscode/l10n';
import { counted } from '../base/format/counted';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../base/time';
import type { ActionOutcome, AutoRebalanceAction, AutoRebalanceDecision } from './types';

// Keeps auto-rebalance from repeating what has just failed or was declined: failures back off, and decisions of the user are waited for.

/** Upper bound of the back-off after failures, of one position and of the checks. */
export const LONGEST_COOLDOWN_MS = HOUR_MS;
const SHORTEST_REST_MS = 60_000;
/** Minimum time before the user is asked again after a "Not Now". */
const LEAST_REFUSAL_MS = 15 * 60_000;
/** After this many failed actions in a row, of any positions, all rebalances pause: they may have one cause. */
const TROUBLES_TO_REST = 3;
const FIRST_COMMON_REST_MS = 5 * 60_000;

/** Times in milliseconds since 1970. A clock that is set back ends the pause: it would otherwise last until the clock catches up. */
interface Pause {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Why an action on a position does not start. */
type Hold =
  | { readonly kind: 'user'; readonly words: string }
  | { readonly kind: 'refused'; /** `undefined`: until auto-rebalance is started again. */ readonly pause: Pause | undefined }
  | { readonly kind: 'failed'; readonly times: number; readonly pause: Pause; readonly words: string };

/** A message for the user after an action; `undefined` if there is none, or the user already knows. */
export type HoldNotice = string | undefined;

/** Back-off in milliseconds after `failures` in a row: doubles from `firstMs` up to an hour (or `firstMs`, if that is longer). */
export function cooldownAfter(failures: number, firstMs: number): number {
  return Math.max(firstMs, Math.min(firstMs * 2 ** Math.max(0, failures - 1), LONGEST_COOLDOWN_MS));
}

/** Cooldowns by position and action: a user who declines to rebalance a position may still want its stop-loss. */
export class Cooldowns {
  readonly #holds = new Map<string, Hold>();
  /** Failures reported since the last success: many positions may fail for one reason. */
  readonly #reported = new Set<string>();
  #troubles = 0;
  /** Of all rebalances. */
  #commonPause: Pause | undefined;

  /** Turns a decision to act into one to wait, where an earlier attempt failed, was declined or needs the user. */
  applied(decision: AutoRebalanceDecision, key: string, nowMs: number): AutoRebalanceDecision {
    if (decision.kind !== 'act') {
      return decision;
    }
    const { action, why } = decision;
    const hold = this.#holds.get(nameOf(key, action));
    switch (hold?.kind) {
      case 'user':
        return { kind: 'user', why: `${why} ${hold.words}` };
      case 'refused':
        if (hold.pause === undefined) {
          return { kind: 'leftAlone', why: `${why} ${l10n.t('You declined: it is left alone until you start auto-rebalance again.')}` };
        }
        if (isPaused(hold.pause, nowMs)) {
          const { untilMs } = hold.pause;
          return { kind: 'wait', why: `${why} ${l10n.t`You declined: it asks again in ${span(untilMs - nowMs)}.`}`, untilMs };
        }
        break;
      case 'failed':
        if (isPaused(hold.pause, nowMs)) {
          const { untilMs } = hold.pause;
          return {
            kind: 'wait',
            why: `${why} ${l10n.t`The last attempt failed. ${hold.words} Next attempt in ${span(untilMs - nowMs)}.`}`,
            untilMs,
          };
        }
        break;
      case undefined:
        break;
    }
    const common = this.#commonPause;
    return action === 'rebalance' && common !== undefined && isPaused(common, nowMs)
      ? { kind: 'wait', why: `${why} ${restText(this.#troubles, common.untilMs - nowMs)}`, untilMs: common.untilMs }
      : decision;
  }

  /**
   * Records how an action ended.
   * @param pair the position's name for the message
   * @param cooldownMs of the rules: how long a "Not Now" holds at least
   */
  ended(key: string, action: AutoRebalanceAction, outcome: ActionOutcome, pair: string, cooldownMs: number, nowMs: number): HoldNotice {
    const name = nameOf(key, action);
    switch (outcome.kind) {
      case 'done':
        this.#holds.delete(name);
        this.#reported.clear();
        this.#troubles = 0;
        return undefined;
      case 'notNow':
        return undefined;
      case 'needsUser':
        this.#holds.set(name, { kind: 'user', words: outcome.words });
        return this.#trouble(nowMs);
      case 'refused':
        this.#holds.set(name, {
          kind: 'refused',
          pause: outcome.leaveAlone ? undefined : pauseFrom(nowMs, Math.max(cooldownMs, LEAST_REFUSAL_MS)),
        });
        return undefined;
      case 'failed': {
        const before = this.#holds.get(name);
        const times = before?.kind === 'failed' ? before.times + 1 : 1;
        const restMs = cooldownAfter(times, SHORTEST_REST_MS);
        this.#holds.set(name, { kind: 'failed', times, pause: pauseFrom(nowMs, restMs), words: outcome.words });
        const common = this.#trouble(nowMs);
        const isNews = times === 1 && !this.#reported.has(outcome.words);
        this.#reported.add(outcome.words);
        const own = isNews ? failureText(action, pair, outcome.words, restMs) : undefined;
        return [own, common].filter((words) => words !== undefined).join(' ') || undefined;
      }
    }
  }

  /** Ends the cooldowns of a position that is fine again. What the user declined stays declined. */
  settled(key: string): void {
    for (const action of ACTIONS) {
      const name = nameOf(key, action);
      if (this.#holds.get(name)?.kind !== 'refused') {
        this.#holds.delete(name);
      }
    }
  }

  /** The user is back: what waited for them may be tried again. */
  userIsBack(): void {
    for (const [name, { kind }] of [...this.#holds]) {
      if (kind === 'user') {
        this.#holds.delete(name);
      }
    }
    this.#troubles = 0;
    this.#commonPause = undefined;
  }

  #trouble(nowMs: number): HoldNotice {
    this.#troubles += 1;
    if (this.#troubles < TROUBLES_TO_REST) {
      return undefined;
    }
    const restMs = cooldownAfter(this.#troubles - TROUBLES_TO_REST + 1, FIRST_COMMON_REST_MS);
    this.#commonPause = pauseFrom(nowMs, restMs);
    return this.#troubles === TROUBLES_TO_REST
      ? l10n.t`Auto-rebalance: ${restText(TROUBLES_TO_REST, restMs)} Activity shows whether anything was sent.`
      : undefined;
  }
}

function pauseFrom(nowMs: number, ms: number): Pause {
  return { fromMs: nowMs, untilMs: nowMs + ms };
}

function isPaused({ fromMs, untilMs }: Pause, nowMs: number): boolean {
  return nowMs >= fromMs && nowMs < untilMs;
}

const ACTIONS: readonly AutoRebalanceAction[] = ['rebalance', 'close'];

/** What an action did not achieve, as a sentence. */
export function failedText(action: AutoRebalanceAction, pair: string): string {
  return action === 'rebalance' ? l10n.t`Auto-rebalance could not rebalance ${pair}.` : l10n.t`Auto-rebalance could not close ${pair}.`;
}

function failureText(action: AutoRebalanceAction, pair: string, words: string, restMs: number): string {
  return `${failedText(action, pair)} ${words} ${l10n.t`Next attempt in ${span(restMs)}, without further messages.`}`;
}

function restText(actions: number, ms: number): string {
  return l10n.t`${actions} actions in a row were not completed, so no rebalance starts for ${span(ms)}.`;
}

function nameOf(key: string, action: AutoRebalanceAction): string {
  return `${action} ${key}`;
}

/** A time span, rounded up: "45 seconds", "3 minutes", "2 hours". */
export function span(ms: number): string {
  if (ms < 2 * MINUTE_MS) {
    return counted(Math.max(1, Math.ceil(ms / SECOND_MS)), 'second');
  }
  return ms < 2 * HOUR_MS ? counted(Math.ceil(ms / MINUTE_MS), 'minute') : counted(Math.ceil(ms / HOUR_MS), 'hour');
}
