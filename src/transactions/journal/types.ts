import type { Spends, Verdict } from '../../review/types';
import type { Address } from '../../base/solana/address';
import type { Subscription } from '../../base/async/clock';
import type { Reason } from '../../base/reasons/reason';
import type { OperationKind } from '../../base/operationKinds';
import type { JournalForecast } from './forecast';
import type { JournalPlan, JournalToken } from './plans';

// The journal of operations: what was begun, how far it came, and how it ended. Whatever moves money is written here, and flushed,
// before it happens, so any window can find out later what happened. It holds no secrets: no keys, no signed transactions, no API keys.

/** A token of an operation with its price at the start. */
export interface PricedToken extends JournalToken {
  /** US dollars per whole token as decimal text; `undefined`: unknown. */
  readonly priceUsd: string | undefined;
}

/** Changes by the landed transactions in the owner's accounts: exact whatever else happened in the wallet. */
export interface JournalChanges {
  /** Net change of SOL including rent and fees, without wrapped SOL, which is among the tokens. */
  readonly lamports: bigint;
  /** Raw units; unchanged tokens are left out. */
  readonly tokens: readonly { readonly mint: Address; readonly changeRaw: bigint }[];
}

/** The least amount of a token that the reviewed transactions guarantee, raw units. */
export interface PromisedToken {
  readonly mint: Address;
  readonly leastRaw: bigint;
}

/** Source of a balance. Only balances of the same source are compared. */
export type BalanceSource = 'rpc' | 'service';

/**
 * One event, in the order of writing. `atMs`: milliseconds since 1970. The usual order: created → built → reviewed → approved → signed →
 * submitted → landed → settled. Besides:
 * - `built` again after built, reviewed, approved and signed (nothing was sent); `reviewed` again after reviewed and approved (the same
 * transactions would now do something else and need another approval);
 * - landed, unconfirmed, settled, expired and failed after submitted, landed and unconfirmed (none after itself);
 * - `submitted` again after unconfirmed, if the service asked to wait (429): the same signed transactions are sent again;
 * - `failed` after any state but an end, `abandoned` after any state before submitted; nothing after an end except `seen` (the user was
 * shown what is left of a settled or failed operation), which changes neither the state nor its time.
 */
export type JournalEvent = { readonly atMs: number } & (
  | {
      readonly kind: 'created';
      readonly operation: OperationKind;
      /** Id of the service in use (`ServiceChoice.id`). */
      readonly service: string;
      readonly owner: Address;
      /** `undefined`, like its type: the operation works in no pool of its own. */
      readonly pool: Address | undefined;
      readonly poolType: 'dlmm' | 'dammV2' | undefined;
      /** "BONK/SOL" by the service: untrusted text. */
      readonly pairName: string;
      readonly plan: JournalPlan;
      /** The rebalance that it belongs to. */
      readonly parent: string | undefined;
      /** The partially executed operation that this one completes. */
      readonly finishes?: string | undefined;
      /** The pool's tokens, and SOL if its price is known. */
      readonly tokens?: readonly PricedToken[] | undefined;
    }
  /** The service has built transactions; written for each build. */
  | {
      readonly kind: 'built';
      /** The position that is closed or opened, if known. */
      readonly position: Address | undefined;
      readonly transactions: number;
      /** SHA-256 of each message, hex. */
      readonly messageHashes: readonly string[];
      readonly blockhashes: readonly string[];
      readonly lastValidBlockHeight: number | undefined;
    }
  | {
      readonly kind: 'reviewed';
      readonly verdict: Verdict;
      readonly rules: readonly string[];
      /** The least amounts that a zap-out returns. */ readonly promised?: readonly PromisedToken[] | undefined;
    }
  /**
   * `messageHashes`: of the transactions that the user was shown; `terms`: the digest of their terms (review/approval). `isCarriedOver`: those
   * had expired, and the last build is covered by that approval. `forecast`: what was expected of the position of a zap-in at that moment;
   * `undefined`: not known, or written by version 0.2.0.
   */
  | {
      readonly kind: 'approved';
      readonly by: 'user' | 'automation';
      readonly messageHashes?: readonly string[] | undefined;
      readonly terms?: string | undefined;
      readonly isCarriedOver?: boolean | undefined;
      readonly forecast?: JournalForecast | undefined;
    }
  /**
   * First signatures in base58, which identify the transactions; and their maximum spends, which count against the review's limits of
   * further attempts as long as they may land. `messageHashes`: of what was signed.
   */
  | {
      readonly kind: 'signed';
      readonly signatures: readonly string[];
      readonly spends: Spends;
      /**
       * What its swaps are expected to give less than the prices that were shown, in lamports; `undefined` if a price is not known, and in
       * journals of version 0.2.0.
       */
      readonly swapCostLamports?: bigint | undefined;
      readonly messageHashes?: readonly string[] | undefined;
    }
  /**
   * It is handed to the service right after this: from here on it may land. `lamportsBefore`: the owner's SOL at that moment, if read;
   * `balanceFrom`: its source (`undefined`: the RPC).
   */
  | { readonly kind: 'submitted'; readonly lamportsBefore: bigint | undefined; readonly balanceFrom?: BalanceSource | undefined }
  /** The service reports that it landed. */
  | { readonly kind: 'landed'; readonly signature: string | undefined }
  /** It was sent, and its outcome is unknown: the watcher keeps checking. */
  | { readonly kind: 'unconfirmed'; readonly reason: Reason }
  /**
   * Its effect is listed. `lamportsBack`: measured proceeds of a zap-out; `undefined` if not measured. `shortfall`: what did not happen (a
   * partial execution); `undefined`: nothing is known to be missing.
   */
  | {
      readonly kind: 'settled';
      readonly lamportsBack: bigint | undefined;
      readonly shortfall: Reason | undefined;
      /** Number of signed transactions that landed, if known to be fewer than all: a partial execution. */ readonly landedTransactions?:
        | number
        | undefined;
      /** `undefined`: not read from the transactions. */ readonly changes?: JournalChanges | undefined;
    }
  /** It can no longer land, and nothing happened; or it could not be sent, and the signed transactions were discarded. */
  | { readonly kind: 'expired'; readonly reason: Reason }
  /** It ended with an error. Nothing of it can land any more. */
  | {
      readonly kind: 'failed';
      readonly reason: Reason;
      /** Number of signed transactions that landed nevertheless: a partial execution. */
      readonly landedTransactions?: number | undefined;
      /** Changes by those transactions; `undefined`: not read from them. */
      readonly changes?: JournalChanges | undefined;
      /** It is unknown whether something of it landed: it counts as if something had. */
      readonly isUnclear?: boolean | undefined;
    }
  /** It ended before anything was sent: declined, cancelled, blocked, or the window was closed. */
  | { readonly kind: 'abandoned'; readonly reason: Reason }
  /**
   * After its end: the user was shown what is left of it, and nothing can be done about it or the user doesn't want to. It is not offered
   * again.
   */
  | { readonly kind: 'seen'; /** What the user was shown. */ readonly reason: Reason }
);

/** The last four are ends; `seen` doesn't change them. */
export type OperationState =
  | 'created'
  | 'built'
  | 'reviewed'
  | 'approved'
  | 'signed'
  | 'submitted'
  | 'landed'
  | 'unconfirmed'
  | 'settled'
  | 'expired'
  | 'failed'
  | 'abandoned';

/** An operation as derived from its events. */
export interface OperationRecord {
  readonly id: string;
  readonly created: Extract<JournalEvent, { kind: 'created' }>;
  readonly state: OperationState;
  readonly updatedAtMs: number;
  /** The last build. */
  readonly built: Extract<JournalEvent, { kind: 'built' }> | undefined;
  readonly signatures: readonly string[];
  /** The signature that the service reported as landed. */
  readonly landingSignature: string | undefined;
  /** Measured proceeds of a zap-out. */
  readonly lamportsBack: bigint | undefined;
  /** Read from its transactions. */
  readonly changes?: JournalChanges | undefined;
  /** The least amounts guaranteed by the last review. */
  readonly promised?: readonly PromisedToken[] | undefined;
  /**
   * The reason for its end or (`unconfirmed`) its open outcome; the shortfall of a settled one; after `seen`, what the user
   * was shown.
   */
  readonly reason: Reason | undefined;
  /** It has ended, and it is unknown whether something of it landed. */
  readonly isUnclear: boolean;
  /** It has ended, and the user was shown what is left of it: it is no longer offered. */
  readonly isSeen: boolean;
  readonly events: readonly JournalEvent[];
}

/**
 * A part of the journal that could not be read and was set aside; nothing else is affected. It is listed as long as its file exists (30
 * days), so that no window can miss it; notices are shown once per file.
 */
export interface JournalProblem {
  /** Path of the file that was set aside, or that could not be moved. */
  readonly file: string;
  readonly what: string;
}

/** An operation that is being written, by the one holder of its lock. */
export interface JournalEntry {
  readonly id: string;
  readonly record: OperationRecord;
  /**
   * Writes an event, and resolves once it is on disk.
   * @throws JournalError (errors.ts) if it can't be written, can't follow the events before it, or if another window has continued the
   * operation (`takenOver`): the step after it must not happen
   */
  append(event: DistributiveOmit<JournalEvent, 'atMs'>): Promise<void>;
}

/** The journal of all windows of this user. */
export interface OperationJournal {
  /** Begins an operation; resolves once it is on disk. */
  begin(created: Omit<Extract<JournalEvent, { kind: 'created' }>, 'atMs' | 'kind'>): Promise<JournalEntry>;
  /** Continues an operation that was begun earlier; `undefined` if there is none of this id. */
  resume(id: string): Promise<JournalEntry | undefined>;
  /**
   * The time for ages of an operation, milliseconds since 1970 on the scale of its own timestamps: while this process lives, changes of the
   * system clock make it neither older nor younger (ages.ts).
   */
  nowFor(record: Pick<OperationRecord, 'id' | 'built' | 'created'>): number;
  /** All records, newest first, and what could not be read. */
  read(): Promise<{ readonly records: readonly OperationRecord[]; readonly problems: readonly JournalProblem[] }>;
  /** Calls `listener` after a write by any window; occasionally also without a change. */
  onDidChange(listener: () => void): Subscription;
  dispose(): void;
}

/** `Omit` that distributes over unions. */
export type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

/** An event without its time. */
export type NewEvent = DistributiveOmit<JournalEvent, 'atMs'>;
