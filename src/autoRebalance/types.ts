import type { Address } from '../base/solana/address';
import type { OpenPosition } from '../service/positions';
import type { ReentryTerms } from '../transactions/rebalance/types';

export interface AutoRebalanceRules {
  /** `ask`: asks before each action. `automatic`: signs without asking where the review has no findings. */
  readonly mode: 'ask' | 'automatic';
  readonly checkEveryMs: number;
  /** Number of checks in a row in which a position must be out of range. From 1; see {@link checksNeeded}. */
  readonly outOfRangeChecks: number;
  /** In US dollars; positions with a lower value are left alone. */
  readonly leastValueUsd: number;
  /** How long a position is left alone after a rebalance. */
  readonly cooldownMs: number;
  /** Maximum rebalances of a position and its predecessors in 24 hours. 0: none. */
  readonly mostPerPositionAndDay: number;
  /** Maximum rebalances of all positions in 24 hours. 0: none. */
  readonly mostPerDay: number;
  /** Maximum positions that are closed in 24 hours without a question. 0: each is a question. */
  readonly mostClosingsPerDay: number;
  /** Maximum cost of operations in 24 hours without a question, percent of what the positions were worth when the rules were confirmed. */
  readonly mostCostPercentPerDay: number;
  readonly terms: ReentryTerms;
  /** Loss in percent, above 0, at which a position is closed and not re-entered; `undefined`: never. */
  readonly stopLossPercent: number | undefined;
  /** Gain in percent, above 0, at which a position is closed and not re-entered; `undefined`: never. */
  readonly takeProfitPercent: number | undefined;
  /** Currency of the PnL for stop-loss and take-profit; `native`: SOL. */
  readonly pnlIn: 'usd' | 'native';
  readonly poolsLeftAlone: readonly Address[];
  /** A fingerprint of the review settings and the RPC. What the review finds depends on them, so a change of them is a change of the rules. */
  readonly reviewedBy?: string | undefined;
}

/** `rebalance`: close and re-enter around the active bin. `close`: close for SOL, without re-entering. */
export type AutoRebalanceAction = 'rebalance' | 'close';

/** What to do with a position now. `why` is for the user: one or two short sentences with the decisive figures. */
export type AutoRebalanceDecision =
  | {
      readonly kind: 'act';
      readonly action: AutoRebalanceAction;
      readonly why: string;
      /** Why it is a question in every mode, as a sentence; `undefined`: the mode decides (limits.ts). */
      readonly asks?: string | undefined;
      /** The most that a re-entry may deposit without a question of its own, lamports; `undefined`: not known, or no re-entry. */
      readonly mostReentryLamports?: bigint | undefined;
    }
  /** Not yet; `untilMs`: the earliest time that can change, if known (milliseconds since 1970). */
  | { readonly kind: 'wait'; readonly why: string; readonly untilMs: number | undefined }
  /** It needs the user: a decision, a passphrase, an unfinished operation. */
  | { readonly kind: 'user'; readonly why: string }
  /** Nothing to do. */
  | { readonly kind: 'fine'; readonly why: string }
  /** The rules exclude it. */
  | { readonly kind: 'leftAlone'; readonly why: string };

/** A position and the decision about it: a row of the dry run. */
export interface PlannedPosition {
  readonly position: OpenPosition;
  readonly decision: AutoRebalanceDecision;
}

export interface DueAction extends Omit<Extract<AutoRebalanceDecision, { kind: 'act' }>, 'kind'> {
  readonly position: OpenPosition;
  /** The wallet that the consent is for, and no other. */
  readonly owner: Address;
}

/** How an action ended. */
export type ActionOutcome =
  | { readonly kind: 'done' }
  /** The review has findings, the wallet is locked, or the position was not re-entered. The user was notified and decides. */
  | { readonly kind: 'needsUser'; readonly words: string }
  /** Another operation is in progress, or auto-rebalance was stopped. Not a failure. */
  | { readonly kind: 'notNow' }
  /** The user declined. `leaveAlone`: until auto-rebalance is started again. */
  | { readonly kind: 'refused'; readonly leaveAlone: boolean }
  | { readonly kind: 'failed'; readonly words: string };

/** Implemented by the editor: runs operations and talks to the user. */
export interface AutoRebalanceHost {
  /**
   * Rebalances or closes a position. In mode *ask*, and where the action is a question, it asks first; in mode *automatic* it signs only
   * transactions in which the review has no findings. Never rejects.
   * @param cancelled aborted when auto-rebalance is turned off or paused, in any window: nothing more may be started
   * @param mayStillAct checks the disk again: on, by the same rules, for this wallet and service, and this window is active. Must be
   * called right before each signature; if it gives false, nothing is signed (`notNow`)
   */
  act(due: DueAction, rules: AutoRebalanceRules, cancelled: AbortSignal, mayStillAct: () => Promise<boolean>): Promise<ActionOutcome>;
  /** Shows a message. Called once for each problem, not at every check. */
  notify(message: string, severity: 'info' | 'warning'): void;
}

/**
 * The user's consent to auto-rebalance: for one wallet and one service, by the rules that were shown. These rules count, not those in the
 * settings: changed rules need another confirmation.
 */
export interface AutoRebalanceConsent {
  readonly service: string;
  readonly owner: Address;
  readonly rules: AutoRebalanceRules;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  /**
   * What the positions under the rules were worth then: limits of re-entries and costs derive from it. `undefined`: confirmed in an earlier
   * version, without such limits.
   */
  readonly worths?: readonly ConfirmedWorth[] | undefined;
}

/** What a position was worth when the rules were confirmed, with fees. */
export interface ConfirmedWorth {
  readonly position: Address;
  readonly lamports: bigint;
}

/** The state of auto-rebalance in a window. */
export type AutoRebalanceState =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'on';
      readonly consent: AutoRebalanceConsent;
      /** `standby`: another window is active, or this one is still becoming active. */
      readonly role: 'active' | 'standby';
      /** `undefined` before the first check. */
      readonly lastCheckMs: number | undefined;
      /** Keys of the positions that are acted on now. */
      readonly acting: readonly string[];
      /** As of the last check. */
      readonly planned: readonly PlannedPosition[];
      readonly doneToday: number;
    }
  /** On, but not acting; `why` is for the user, in sentences. */
  | {
      readonly kind: 'paused';
      readonly consent: AutoRebalanceConsent;
      readonly why: string;
      readonly cause?: PauseCause | undefined;
      /** `undefined`: this window has checked nothing by this consent. */
      readonly lastCheckMs?: number | undefined;
    };

/** What auto-rebalance waits for, if not for a decision about its rules. */
export type PauseCause =
  /** It fails, or does not answer. */
  | 'secretStorage'
  /** The window has to be reloaded: the files of the extension were replaced. */
  | 'reload';

/** The result of a dry run. */
export interface AutoRebalancePlan {
  readonly rules: AutoRebalanceRules;
  /** Of the positions when the rules were confirmed, or as they would be confirmed now. */
  readonly worths: readonly ConfirmedWorth[];
  /** When the positions were read; milliseconds since 1970. */
  readonly asOfMs: number;
  readonly planned: readonly PlannedPosition[];
  /** Rebalances and closings of the wallet in the last 24 hours that count against the daily limit. */
  readonly doneToday: number;
}

/**
 * A position must be out of range in at least two checks in a row, even if the rules say one: services report nonsense for a minute
 * now and then, so nothing is acted on that was seen once.
 */
const LEAST_CHECKS = 2;

/** Number of checks in a row in which a position must be out of range before it is rebalanced. */
export function checksNeeded({ outOfRangeChecks }: Pick<AutoRebalanceRules, 'outOfRangeChecks'>): number {
  return Math.max(outOfRangeChecks, LEAST_CHECKS);
}

/** Whether two sets of rules are the same. The order of the excluded pools doesn't matter. */
export function areSameRules(a: AutoRebalanceRules, b: AutoRebalanceRules): boolean {
  return canonical(a) === canonical(b);
}

function canonical({ terms, poolsLeftAlone, ...rules }: AutoRebalanceRules): string {
  const { reserveLamports, ...otherTerms } = terms;
  const parts = { ...rules, ...otherTerms, reserveLamports: String(reserveLamports), poolsLeftAlone: [...new Set(poolsLeftAlone)].sort() };
  // `undefined` and missing are the same, and the order of the fields doesn't matter.
  return JSON.stringify(
    Object.entries(parts)
      .filter(([, value]) => value !== undefined)
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

/** Whether two consents are the same one: given at the same time, for the same wallet, service and rules. */
export function isSameConsent(a: AutoRebalanceConsent, b: AutoRebalanceConsent): boolean {
  return a.sinceMs === b.sinceMs && a.service === b.service && a.owner === b.owner && areSameRules(a.rules, b.rules);
}
