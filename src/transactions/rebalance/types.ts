import type { Strategy } from '../../service/common';
import type { OpenPosition } from '../../service/positions';
import type { BinRange } from '../../base/dlmm/bins';
import type { Review } from '../../review/types';
import type { Address } from '../../base/solana/address';
import type { Signer } from '../../wallet/signer';
import type { OperationError } from '../errors';
import type { OperationRecord } from '../journal/types';
import type { QuestionDetails, ReapprovalReason, OperationStep } from '../types';

/** How the proceeds of a position are re-entered. */
export interface ReentryTerms {
  /** Bins on each side of the active one; `undefined`: as many bins as the position had. */
  readonly halfWidthBins: number | undefined;
  /** `undefined`: as the position had it or, if unknown, Spot. */
  readonly strategy: Strategy | undefined;
  /** 0 to 10000; for the zap-out and the zap-in each. */
  readonly slippageBps: number;
  /** SOL that must stay in the wallet after the zap-in. */
  readonly reserveLamports: bigint;
}

export interface RebalancePlan {
  readonly position: OpenPosition;
  readonly owner: Address;
  readonly terms: ReentryTerms;
  /** A re-entry that deposits more is a question, whatever was approved before, lamports. Default: no such limit. */
  readonly mostReentryLamports?: bigint | undefined;
}

/**
 * What a zap-out returned, and how that is known: by its own transactions, by the difference of two balances, which may contain money from
 * elsewhere, or because the user entered it.
 */
export interface Proceeds {
  readonly lamports: bigint;
  readonly from: 'transactions' | 'balances' | 'user';
}

/** The re-entry, known once the proceeds are. */
export interface Reentry {
  readonly pool: Address;
  readonly pairName: string;
  readonly lamportsBack: bigint;
  readonly proceedsFrom: Proceeds['from'];
  /** The deposit: the proceeds less the costs of the zap-in, and without touching the reserve. */
  readonly inputLamports: bigint;
  readonly range: BinRange;
  readonly activeBinId: number;
  /** Basis points; `undefined`: not reported. */
  readonly binStepBps?: number | undefined;
  readonly strategy: Strategy;
  readonly slippageBps: number;
  /**
   * Differences from what the user was shown at the approval of the rebalance, and what is not known of the proceeds, as sentences. With any
   * of them that approval doesn't cover the re-entry.
   */
  readonly warnings: readonly string[];
}

export type RebalanceLeg = 'zapOut' | 'zapIn';

/** Progress of a rebalance. */
export type RebalanceStep =
  | { readonly leg: RebalanceLeg; readonly step: OperationStep; /** See `OperationHost.report`. */ readonly leftMs?: number }
  /** The position is closed; the proceeds are awaited and measured. */
  | { readonly leg: 'between'; readonly step: 'measuring' | 'readingPool' };

export interface LegApproval {
  readonly leg: RebalanceLeg;
  readonly review: Review;
  /** Why the user is asked again; `undefined` the first time. */
  readonly reason: ReapprovalReason | undefined;
  /** What the question shows besides the review. */
  readonly details?: QuestionDetails | undefined;
  /** `undefined` for the zap-out. */
  readonly reentry: Reentry | undefined;
}

/** The side that talks to the user, for both legs; see `OperationHost`. */
export interface RebalanceHost {
  report(step: RebalanceStep): void;
  /** Asked for each leg; false: declined. Called for blocked reviews as well, to explain them. */
  approve(request: LegApproval): Promise<boolean>;
  /** See `OperationHost.repeat`: asked before the rebalance begins, about its position and its pool. */
  repeat?(earlier: readonly OperationRecord[]): Promise<boolean>;
  /** Called for each leg, only after its approval. */
  signer(): Promise<Signer>;
  /**
   * Asks how much SOL to re-enter if the proceeds could not be measured; `undefined`: cancelled. Without this method nothing is re-entered.
   * @param worthSol the position's value before by the service; `undefined` if it did not report one
   */
  amount?(worthSol: number | undefined): Promise<bigint | undefined>;
  /** Called with the ids in the journal: of the rebalance first, then of its legs. */
  began?(operation: string): void;
  /** Called with the id of the rebalance or of a leg that the run leaves before it has ended. */
  leftOpen?(operation: string): void;
  /** Default: the user. */
  readonly approver?: 'user' | 'automation';
}

/** Why nothing was re-entered. */
export type NotReenteredReason =
  /** The proceeds are below the minimum, or costs and reserve leave too little: the rebalance has ended. */
  | 'tooLittle'
  /** The proceeds could not be measured: the user chooses the amount. */
  | 'notMeasured'
  /** The zap-out was partially executed: it has to be completed first. */
  | 'partiallyExecuted'
  /** The user or auto-rebalance did not approve it. */
  | 'declined'
  | 'blocked'
  /** It was cancelled between the two legs. */
  | 'cancelled'
  /** The zap-in failed, and nothing of it landed. */
  | 'failed';

/** How a rebalance ended when the zap-out did not fail. */
export type RebalanceResult =
  /** Nothing was signed or sent; `isAfterFirstTry`: except a first attempt at the zap-out that did not land. */
  | { readonly kind: 'declined'; readonly isAfterFirstTry?: true }
  | { readonly kind: 'blocked'; readonly review: Review; readonly isAfterFirstTry?: true }
  /** The new position is listed. */
  | {
      readonly kind: 'settled';
      readonly rebalance: string;
      readonly reentry: Reentry;
      readonly position: Address | undefined;
      readonly signature: string | undefined;
    }
  /**
   * The zap-out has landed; nothing was re-entered. `isOpen`: re-entering is still offered (*Re-enter*, *Don't Re-enter*), here and after a restart.
   * `words`: why, for the user; in sentences.
   */
  | {
      readonly kind: 'notReentered';
      readonly rebalance: string;
      readonly reason: NotReenteredReason;
      readonly words: string;
      readonly lamportsBack: bigint | undefined;
      readonly isOpen: boolean;
      readonly review: Review | undefined;
      readonly error: OperationError | undefined;
    }
  /**
   * A leg was sent and its effect is not listed yet (or it may have landed): it is still watched, and what is left to do is offered
   * afterwards.
   */
  | {
      readonly kind: 'unconfirmed';
      readonly rebalance: string;
      readonly leg: RebalanceLeg;
      readonly signature: string | undefined;
      readonly stoppedWaiting: boolean;
    };
