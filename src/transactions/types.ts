import type { Address } from '../base/solana/address';
import type { OpenPosition } from '../service/positions';
import type { Strategy } from '../service/common';
import type { DecreaseOutput } from '../service/transactions';
import type { LiquidityService } from '../service/service';
import type { PortfolioControl } from '../portfolio/types';
import type { PolicySettings } from '../review/policy';
import type { Review } from '../review/types';
import type { SolanaRpc } from '../rpc/types';
import type { Signer } from '../wallet/signer';
import type { OperationJournal, OperationRecord } from './journal/types';
import type { OperationLocks } from './locks/types';
import type { Clock } from '../base/async/clock';
import type { OperationRequests } from '../service/operationRequests';

/** What the user chose for a zap-out. */
export interface ZapOutPlan {
  readonly position: OpenPosition;
  readonly owner: Address;
  /** 1 to 10000. */
  readonly shareBps: number;
  readonly output: DecreaseOutput;
  /** 0 to 10000. */
  readonly slippageBps: number;
}

/** What of a pool's two tokens goes in as it is, out of the wallet (the service's mode `normal`). Raw units, one of them above 0. */
export interface TokensAtHand {
  /** Where a token is SOL, it is lamports of the wallet that the service wraps. */
  readonly amountXRaw: bigint;
  readonly amountYRaw: bigint;
}

/** What the user chose for a zap-in: SOL goes in, swapped as needed, or `tokens` go in as they are. */
export interface ZapInPlan {
  readonly pool: Address;
  readonly pairName: string;
  readonly poolType: 'dlmm' | 'dammV2';
  readonly tokenX: Address | undefined;
  readonly tokenY: Address | undefined;
  readonly owner: Address;
  /** 0 where `tokens` go in. */
  readonly inputLamports: bigint;
  /** Share of the SOL for token X, 0 to 1; ignored if `tokens` go in. */
  readonly percentX: number;
  /** Mode `normal`: nothing is swapped, and `prices` has to say how many decimals each token that goes in has. `undefined`: SOL goes in. */
  readonly tokens?: TokensAtHand | undefined;
  /** The tickers of both tokens, as the service says them: for the journal. Untrusted text. */
  readonly symbolX?: string | undefined;
  readonly symbolY?: string | undefined;
  /** How it is spread, and over which bins; all three `undefined` for pools without bins. */
  readonly strategy: Strategy | undefined;
  readonly fromBinId: number | undefined;
  readonly toBinId: number | undefined;
  /** 0 to 10000. */
  readonly slippageBps: number;
  readonly prices: ShownPrices;
}

/** The prices that the user was shown before choosing; the review measures swaps by them. `undefined`: not shown. */
export interface ShownPrices {
  readonly decimalsX: number | undefined;
  readonly decimalsY: number | undefined;
  /** US dollars for one whole token. */
  readonly priceXUsd: number | undefined;
  readonly priceYUsd: number | undefined;
  readonly solUsd: number | undefined;
}

/**
 * Where an operation is. `waitingForEarlier`: until an earlier attempt at the same pool can no longer land, so that both together
 * cannot be more than was chosen; two minutes at most, and it can be cancelled.
 */
export type OperationStep =
  | 'waitingForEarlier'
  | 'building'
  | 'reviewing'
  | 'waitingForApproval'
  | 'signing'
  | 'landing'
  /** The service asks to wait (429): the same signed transactions are sent again after that. Cancelling ends the sending again. */
  | 'waitingToSendAgain'
  | 'waitingForEffect'
  /** It was sent, and the service did not say that it landed: it is waited for proof, one way or the other. Cancelling ends the wait only. */
  | 'findingOut';

/** Dependencies of the watcher of unfinished operations (recovery/watcher.ts): one for each window, from the first listing on. */
export interface WatcherDependencies {
  readonly journal: OperationJournal;
  readonly locks: OperationLocks;
  readonly portfolio: PortfolioControl;
  readonly clock: Clock;
  /** The id of the service in use; `undefined`: none. Operations of another one wait. */
  readonly serviceId: () => string | undefined;
  /** The RPC in use; `undefined`: there is none. */
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  /** The service in use, by whose balances it is measured where there is no RPC; without it that is not. */
  readonly service?: () => Promise<LiquidityService>;
  readonly log: OperationDependencies['log'];
  /** How long between two listings that are to bear each other out; as the operations' own. */
  readonly settleEveryMs: number;
  /** Called once for each operation that the watcher has ended or found to be unconfirmed. */
  readonly onFound: (record: OperationRecord) => void;
}

/**
 * Why an earlier approval does not count any more: the transactions were too old and had to be built again, the same transactions have
 * another effect by now, or a first attempt was sent and is proven not to have landed.
 */
export type ReapprovalReason = 'tookTooLong' | 'changed' | 'firstTryDidNotLand';

/** The user interface of an operation. */
export interface OperationHost {
  /** @param leftMs how long the step takes at most from now on, if known; reported repeatedly as it decreases */
  report(step: OperationStep, leftMs?: number): void;
  /**
   * Shows the review and asks for approval; false: declined. Also called for blocked reviews, to show why. `reason`: an earlier approval
   * does not count any more.
   */
  approve(review: Review, reason?: ReapprovalReason): Promise<boolean>;
  /** Checks a review that is not blocked before the user is asked. A thrown error ends the operation with nothing signed. @throws OperationError */
  inspect?(review: Review): void;
  /** The signer of the owner; called only after approval. */
  signer(): Promise<Signer>;
  /** Called with the operation's id in the journal once it exists; again with another id if the run begins a new operation. */
  began?(operation: string): void;
  /** Called when it has settled, with its record and what it moved. */
  settled?(record: OperationRecord): void;
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
  /** The id of the service (`ServiceChoice.id`), by which later starts know what the operation was for. */
  readonly serviceId: string;
  /** The rebalance (its id in the journal) that the operation is a part of. */
  readonly parent?: string;
  /** The partially executed operation (its id in the journal) that this one completes; only one does. */
  readonly finishes?: string;
  /**
   * Whether a zap-in waits until an earlier one to the same pool, that did not land and is signed, can no longer land (step
   * `waitingForEarlier`): for a retry where the user was not told to wait, and for the zap-in of a rebalance. Without
   * it the review counts both together. What may have landed is not waited for: it is refused, as ever.
   */
  readonly waitsForEarlier?: boolean;
  readonly service: LiquidityService;
  readonly portfolio: PortfolioControl;
  /**
   * The operation's share of the service's request limit; `service` and `portfolio` send for it. What has to follow on a build is kept free
   * before the service is asked to build. Without it nothing is kept.
   */
  readonly requests?: OperationRequests | undefined;
  /** Whether an explorer on the web knows the service's transactions; without it none does. */
  readonly hasExplorer?: boolean;
  /** Whether `service` is still the one in use: of what another one lists nothing can be concluded. */
  readonly isServiceInUse: () => boolean;
  readonly log: (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void;
  /** The user's RPC; `undefined`: there is none, and the review reads the transactions alone. */
  readonly rpc: SolanaRpc | undefined;
  /** What the user has set of the review's limits; read for each review. */
  readonly policy: () => Partial<PolicySettings>;
  /** Whether the RPC is to simulate the transactions before they are signed. */
  readonly isSimulating: boolean;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** How long to wait for the effect to be listed, and how often to look. */
  readonly settleTimeoutMs: number;
  readonly settleEveryMs: number;
  /** By which it is waited; without it by the system's. */
  readonly clock?: Pick<Clock, 'after'>;
}

/** How an operation ended when nothing failed. What fails is thrown as an `OperationError` (errors.ts). */
export type OperationResult =
  /** The user said no (or cancelled): nothing was signed, nothing was sent; or, `isAfterFirstTry`, nothing more than a first try that did not land. */
  | { readonly kind: 'declined'; readonly isAfterFirstTry?: true }
  /** The review blocked it: nothing was signed; `isAfterFirstTry`: nothing more than a first try that did not land. */
  | { readonly kind: 'blocked'; readonly review: Review; readonly isAfterFirstTry?: true }
  /** Landed, and the portfolio shows it. `shortfall`: what of it did not happen (a partial execution), in sentences for the user. */
  | {
      readonly kind: 'settled';
      readonly signature: string | undefined;
      readonly position: Address | undefined;
      readonly shortfall?: string | undefined;
    }
  /**
   * The service says that it landed, or (`isProven`) the chain does; the portfolio does not show it yet. `stoppedWaiting`: because the user did
   * not want to wait longer.
   */
  | {
      readonly kind: 'landedNotListed';
      readonly isProven?: true;
      readonly signature: string | undefined;
      readonly position: Address | undefined;
      readonly stoppedWaiting: boolean;
    };

/** What a failure means for the money. */
export type MoneyState =
  /** Nothing was sent: nothing moved. */
  | 'untouched'
  /** It was sent, and no answer came: it may or may not have landed. */
  | 'unknown';
