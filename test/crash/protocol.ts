import type { OperationErrorKind } from '../../src/transactions/errors';
import type { JournalEvent, OperationKind, JournalProblem, OperationRecord } from '../../src/transactions/journal/types';
import type { NotReenteredReason, RebalanceResult } from '../../src/transactions/rebalance/types';
import type { OperationResult } from '../../src/transactions/types';
import type { ReadyLine } from '../sandbox/support/process';
import type { Estate } from './world';

// What the test and a window, which is a process of its own, say to each other.

/** How a window is opened. */
export interface WindowOptions {
  /** The folder that all windows share. */
  readonly storage: string;
  readonly sandbox: ReadyLine;
  /** By how much the clock has been advanced so far. */
  readonly skippedMs: number;
  readonly hasRpc: boolean;
}

/** What a window is to do. */
export type Job =
  | { readonly kind: 'zapOut'; readonly position: string; readonly shareBps: number; readonly output: 'allBaseToken' | 'both' }
  /** `halfWidth`: bins to either side; `undefined` for pools without bins. */
  | {
      readonly kind: 'zapIn';
      readonly pool: string;
      readonly pairName: string;
      readonly inputLamports: bigint;
      readonly halfWidth: number | undefined;
    }
  /** `halfWidth`: `undefined` for as many bins as before. */
  | { readonly kind: 'rebalance'; readonly position: string; readonly halfWidth: number | undefined; readonly reserveLamports: bigint };

/** How something ended in a window that was not killed. `reentryDeclined`: a rebalance, by the user's word; `noAction`: nothing of the partial execution is left to run; see `words`. */
export type Ending =
  | {
      readonly kind: Exclude<OperationResult['kind'] | RebalanceResult['kind'], 'notReentered'> | 'reentryDeclined';
      /** The findings of the review because of which it was not approved. */
      readonly findings?: string | undefined;
    }
  | { readonly kind: 'noAction'; readonly words: string }
  | { readonly kind: 'notReentered'; readonly reason: NotReenteredReason; readonly isOpen: boolean; readonly words: string }
  | { readonly kind: 'error'; readonly error: OperationErrorKind | 'unknown'; readonly words: string };

/** Right before or right after something: an event that is written, or the request that lands. There it waits until it is told to go on. */
export type Point = `${'before' | 'after'} ${JournalEvent['kind'] | 'landing'} of ${OperationKind}`;

/** What a window can be asked to do. */
export interface Work {
  readonly open: (options: WindowOptions) => Promise<void>;
  readonly operate: (job: Job) => Promise<Ending>;
  /** What came out of a rebalance (its id in the journal) is re-entered, or stays in the wallet. */
  readonly reenter: (rebalance: string) => Promise<Ending>;
  readonly declineReentry: (rebalance: string) => Promise<Ending>;
  /** Completes a partially executed operation (its id in the journal). */
  readonly complete: (operation: string) => Promise<Ending>;
  /** From now on it finds out what became of what others have left. */
  readonly watch: () => Promise<void>;
  /** The clock was advanced. */
  readonly skip: (ms: number) => Promise<void>;
  /** Closes it as a window is closed that has the time for it. */
  readonly close: () => Promise<void>;
}

/** What a window is told. */
export type WindowMessage =
  { readonly number: number; readonly method: keyof Work; readonly args: readonly unknown[] } | { readonly go: true };

/** What a window says. `waits`: until an earlier attempt can no longer land, or for proof of what became of what it sent. */
export type WindowReply =
  | { readonly number: number; readonly error?: string; readonly result?: unknown }
  | { readonly point: Point }
  | { readonly waits: 'earlier' | 'proof' };

/** What there is to be compared. */
export interface Outcome {
  readonly storage: string;
  readonly before: Estate;
  readonly after: Estate;
  /** Oldest first. */
  readonly records: readonly OperationRecord[];
  readonly problems: readonly JournalProblem[];
  /** Whether the windows had an RPC to ask. */
  readonly hasRpc: boolean;
  /** What was said and done when the user answered. */
  readonly answers: readonly Ending[];
  /** What the first window told its user, and the operations that were there by then. */
  readonly firstWindow: { readonly ending: Ending | undefined; readonly operations: ReadonlySet<string> };
}
