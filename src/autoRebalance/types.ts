import type { Clock, Subscription } from '../base/async/clock';
import type { Address } from '../base/solana/address';
import type { PortfolioControl } from '../portfolio/types';
import type { OpenPosition } from '../service/positions';
import type { OperationJournal } from '../transactions/journal/types';
import type { OperationLocks } from '../transactions/locks/types';
import type { ReentryTerms } from '../transactions/rebalance/types';

/** By what automation goes. What is not set is `undefined`. */
export interface AutoRebalanceRules {
  /** Whether it asks before it acts, or acts where the review finds nothing. */
  readonly mode: 'ask' | 'automatic';
  readonly checkEveryMs: number;
  /** How many checks in a row a position must be out of range. From 1. */
  readonly outOfRangeChecks: number;
  /** Positions that are worth less, US dollars, are left alone. */
  readonly leastValueUsd: number;
  /** How long a position that was re-centred is left alone. */
  readonly cooldownMs: number;
  /** In 24 hours; of a position and those that it came from. 0: none. */
  readonly mostPerPositionAndDay: number;
  /** In 24 hours, of all positions. 0: none. */
  readonly mostPerDay: number;
  readonly terms: ReentryTerms;
  /** Per cent that a position may lose, above 0: at more it is closed, and not entered again. */
  readonly stopLossPercent: number | undefined;
  /** Per cent of gain, above 0, at which it is closed likewise. */
  readonly takeProfitPercent: number | undefined;
  /** In which currency gain and loss are measured. */
  readonly pnlIn: 'usd' | 'native';
  readonly poolsLeftAlone: readonly Address[];
  /** What stands for the settings of the review, and of the RPC that it asks: what it finds nothing in depends on them. Others are other rules. */
  readonly reviewedBy?: string | undefined;
}

/** What automation does with a position: re-centres it, or closes it for good. */
export type AutoRebalanceAction = 'rebalance' | 'close';

/** What is to be done with a position now, and why; `why` is for the user, in sentences with the figures that count. */
export type AutoRebalanceDecision =
  | { readonly kind: 'act'; readonly action: AutoRebalanceAction; readonly why: string }
  /** Something is going on with it, and it is not time yet; `untilMs`: when that can be over, where it is known. */
  | { readonly kind: 'wait'; readonly why: string; readonly untilMs: number | undefined }
  /** It needs the user: a decision, a passphrase, something that is not finished. */
  | { readonly kind: 'user'; readonly why: string }
  /** There is nothing to do. */
  | { readonly kind: 'fine'; readonly why: string }
  /** It is left alone by the rules. */
  | { readonly kind: 'leftAlone'; readonly why: string };

/** A position with what automation would do now: a line of the dry run. */
export interface PlannedPosition {
  readonly position: OpenPosition;
  readonly decision: AutoRebalanceDecision;
}

/** How something that automation did ended. */
export type ActionOutcome =
  | { readonly kind: 'done' }
  /** The review found something, the key is locked, or what came out was not put back: the user was told, and decides. `words`: in sentences. */
  | { readonly kind: 'needsUser'; readonly words: string }
  /** Somebody else is at it, or it was stopped. No failure. */
  | { readonly kind: 'notNow' }
  /** The user was asked and does not want it. `leaveAlone`: not until automation is started again. */
  | { readonly kind: 'refused'; readonly leaveAlone: boolean }
  | { readonly kind: 'failed'; readonly words: string };

/** What automation has somebody else do: the editor runs operations and talks to the user. */
export interface AutoRebalanceHost {
  /**
   * Re-centres or closes a position: in mode *ask* it asks first, in mode *automatic* it signs only what the review allows without
   * any finding. Never rejects.
   * @param cancelled aborted when automation was switched off or paused, here or by another window: nothing more is to be begun
   * @param mayStillAct looks again, at the disk, whether all of it holds still: it is on, by the same rules, for this wallet and
   * service, and this window has it. To be asked right before each signature; where it says no, nothing is signed (`notNow`)
   */
  act(
    position: OpenPosition,
    action: AutoRebalanceAction,
    why: string,
    rules: AutoRebalanceRules,
    cancelled: AbortSignal,
    mayStillAct: () => Promise<boolean>,
  ): Promise<ActionOutcome>;
  /** Tells the user of something, once: `tell` is called once for each trouble, not at every check. */
  tell(message: string, severity: 'info' | 'warning'): void;
}

/** Automation that was turned on, for one wallet and one service, by rules that the user has seen. */
export interface AutoRebalanceConsent {
  readonly service: string;
  readonly owner: Address;
  readonly rules: AutoRebalanceRules;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
}

/**
 * Whether automation is on: one file for all windows, so that any of them can turn it off. What is turned on here counts, and not
 * the settings: rules that have changed since need another yes.
 */
export interface ConsentFile {
  /** `undefined`: it is off; also where the file cannot be read. */
  read(): Promise<AutoRebalanceConsent | undefined>;
  /** Resolves once it is on the disk. @throws Error where it cannot be written. */
  turnOn(grant: AutoRebalanceConsent): Promise<void>;
  /** Resolves once it is off for all windows. @throws Error where that cannot be written. */
  turnOff(): Promise<void>;
  /** Calls `listener` when it was turned on or off, by this window or by another one; at times also where nothing differs. */
  onDidChange(listener: () => void): Subscription;
  dispose(): void;
}

/** What automation is doing, for the status bar. */
export type AutoRebalanceState =
  | { readonly kind: 'off' }
  /** On; `standby`: another window does it. `lastCheckMs`: `undefined` before the first. */
  | {
      readonly kind: 'on';
      readonly grant: AutoRebalanceConsent;
      readonly role: 'active' | 'standby';
      readonly lastCheckMs: number | undefined;
      /** Positions that are being worked on now. */
      readonly acting: readonly string[];
      /** As of the last check. */
      readonly planned: readonly PlannedPosition[];
      readonly doneToday: number;
    }
  /** On, and not acting until something is put right; `why` is for the user, in sentences. */
  | { readonly kind: 'paused'; readonly grant: AutoRebalanceConsent; readonly why: string };

/** What automation would do now, position by position. */
export interface AutoRebalancePlan {
  /** By which rules. */
  readonly rules: AutoRebalanceRules;
  /** When the positions were read; milliseconds since 1970. */
  readonly asOfMs: number;
  readonly planned: readonly PlannedPosition[];
  /** Rebalances of the wallet in the last 24 hours that count against the most a day. */
  readonly doneToday: number;
}

/** What the loop works with (`AutomationLoop`, scheduler.ts): one for each window. */
export interface SchedulerDependencies {
  readonly automation: ConsentFile;
  readonly portfolio: PortfolioControl;
  readonly journal: OperationJournal;
  readonly locks: OperationLocks;
  readonly clock: Clock;
  readonly host: AutoRebalanceHost;
  /** The id of the service in use; `undefined`: none. */
  readonly serviceId: () => string | undefined;
  /** The rules as the settings have them now; read at each look. */
  readonly rules: () => AutoRebalanceRules;
  readonly log: (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void;
}

/** The loop, for whoever shows it and turns it on and off; `AutomationLoop` (scheduler.ts) is one. */
export interface AutoRebalanceControl {
  readonly state: AutoRebalanceState;
  /** Tells of every new state. */
  onDidChange(listener: () => void): Subscription;
  /** Begins to heed the switch: goes on with what is on, from a restart or another window. */
  start(): void;
  /** To be called when settings or the service changed: looks again at once whether it may go on. The wallet is seen by itself. */
  lookAgain(): void;
  /** To be called when the user put right what was waited for, as by unlocking a key: what waits for the user is tried again. */
  tryAgain(): void;
  /**
   * A dry run: reads the positions anew, and says what would be done now. Does nothing, and counts for nothing.
   * @param asked by which rules; without them by those that it was turned on with, or where it is off, those of the settings
   * @throws Error in words for the user where the positions or the journal cannot be read, or no wallet is in use.
   */
  plan(asked?: AutoRebalanceRules): Promise<AutoRebalancePlan>;
  /** Acts no more: what is under way is cancelled where that is possible. What is on stays on, for other windows and the next start. */
  dispose(): void;
}

/**
 * No rule acts on what was seen once: services report nonsense for a minute now and then (guides/peers-and-wishes.md, c.). A
 * position has to be out of range in two checks in a row at least, even where the rules say one.
 */
export const LEAST_CHECKS = 2;

/** In how many checks in a row a position has to be out of range before it is re-centred. */
export function checksNeeded({ outOfRangeChecks }: Pick<AutoRebalanceRules, 'outOfRangeChecks'>): number {
  return Math.max(outOfRangeChecks, LEAST_CHECKS);
}

/** Whether rules say the same. The order of the pools that are left alone does not matter. */
export function areSameRules(a: AutoRebalanceRules, b: AutoRebalanceRules): boolean {
  return canonical(a) === canonical(b);
}

function canonical({ terms, poolsLeftAlone, ...rules }: AutoRebalanceRules): string {
  const { reserveLamports, ...otherTerms } = terms;
  const parts = { ...rules, ...otherTerms, reserveLamports: String(reserveLamports), poolsLeftAlone: [...new Set(poolsLeftAlone)].sort() };
  // What is not set and what is missing are the same; the order in which somebody wrote the fields says nothing.
  return JSON.stringify(
    Object.entries(parts)
      .filter(([, value]) => value !== undefined)
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}
