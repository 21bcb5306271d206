import * as l10n from '@vscode/l10n';
import type { ActionOutcome, AutoRebalanceAction, AutoRebalanceDecision } from './types';
import { span } from './messages';

// What keeps automation from doing again what it has just done to no end: failures back off, what the user decides is waited for.

/** The longest that failures make a position, or the checks, wait. */
export const LONGEST_COOLDOWN_MS = 3_600_000;
const SHORTEST_REST_MS = 60_000;
/** Who was asked and did not want it is not asked again sooner. */
const LEAST_REFUSAL_MS = 15 * 60_000;
/** So many troubles in a row, of whichever positions, make re-centring rest as a whole: they may have one cause. */
const TROUBLES_TO_REST = 3;
const FIRST_COMMON_REST_MS = 5 * 60_000;

type Hold =
  | { readonly kind: 'user'; readonly words: string }
  | { readonly kind: 'refused'; /** `undefined`: until auto-rebalance is started again. */ readonly untilMs: number | undefined }
  | { readonly kind: 'failed'; readonly times: number; readonly untilMs: number; readonly words: string };

/** What the user is to be told after an action; `undefined`: nothing, or they were told. */
export type HoldNotice = string | undefined;

/** How long to wait after so many failures in a row: doubling, up to an hour. */
export function cooldownAfter(failures: number, firstMs: number): number {
  return Math.max(firstMs, Math.min(firstMs * 2 ** Math.max(0, failures - 1), LONGEST_COOLDOWN_MS));
}

/** What is held up, by position and action: who does not want a position re-centred may still want its stop-loss. */
export class Cooldowns {
  readonly #holds = new Map<string, Hold>();
  /** Words that were told since something last went well: many positions may fail for one reason. */
  readonly #told = new Set<string>();
  #troubles = 0;
  #restUntilMs = Number.NEGATIVE_INFINITY;

  /** What becomes of a decision, given how the same ended before. */
  applied(decision: AutoRebalanceDecision, key: string, nowMs: number): AutoRebalanceDecision {
    if (decision.kind !== 'act') {
      return decision;
    }
    const { action, why } = decision;
    const hold = this.#holds.get(nameOf(key, action));
    const noun = NOUNS[action];
    switch (hold?.kind) {
      case 'user':
        return { kind: 'user', why: `${why} ${hold.words}` };
      case 'refused':
        if (hold.untilMs === undefined) {
          return { kind: 'leftAlone', why: l10n.t`${why} You did not want that: it is left alone until auto-rebalance is started again.` };
        }
        if (hold.untilMs > nowMs) {
          return {
            kind: 'wait',
            why: l10n.t`${why} You did not want that; you are asked again in ${span(hold.untilMs - nowMs)}, if it is still so.`,
            untilMs: hold.untilMs,
          };
        }
        break;
      case 'failed':
        if (hold.untilMs > nowMs) {
          return {
            kind: 'wait',
            why: l10n.t`${why} The last ${noun} failed: ${hold.words} It is tried again in ${span(hold.untilMs - nowMs)}.`,
            untilMs: hold.untilMs,
          };
        }
        break;
      case undefined:
        break;
    }
    return action === 'rebalance' && this.#restUntilMs > nowMs
      ? {
          kind: 'wait',
          why: l10n.t`${why} ${this.#troubles} actions in a row did not go through; no rebalance is begun for ${span(this.#restUntilMs - nowMs)}.`,
          untilMs: this.#restUntilMs,
        }
      : decision;
  }

  /** Takes down how an action ended. @param pair the position's name, for what the user is told */
  ended(key: string, action: AutoRebalanceAction, outcome: ActionOutcome, pair: string, cooldownMs: number, nowMs: number): HoldNotice {
    const name = nameOf(key, action);
    switch (outcome.kind) {
      case 'done':
        this.#holds.delete(name);
        this.#told.clear();
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
          untilMs: outcome.leaveAlone ? undefined : nowMs + Math.max(cooldownMs, LEAST_REFUSAL_MS),
        });
        return undefined;
      case 'failed': {
        const before = this.#holds.get(name);
        const times = before?.kind === 'failed' ? before.times + 1 : 1;
        const restMs = cooldownAfter(times, SHORTEST_REST_MS);
        this.#holds.set(name, { kind: 'failed', times, untilMs: nowMs + restMs, words: outcome.words });
        const common = this.#trouble(nowMs);
        const isNews = times === 1 && !this.#told.has(outcome.words);
        this.#told.add(outcome.words);
        const own = isNews
          ? l10n.t`Auto-rebalance: the ${NOUNS[action]} of ${pair} failed. ${outcome.words} It is tried again in ${span(restMs)}, and later each time; you are not told again until it has worked.`
          : undefined;
        return [own, common].filter((words) => words !== undefined).join(' ') || undefined;
      }
    }
  }

  /** What a position was held up for is over: it is as it should be again, or gone. What the user does not want stays so. */
  settled(key: string): void {
    for (const action of ACTIONS) {
      const name = nameOf(key, action);
      if (this.#holds.get(name)?.kind !== 'refused') {
        this.#holds.delete(name);
      }
    }
  }

  /** What waits for the user is tried again. */
  userIsBack(): void {
    for (const [name, { kind }] of [...this.#holds]) {
      if (kind === 'user') {
        this.#holds.delete(name);
      }
    }
    this.#troubles = 0;
    this.#restUntilMs = Number.NEGATIVE_INFINITY;
  }

  #trouble(nowMs: number): HoldNotice {
    this.#troubles += 1;
    if (this.#troubles < TROUBLES_TO_REST) {
      return undefined;
    }
    const restMs = cooldownAfter(this.#troubles - TROUBLES_TO_REST + 1, FIRST_COMMON_REST_MS);
    this.#restUntilMs = nowMs + restMs;
    return this.#troubles === TROUBLES_TO_REST
      ? l10n.t`Auto-rebalance: ${TROUBLES_TO_REST} actions in a row did not go through, so that it begins no rebalance for ${span(restMs)}, and longer should it go on so. Activity shows what was sent, if anything was.`
      : undefined;
  }
}

const ACTIONS: readonly AutoRebalanceAction[] = ['rebalance', 'close'];
const NOUNS: Readonly<Record<AutoRebalanceAction, string>> = { rebalance: 'rebalance', close: 'closing' };

function nameOf(key: string, action: AutoRebalanceAction): string {
  return `${action} ${key}`;
}
