import type { DecreaseOutput } from '../../service/transactions';
import type { Strategy } from '../../service/common';
import type { Spends, Verdict } from '../../review/types';
import type { Address } from '../../base/solana/address';
import type { Subscription } from '../../base/async/clock';

// The journal of operations: what was begun, how far it came, and how it ended. Whatever moves money is written here, and flushed,
// before it happens, so any window can find out later what happened. It holds no secrets: no keys, no signed transactions, no API keys.

/** What kind of operation it is. A rebalance is the parent of a zap-out and a zap-in. */
export type OperationKind = 'zapOut' | 'zapIn' | 'rebalance';

/** What the user chose, as far as it is needed to tell what became of it, and to offer it again. */
export type JournalPlan =
  | {
      readonly kind: 'zapOut';
      readonly position: Address;
      /** What the service calls the position (`OpenPosition.id`). */
      readonly positionId: string;
      readonly shareBps: number;
      readonly output: DecreaseOutput;
      readonly slippageBps: number;
      /** What was in the position before, to tell whether a share is gone. */
      readonly before: PositionBefore;
    }
  | {
      readonly kind: 'zapIn';
      readonly inputLamports: bigint;
      readonly percentX: number;
      readonly strategy: Strategy | undefined;
      readonly fromBinId: number | undefined;
      readonly toBinId: number | undefined;
      readonly slippageBps: number;
      /** The positions that were open before: where the new one's address is not known, it is the one that is not among them. `undefined`: they were not read. */
      readonly openBefore: readonly Address[] | undefined;
      /** Raw amounts of both tokens that the wallet has and that go in as they are (mode `normal`); `inputLamports` is then 0. `undefined`: SOL goes in. */
      readonly tokens?: JournalTokens | undefined;
    }
  | {
      readonly kind: 'rebalance';
      readonly position: Address;
      /** The range that it had, both ends in it. */
      readonly fromBinId: number;
      readonly toBinId: number;
      /** Bins to either side of the active one; `undefined`: as many bins as before. */
      readonly halfWidthBins: number | undefined;
      readonly strategy: Strategy;
      readonly slippageBps: number;
      /** What the wallet keeps. */
      readonly reserveLamports: bigint;
    };

/** Raw amounts of both tokens of a pool, and what they are called; earlier versions wrote the amounts alone. */
export interface JournalTokens {
  readonly amountXRaw: bigint;
  readonly amountYRaw: bigint;
  readonly x?: JournalToken | undefined;
  readonly y?: JournalToken | undefined;
}

/** A token, as the service describes it. */
export interface JournalToken {
  readonly mint: Address;
  /** Its ticker: untrusted text. */
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
}

/** A token of an operation with its price when it was begun. */
export interface PricedToken extends JournalToken {
  /** US dollars for one whole token, as decimal text; `undefined`: not known. */
  readonly priceUsd: string | undefined;
}

/** What the landed transactions of an operation changed in its owner's accounts: exact, whatever else happened in the wallet. */
export interface JournalChanges {
  /** Of the owner's SOL, with rent and fees in it, and without wrapped SOL, which is among the tokens. */
  readonly lamports: bigint;
  /** Raw units; without those that did not change. */
  readonly tokens: readonly { readonly mint: Address; readonly changeRaw: bigint }[];
}

/** What the reviewed transactions guarantee of a token, raw units. */
export interface PromisedToken {
  readonly mint: Address;
  readonly leastRaw: bigint;
}

/** What the service said of a position before a zap-out, as decimal text; `undefined` where it did not say. */
export interface PositionBefore {
  /** Whole tokens. */
  readonly amount0: string | undefined;
  readonly amount1: string | undefined;
  /** US dollars for one whole token. */
  readonly price0Usd: string | undefined;
  readonly price1Usd: string | undefined;
  readonly outputUsd: string | undefined;
  /** What the position was worth, in SOL, with its uncollected fees. */
  readonly valueNative?: string | undefined;
  /** So much of these amounts, in basis points, earlier zap-outs had taken out already, although the list did not show it; `undefined`: nothing. */
  readonly missedBps?: number | undefined;
}

/**
 * What a reason (or shortfall) says, for code that acts on it: the sentence beside it is for the user, and may be in any language. Earlier
 * versions wrote no code; their English sentences are recognized where the code is used. Readers ignore codes that they do not know.
 */
export type ReasonCode =
  /** The service answered the landing with a failure; the sentence has its status and its words. */
  | 'serviceAnswered'
  /** The window was closed before anything was sent. */
  | 'closedBeforeSending'
  /** The user chose not to re-enter. */
  | 'declinedReentry';

/** Who says what is in a wallet. Only balances of one of them are compared with each other. */
export type BalanceSource = 'rpc' | 'service';

/**
 * One thing that happened, in the order in which it was written. `atMs`: milliseconds since 1970. What the flow and the watcher write:
 * created → built → reviewed → approved → signed → submitted → landed → settled, where
 * - `built` follows again on built, reviewed, approved and signed (nothing was sent); `reviewed` follows again on reviewed and approved
 *   (the same transactions would do something else by now, and are asked about again);
 * - submitted, landed and unconfirmed may each be followed by landed, unconfirmed, settled, expired and failed (but none by itself);
 * - submitted follows again on unconfirmed, where the service had asked to wait (429): the same signed transactions are sent again;
 * - `failed` may follow on whatever is no end, `abandoned` on whatever comes before submitted; nothing follows on an end, but that what
 *   is left of a settled or failed one was told (`seen`), which changes neither its state nor when it was found out.
 */
export type JournalEvent = { readonly atMs: number } & (
  | {
      readonly kind: 'created';
      readonly operation: OperationKind;
      /** The id of the service that it is for (`ServiceChoice.id`). */
      readonly service: string;
      readonly owner: Address;
      readonly pool: Address;
      readonly poolType: 'dlmm' | 'dammV2';
      /** "BONK/SOL", as the service names it: untrusted text. */
      readonly pairName: string;
      readonly plan: JournalPlan;
      /** The rebalance that it is a part of. */
      readonly parent: string | undefined;
      /** The partially executed operation that this one completes. */
      readonly finishes?: string | undefined;
      /** The pool's tokens, and SOL where its price is known. Earlier versions did not write them. */
      readonly tokens?: readonly PricedToken[] | undefined;
    }
  /** The service has built transactions; again each time that it builds them. */
  | {
      readonly kind: 'built';
      /** The position that is left or made, where it is known. */
      readonly position: Address | undefined;
      readonly transactions: number;
      /** sha256 of each message, hex. */
      readonly messageHashes: readonly string[];
      readonly blockhashes: readonly string[];
      readonly lastValidBlockHeight: number | undefined;
    }
  | {
      readonly kind: 'reviewed';
      readonly verdict: Verdict;
      readonly rules: readonly string[];
      /** What a zap-out leaves in the wallet at least. */ readonly promised?: readonly PromisedToken[] | undefined;
    }
  | { readonly kind: 'approved'; readonly by: 'user' | 'automation' }
  /**
   * Base58 of the first signature of each transaction, by which the network knows it; and what they spend at most, which counts
   * against the review's limits for another attempt for as long as they may land.
   */
  | { readonly kind: 'signed'; readonly signatures: readonly string[]; readonly spends: Spends }
  /** It is handed to the service right after this: from here on it may land. `lamportsBefore`: the owner's SOL at that moment, where it was asked for and said; `balanceFrom`: by whom (`undefined`: the RPC). */
  | { readonly kind: 'submitted'; readonly lamportsBefore: bigint | undefined; readonly balanceFrom?: BalanceSource | undefined }
  /** The service says that it landed. */
  | { readonly kind: 'landed'; readonly signature: string | undefined }
  /** It was sent, and its outcome is not known yet: the watcher keeps looking. */
  | { readonly kind: 'unconfirmed'; readonly reason: string; readonly code?: ReasonCode | undefined }
  /**
   * Its effect shows. `lamportsBack`: SOL that a zap-out brought, measured; `undefined` where that could not be told.
   * `shortfall`: what of it did not happen, in sentences for the user (a partial execution); `undefined`: nothing is known to be missing.
   */
  | {
      readonly kind: 'settled';
      readonly lamportsBack: bigint | undefined;
      readonly shortfall: string | undefined;
      readonly code?: ReasonCode | undefined;
      /** How many of those that were signed landed, where it is known to be not all of them: a partial execution. */ readonly landedTransactions?:
        number | undefined;
      /** `undefined`: not read from the transactions. */ readonly changes?: JournalChanges | undefined;
    }
  /** It was sent, and can no longer land: nothing happened. Or it was to be sent, there was no connection, and what was signed is thrown away. */
  | { readonly kind: 'expired'; readonly reason: string }
  /** It ended with an error. Nothing of it can land any more. */
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** How many of those that were signed landed all the same, where some did: a partial execution. */
      readonly landedTransactions?: number | undefined;
      /** What those changed; `undefined`: not read from the transactions. */
      readonly changes?: JournalChanges | undefined;
      /** Whether something of it landed could not be told: it counts as if something had, and nothing is claimed of it. */
      readonly isUnclear?: boolean | undefined;
    }
  /** It ended before anything was sent: declined, cancelled, blocked, or the window was closed. */
  | { readonly kind: 'abandoned'; readonly reason: string; readonly code?: ReasonCode | undefined }
  /** After its end: the user was told what is left of it, and there is nothing to run for that, or the user wants nothing run. It is not offered again. */
  | { readonly kind: 'seen'; /** What they were told, in sentences. */ readonly reason: string }
);

/** Where an operation is; the last four are ends, and stay what they are when it was seen. */
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

/** An operation as its events tell it. */
export interface OperationRecord {
  readonly id: string;
  readonly created: Extract<JournalEvent, { kind: 'created' }>;
  readonly state: OperationState;
  readonly updatedAtMs: number;
  /** The last ones, should it have been built more than once. */
  readonly built: Extract<JournalEvent, { kind: 'built' }> | undefined;
  readonly signatures: readonly string[];
  /** What the service called the landing. */
  readonly landingSignature: string | undefined;
  /** SOL that a zap-out brought, measured. */
  readonly lamportsBack: bigint | undefined;
  /** What its transactions changed, as read from them. */
  readonly changes?: JournalChanges | undefined;
  /** What the last review guaranteed of each token. */
  readonly promised?: readonly PromisedToken[] | undefined;
  /** Why it ended as it did, or (`unconfirmed`) is not ended yet, in words for the user; of a settled one its shortfall, and of one that was seen what was told. */
  readonly reason: string | undefined;
  /** What `reason` says, where code acts on it and the version that wrote it knew the code. */
  readonly reasonCode?: ReasonCode | undefined;
  /** It has ended, and whether something of it landed could not be told. */
  readonly isUnclear: boolean;
  /** It has ended, and the user was told what is left of it: it is not offered any more. */
  readonly isSeen: boolean;
  readonly events: readonly JournalEvent[];
}

/**
 * A part of the journal that could not be read; it was set aside, and nothing else is affected. It is listed for as long as its file
 * is there (30 days, unless somebody takes it away), so that a window that closes cannot lose it: who shows a notice does so once
 * for each file.
 */
export interface JournalProblem {
  /** Where what was set aside lies; where it could not be, where it is. */
  readonly file: string;
  readonly what: string;
}

/** An operation that is being written, by the one holder of its lock. */
export interface JournalEntry {
  readonly id: string;
  readonly record: OperationRecord;
  /**
   * Writes an event, and resolves once it is on the disk.
   * @throws JournalError (errors.ts) where it cannot be written, where it does not follow from what was written before, or where
   * another window has gone on with the operation meanwhile (`takenOver`): what was to come after it must not happen.
   */
  append(event: DistributiveOmit<JournalEvent, 'atMs'>): Promise<void>;
}

/** The journal of all windows of this user. */
export interface OperationJournal {
  /** Begins an operation; resolves once that is on the disk. */
  begin(created: Omit<Extract<JournalEvent, { kind: 'created' }>, 'atMs' | 'kind'>): Promise<JournalEntry>;
  /** Goes on with an operation that was begun earlier; `undefined` where there is none of that id. */
  resume(id: string): Promise<JournalEntry | undefined>;
  /**
   * The time by which the age of an operation is told, milliseconds since 1970 as its own stamps count them: while this process lives no change
   * of the system's clock makes it older or younger (ages.ts).
   */
  nowFor(record: Pick<OperationRecord, 'id' | 'built' | 'created'>): number;
  /** Everything that is kept, newest first, with what could not be read. */
  read(): Promise<{ readonly records: readonly OperationRecord[]; readonly problems: readonly JournalProblem[] }>;
  /** Calls `listener` when something was written, by this window or by another one; at times also where nothing differs. */
  onDidChange(listener: () => void): Subscription;
  dispose(): void;
}

/** `Omit` that leaves unions what they are. */
export type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

/** What is written: whatever there is but its time. */
export type NewEvent = DistributiveOmit<JournalEvent, 'atMs'>;
