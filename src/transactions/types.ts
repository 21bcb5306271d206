import type { Address } from '../base/solana/address';
import type { OpenPosition } from '../service/positions';
import type { Strategy } from '../service/common';
import type { DecreaseOutput } from '../service/transactions';
import type { LiquidityService } from '../service/service';
import type { PortfolioControl } from '../portfolio/types';
import type { PolicySettings } from '../review/policy';
import type { TermChange } from '../review/approval/compareTerms';
import type { Review } from '../review/types';
import type { SolanaRpc } from '../rpc/types';
import type { Signer } from '../wallet/signer';
import type { Reason } from '../base/reasons/reason';
import type { JournalForecast } from './journal/forecast';
import type { OperationJournal, OperationRecord } from './journal/types';
import type { OperationLocks } from './locks/types';
import type { Clock } from '../base/async/clock';
import type { OperationRequests } from '../service/budget/operationRequests';

/** The user's choices for a zap-out. */
export interface ZapOutPlan {
  readonly position: OpenPosition;
  readonly owner: Address;
  /** 1 to 10000. */
  readonly shareBps: number;
  readonly output: DecreaseOutput;
  /** 0 to 10000. */
  readonly slippageBps: number;
  /** More of the operation that it completes is left to do after it. */
  readonly leavesMore?: boolean;
}

/** The user's choices for a claim of fees. */
export interface ClaimPlan {
  /** One at least; the first one names the operation. */
  readonly positions: readonly OpenPosition[];
  readonly owner: Address;
}

/** Amounts of the pool's two tokens that are deposited from the wallet (the service's mode `normal`). Raw units, at least one above 0. */
export interface TokensAtHand {
  /** SOL is in lamports of the wallet, which the service wraps. */
  readonly amountXRaw: bigint;
  readonly amountYRaw: bigint;
}

/** The user's choices for a zap-in: a deposit of SOL, swapped as needed, or of `tokens` without a swap. */
export interface ZapInPlan {
  readonly pool: Address;
  readonly pairName: string;
  readonly poolType: 'dlmm' | 'dammV2';
  readonly tokenX: Address | undefined;
  readonly tokenY: Address | undefined;
  readonly owner: Address;
  /** 0 for a deposit of `tokens`. */
  readonly inputLamports: bigint;
  /** Share of the SOL for token X, 0 to 1; ignored for a deposit of `tokens`. */
  readonly percentX: number;
  /** Mode `normal`: nothing is swapped, and `prices` must have the decimals of each deposited token. `undefined`: SOL is deposited. */
  readonly tokens?: TokensAtHand | undefined;
  /** Symbols by the service, for the journal. Untrusted text. */
  readonly symbolX?: string | undefined;
  readonly symbolY?: string | undefined;
  /** Strategy and range; all three `undefined` for pools without bins. */
  readonly strategy: Strategy | undefined;
  readonly fromBinId: number | undefined;
  readonly toBinId: number | undefined;
  /** The active bin that the user was shown, and the step between bins in basis points: the review measures deposits by them. `undefined`: not shown. */
  readonly activeBinId: number | undefined;
  readonly binStepBps: number | undefined;
  /** 0 to 10000. */
  readonly slippageBps: number;
  readonly prices: ShownPrices;
}

/** The user's choices for a deposit into one of their positions. */
export interface AddLiquidityPlan {
  readonly position: OpenPosition;
  readonly owner: Address;
  /** `fees`: what the position has earned is claimed and deposited. Otherwise as for a zap-in, from the wallet. */
  readonly deposit: 'fees' | Pick<ZapInPlan, 'inputLamports' | 'percentX' | 'tokens'>;
  /** `undefined` for pools without bins. */
  readonly strategy: Strategy | undefined;
  /** 0 to 10000. */
  readonly slippageBps: number;
}

/** A token of a swap, as the user was shown it. `undefined`: not shown. */
export interface SwappedToken {
  readonly mint: Address;
  /** Untrusted text. */
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  /** US dollars per whole token. */
  readonly priceUsd: number | undefined;
}

/** The user's choices for a swap of a token of the wallet. */
export interface TokenSwapPlan {
  readonly owner: Address;
  readonly sold: SwappedToken;
  readonly bought: SwappedToken;
  /** Of the token that is sold. */
  readonly amountRaw: bigint;
  /** 0 to 10000. */
  readonly slippageBps: number;
  readonly solUsd: number | undefined;
  /** More of the operation that it completes is left to do after it. */
  readonly leavesMore?: boolean;
}

/** The user's choice to unwrap all SOL in the wallet's own account for wrapped SOL. */
export interface UnwrapPlan {
  readonly owner: Address;
  /** As it was shown. */
  readonly lamports: bigint;
  readonly solUsd: number | undefined;
  /** As for a swap. */
  readonly leavesMore?: boolean;
}

/** The prices that the user was shown before choosing; the review measures swaps by them. `undefined`: not shown. */
export interface ShownPrices {
  readonly decimalsX: number | undefined;
  readonly decimalsY: number | undefined;
  /** US dollars per whole token. */
  readonly priceXUsd: number | undefined;
  readonly priceYUsd: number | undefined;
  readonly solUsd: number | undefined;
}

/**
 * `waitingForEarlier`: until an earlier attempt at the same pool can no longer land, so both together can't exceed the user's choice; two
 * minutes at most, cancellable.
 */
export type OperationStep =
  | 'waitingForEarlier'
  | 'building'
  | 'reviewing'
  | 'waitingForApproval'
  /** The review blocks it, and the user is told why. Nothing is signed. */
  | 'rejected'
  | 'signing'
  | 'landing'
  /** The service asked to wait (429), then the same signed transactions are sent again. Cancelling ends the retries. */
  | 'waitingToSendAgain'
  | 'waitingForEffect'
  /** It was sent, and the service did not report a landing: the run waits for proof. Cancelling only ends the wait. */
  | 'findingOut';

/** Dependencies of the watcher of unfinished operations (recovery/watcher.ts): one for each window, from the first listing on. */
export interface WatcherDependencies {
  readonly journal: OperationJournal;
  readonly locks: OperationLocks;
  readonly portfolio: PortfolioControl;
  readonly clock: Clock;
  /** Id of the service in use; `undefined`: none. Operations of other services wait. */
  readonly serviceId: () => string | undefined;
  /** The RPC in use; `undefined`: there is none. */
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  /** The service in use, whose balances measure results without an RPC; without it they are not measured. */
  readonly service?: () => Promise<LiquidityService>;
  readonly log: OperationDependencies['log'];
  /** Interval between two listings that confirm each other. */
  readonly settleEveryMs: number;
  /** Called once for each operation that the watcher has ended or found to be unconfirmed. */
  readonly onFound: (record: OperationRecord) => void;
}

/**
 * Why an earlier approval no longer counts: the transactions were too old and were built again, the new ones are worse in some respect than
 * the approved ones (`otherTerms`), the same transactions now have another effect, or a first attempt was sent and is proven not to have landed.
 */
export type ReapprovalReason = 'tookTooLong' | 'otherTerms' | 'changed' | 'firstTryDidNotLand';

/** What a question shows besides the review. */
export interface QuestionDetails {
  /** In which respects the transactions are worse than those that the user has approved; empty the first time. */
  readonly changes: readonly TermChange[];
  /** When the quote expires, milliseconds since 1970: by the block height where it is known, else by the clock. */
  readonly holdsUntilMs: number;
  /** Whether it is renewed while the question is open. */
  readonly isRenewed: boolean;
}

/** The user interface of an operation. */
export interface OperationHost {
  /**
   * @param leftMs how long the step takes at most from now on, if known; reported repeatedly as it decreases. While the user is asked
   * (`waitingForApproval`): how long the quote holds, which grows again when it is renewed
   */
  report(step: OperationStep, leftMs?: number): void;
  /**
   * Shows the review and asks for approval; false: declined. Also called for blocked reviews, to explain them. `reason`: why an earlier
   * approval no longer counts. An approval also covers later builds that are equal or better in every respect (review/approval).
   */
  approve(review: Review, reason?: ReapprovalReason, details?: QuestionDetails): Promise<boolean>;
  /** Checks a review that is not blocked before the user is asked. A thrown error ends the operation with nothing signed. @throws OperationError */
  inspect?(review: Review): void;
  /**
   * Asks whether to start although these earlier operations on the same position or pool may have landed; false: not. Without this method
   * nothing is started then.
   */
  repeat?(earlier: readonly OperationRecord[]): Promise<boolean>;
  /** The signer of the owner; called only after approval. */
  signer(): Promise<Signer>;
  /** What is expected of the position that a zap-in opens, asked for with each approval; nothing waits for it. `undefined`: not known (yet). */
  forecast?(): JournalForecast | undefined;
  /** Called with the operation's id in the journal once it exists; again with another id if the run begins a new operation. */
  began?(operation: string): void;
  /** Called when it has settled, with its record and what it moved. */
  settled?(record: OperationRecord): void;
  /** Called with the id of an operation that the run leaves before it has ended: the watcher finds and reports its outcome. */
  leftOpen?(operation: string): void;
  /** Default: the user. */
  readonly approver?: 'user' | 'automation';
}

/**
 * Dependencies of a run. A process has one `journal` and one `locks`, both on the storage that all windows share. Only the journal
 * remembers what may still land; `OperationWatcher` (recovery/watcher.ts) follows what a run leaves unfinished.
 */
export interface OperationDependencies {
  readonly journal: OperationJournal;
  readonly locks: OperationLocks;
  /** Id of the service (`ServiceChoice.id`), for later starts. */
  readonly serviceId: string;
  /** The rebalance (its id in the journal) that the operation is a part of. */
  readonly parent?: string;
  /** The partially executed operation (its id in the journal) that this one completes; only one does. */
  readonly finishes?: string;
  /**
   * Whether a zap-in waits until an earlier, signed one to the same pool can no longer land (step `waitingForEarlier`): for a retry without
   * a wait by the user, and for the zap-in of a rebalance. Swaps always wait. Otherwise the review counts both together. If the earlier one may have landed,
   * the zap-in is refused in either case.
   */
  readonly waitsForEarlier?: boolean;
  readonly service: LiquidityService;
  readonly portfolio: PortfolioControl;
  /**
   * The operation's share of the service's request limit, which `service` and `portfolio` draw on. Requests that must follow a build are
   * reserved before it. Default: nothing is reserved.
   */
  readonly requests?: OperationRequests | undefined;
  /** Whether public explorers list the service's transactions; default: no. */
  readonly hasExplorer?: boolean;
  /** Whether `service` is still in use: listings of another one prove nothing. */
  readonly isServiceInUse: () => boolean;
  /** Whether the profile (key or address) that `service` belongs to is still in use; default: yes. Checked before building and signing only. */
  readonly isProfileInUse?: () => boolean;
  readonly log: (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void;
  /** The user's RPC; `undefined`: there is none, and the review has only the transactions. */
  readonly rpc: SolanaRpc | undefined;
  /** The user's settings of the review's limits; read for each review. */
  readonly policy: () => Partial<PolicySettings>;
  /** Whether the RPC simulates the transactions before they are signed. */
  readonly isSimulating: boolean;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** How long, and in which interval, to wait for the effect to be listed. */
  readonly settleTimeoutMs: number;
  readonly settleEveryMs: number;
  /** Default: the system's timers. */
  readonly clock?: Pick<Clock, 'after'>;
}

/** How an operation ended. Failures are thrown as `OperationError` (errors.ts). */
export type OperationResult =
  /** Declined or cancelled: nothing was signed or sent; `isAfterFirstTry`: except a first attempt that did not land. */
  | { readonly kind: 'declined'; readonly isAfterFirstTry?: true }
  /** Blocked by the review: nothing was signed; `isAfterFirstTry`: except a first attempt that did not land. */
  | { readonly kind: 'blocked'; readonly review: Review; readonly isAfterFirstTry?: true }
  /** Landed and listed. `shortfall`: what did not happen (a partial execution). */
  | {
      readonly kind: 'settled';
      readonly signature: string | undefined;
      readonly position: Address | undefined;
      readonly shortfall?: Reason | undefined;
    }
  /**
   * The service or (`isProven`) the chain reports the landing, and the portfolio doesn't list it yet. `awaits`: `chain`: it does, and the chain
   * doesn't have all transactions yet; `proof`: no list shows it, and the chain has not proved it yet. `stoppedWaiting`: the user stopped waiting.
   */
  | {
      readonly kind: 'landedNotListed';
      readonly isProven?: true;
      readonly awaits?: 'chain' | 'proof';
      readonly signature: string | undefined;
      readonly position: Address | undefined;
      readonly stoppedWaiting: boolean;
    };

/** What a failure means for the money. */
export type MoneyState =
  /** Nothing was sent or landed: nothing moved. */
  | 'untouched'
  /** It was sent, and it may or may not have landed. */
  | 'unknown';
