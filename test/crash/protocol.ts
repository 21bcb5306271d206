import type { ActionOutcome, AutoRebalanceAction, AutoRebalanceRules } from '../../src/autoRebalance/types';
import type { OperationErrorKind } from '../../src/transactions/errors';
import type { OperationKind } from '../../src/base/operationKinds';
import type { JournalEvent, JournalProblem, OperationRecord } from '../../src/transactions/journal/types';
import type { NotReenteredReason, RebalanceResult } from '../../src/transactions/rebalance/types';
import type { OperationResult } from '../../src/transactions/types';
import type { ReadyLine } from '../support/sandbox/process';
import type { Estate } from './world';

// The messages between the test and a window, which is a process of its own.

export interface WindowOptions {
  /** The folder that all windows share. */
  readonly storage: string;
  readonly sandbox: ReadyLine;
  /** How far the clock has been advanced so far. */
  readonly skippedMs: number;
  readonly hasRpc: boolean;
}

/** What a window is asked to do. */
export type Job =
  | { readonly kind: 'zapOut'; readonly position: string; readonly shareBps: number; readonly output: 'allBaseToken' | 'both' }
  | { readonly kind: 'claim'; readonly position: string }
  /** Without SOL, what the position has earned is deposited. */
  | { readonly kind: 'addLiquidity'; readonly position: string; readonly inputLamports: bigint | undefined }
  /** To SOL. */
  | { readonly kind: 'swap'; readonly mint: string; readonly amountRaw: bigint }
  /** `halfWidth`: bins on each side; `undefined` for pools without bins. */
  | {
      readonly kind: 'zapIn';
      readonly pool: string;
      readonly pairName: string;
      readonly inputLamports: bigint;
      readonly halfWidth: number | undefined;
    }
  /** `halfWidth`: `undefined` for as many bins as before. */
  | { readonly kind: 'rebalance'; readonly position: string; readonly halfWidth: number | undefined; readonly reserveLamports: bigint };

/**
 * How a job ended in a window that was not killed. `reentryDeclined`: a rebalance, by the user; `noAction`: nothing of the partial
 * execution is left to do, see `words`.
 */
export type Ending =
  | {
      readonly kind: Exclude<OperationResult['kind'] | RebalanceResult['kind'], 'notReentered'> | 'reentryDeclined';
      /** The findings because of which it was not approved. */
      readonly findings?: string | undefined;
    }
  | { readonly kind: 'noAction'; readonly words: string }
  | { readonly kind: 'notReentered'; readonly reason: NotReenteredReason; readonly isOpen: boolean; readonly words: string }
  | { readonly kind: 'error'; readonly error: OperationErrorKind | 'unknown'; readonly words: string };

/** Right before or after an event is written or the landing is requested. The window waits there until it may continue. */
export type Point = `${'before' | 'after'} ${JournalEvent['kind'] | 'landing'} of ${OperationKind}`;

/** An open position, as far as the choice of the next operation depends on it. */
export interface ListedPosition {
  readonly address: string;
  readonly pool: string | undefined;
  readonly hasBins: boolean;
  readonly inRange: boolean | undefined;
}

/** How many reads succeeded, and how many failed with an error of the service. */
export interface PanelReads {
  readonly answered: number;
  readonly failed: number;
}

/** What a window holds when nothing is collected any more. */
export interface Held {
  readonly heapBytes: number;
  /** Outside of the heap: buffers. */
  readonly externalBytes: number;
  readonly residentBytes: number;
  /** What keeps the process alive: timers, sockets, watches of folders. */
  readonly handles: number;
  /** Open files and sockets; `undefined` where the system does not tell. */
  readonly descriptors: number | undefined;
}

/** An action of auto-rebalance, and how it ended. */
export interface AutomatedAction {
  readonly action: AutoRebalanceAction;
  readonly outcome: ActionOutcome['kind'];
}

/** Requests to a window. */
export interface Work {
  readonly open: (options: WindowOptions) => Promise<void>;
  readonly operate: (job: Job) => Promise<Ending>;
  /** Re-enters with the proceeds of a rebalance (its id in the journal), or declines that. */
  readonly reenter: (rebalance: string) => Promise<Ending>;
  readonly declineReentry: (rebalance: string) => Promise<Ending>;
  /** Completes a partially executed operation (its id in the journal). */
  readonly complete: (operation: string) => Promise<Ending>;
  /** Starts looking for the outcomes of operations that other windows have left. */
  readonly watch: () => Promise<void>;
  /** Begins what an open window does all day: polls the lists that are visible, and rebalances by these rules. */
  readonly beginLongRun: (rules: AutoRebalanceRules) => Promise<void>;
  /** Reads what the panels of this pool and of the wallet show. */
  readonly readPanels: (pool: string) => Promise<PanelReads>;
  /** The open positions as last listed. */
  readonly listed: () => Promise<readonly ListedPosition[]>;
  /** What the process holds after garbage collection. */
  readonly held: () => Promise<Held>;
  /** Auto-rebalance checks the positions now instead of at its interval. */
  readonly checkRules: () => Promise<void>;
  /** Ends polling and auto-rebalance, and waits for what is in progress. */
  readonly endLongRun: () => Promise<readonly AutomatedAction[]>;
  /** The clock was advanced. */
  readonly skip: (ms: number) => Promise<void>;
  /** Closes the window regularly. */
  readonly close: () => Promise<void>;
}

/** Messages to a window. */
export type WindowMessage =
  | { readonly number: number; readonly method: keyof Work; readonly args: readonly unknown[] }
  | { readonly go: true };

/** Messages from a window. `waits`: until an earlier attempt can no longer land, or for proof of the outcome of what it sent. */
export type WindowReply =
  | { readonly number: number; readonly error?: string; readonly result?: unknown }
  | { readonly point: Point }
  | { readonly waits: 'earlier' | 'proof' };

/** The input of the audit. */
export interface Outcome {
  readonly storage: string;
  readonly before: Estate;
  readonly after: Estate;
  /** Oldest first. */
  readonly records: readonly OperationRecord[];
  readonly problems: readonly JournalProblem[];
  /** Whether the windows had an RPC. */
  readonly hasRpc: boolean;
  /** How the user's decisions ended. */
  readonly answers: readonly Ending[];
  /** What the first window reported to its user, and the operations at that time. */
  readonly firstWindow: { readonly ending: Ending | undefined; readonly operations: ReadonlySet<string> };
}
