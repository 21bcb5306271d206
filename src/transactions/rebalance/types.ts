import type { Strategy } from '../../service/common';
import type { OpenPosition } from '../../service/positions';
import type { BinRange } from '../../base/dlmm/bins';
import type { Review } from '../../review/types';
import type { Address } from '../../base/solana/address';
import type { Signer } from '../../wallet/signer';
import type { OperationError } from '../errors';
import type { ReapprovalReason, OperationStep } from '../types';

/** How what came out of a position goes back in. */
export interface ReentryTerms {
  /** Bins to either side of the active one; `undefined`: as many bins as the position had. */
  readonly halfWidthBins: number | undefined;
  /** `undefined`: as the position had it; where that is not known, Spot. */
  readonly strategy: Strategy | undefined;
  /** 0 to 10000; of the zap-out and of the zap-in each. */
  readonly slippageBps: number;
  /** SOL that the wallet keeps after the zap-in, at least. */
  readonly reserveLamports: bigint;
}

/** A position that is to be re-centred. */
export interface RebalancePlan {
  readonly position: OpenPosition;
  readonly owner: Address;
  readonly terms: ReentryTerms;
}

/** What is put back, known once it was measured what came out. */
export interface Reentry {
  readonly pool: Address;
  readonly pairName: string;
  /** What the zap-out brought, measured. */
  readonly lamportsBack: bigint;
  /** What of it goes in: less the costs of the zap-in, and so that the reserve stays. */
  readonly inputLamports: bigint;
  readonly range: BinRange;
  readonly activeBinId: number;
  readonly strategy: Strategy;
  readonly slippageBps: number;
  /**
   * What differs from what the user was shown when they agreed to the rebalance; sentences for the user. With any of them a yes to the
   * zap-out is none to this.
   */
  readonly warnings: readonly string[];
}

/** Which part of a rebalance it is. */
export type RebalanceLeg = 'zapOut' | 'zapIn';

/** Where a rebalance is. */
export type RebalanceStep =
  | { readonly leg: RebalanceLeg; readonly step: OperationStep; /** As `OperationHost.report` has it. */ readonly leftMs?: number }
  /** The position is closed: it is waited for what came out, and measured. */
  | { readonly leg: 'between'; readonly step: 'measuring' | 'readingPool' };

/** What is to be approved. */
export interface LegApproval {
  readonly leg: RebalanceLeg;
  readonly review: Review;
  /** Why it is asked again. */
  readonly reason: ReapprovalReason | undefined;
  /** What is put back; `undefined` for the zap-out. */
  readonly reentry: Reentry | undefined;
}

/** The side that talks to the user; as `OperationHost`, for both parts. */
export interface RebalanceHost {
  report(step: RebalanceStep): void;
  /** Asked for each part; false: it is not wanted. Called also for blocked reviews, to say why. */
  approve(request: LegApproval): Promise<boolean>;
  /** Asked for each part, only after its approval. */
  signer(): Promise<Signer>;
  /**
   * Asks how much SOL goes back in, where what came back could not be measured; `undefined`: the user leaves. Without it nothing goes in.
   * @param worthSol what the position was worth before, by the service's figures; `undefined`: it did not say
   */
  amount?(worthSol: number | undefined): Promise<bigint | undefined>;
  /** Told the ids in the journal: of the rebalance first, then of its parts. */
  began?(operation: string): void;
  /** Who approves; without it the user does. */
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
  /** It was cancelled between the two parts. */
  | 'cancelled'
  /** The zap-in failed, and nothing of it landed. */
  | 'failed';

/** How a rebalance ended when the zap-out did not fail. */
export type RebalanceResult =
  /** Nothing was signed, nothing was sent; `isAfterFirstTry`: nothing more than a first try of the zap-out that did not land. */
  | { readonly kind: 'declined'; readonly isAfterFirstTry?: true }
  | { readonly kind: 'blocked'; readonly review: Review; readonly isAfterFirstTry?: true }
  /** Done: the new position is listed. */
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
  /** A part was sent, and does not show yet (or may have landed): it goes on being watched, and what is left to do is offered then. */
  | {
      readonly kind: 'unconfirmed';
      readonly rebalance: string;
      readonly leg: RebalanceLeg;
      readonly signature: string | undefined;
      readonly stoppedWaiting: boolean;
    };
