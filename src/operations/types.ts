import type { Address } from '../solana/address';
import type { OpenPosition } from '../api/records/position';
import type { Strategy } from '../api/records/money';
import type { DecreaseOutput } from '../api/records/transactions';
import type { LiquidityService } from '../api/service';
import type { PortfolioControl } from '../portfolio/types';
import type { PolicySettings } from '../review/policy';
import type { Review } from '../review/types';
import type { SolanaRpc } from '../rpc/types';
import type { Signer } from '../wallet/types';
import type { SignedAttempts } from './signedAttempts';

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

/** What the user chose for a zap-in. */
export interface ZapInPlan {
  readonly pool: Address;
  readonly pairName: string;
  readonly poolType: 'dlmm' | 'dammV2';
  readonly tokenX: Address | undefined;
  readonly tokenY: Address | undefined;
  readonly owner: Address;
  readonly inputLamports: bigint;
  /** Share for token X, 0 to 1. */
  readonly percentX: number;
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

/** Where an operation is. */
export type OperationStep = 'building' | 'reviewing' | 'waitingForApproval' | 'signing' | 'landing' | 'waitingForEffect';

/**
 * Why the user is asked again, in place of what was approved before: it took so long that the transactions had to be built
 * anew, or the same transactions would do something else by now.
 */
export type AskAgainReason = 'tookTooLong' | 'changed';

/** The side that talks to the user. */
export interface OperationHost {
  report(step: OperationStep): void;
  /**
   * Shows the review and asks; false: the user does not want it. Called also for blocked reviews, to say why. With a reason
   * it is a question after an approval that does not count any more.
   */
  approve(review: Review, reason?: AskAgainReason): Promise<boolean>;
  /** Gives the signer of the owner; asked for only after approval. */
  signer(): Promise<Signer>;
}

/** What an operation works with. */
export interface OperationDependencies {
  readonly service: LiquidityService;
  readonly portfolio: PortfolioControl;
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
  /** Remembers across operations what is signed and may still land: one for all operations of the window. */
  readonly attempts: SignedAttempts;
  /** How long to wait for the effect to be listed, and how often to look. */
  readonly settleTimeoutMs: number;
  readonly settleEveryMs: number;
}

/** How an operation ended when nothing failed. What fails is thrown as an `OperationError` (errors.ts). */
export type OperationResult =
  /** The user said no (or cancelled): nothing was signed, nothing was sent. */
  | { readonly kind: 'declined' }
  /** The review blocked it: nothing was signed. */
  | { readonly kind: 'blocked'; readonly review: Review }
  /** Landed, and the portfolio shows it. */
  | { readonly kind: 'settled'; readonly signature: string | undefined; readonly position: Address | undefined }
  /** The service says that it landed; the portfolio does not show it yet. `stoppedWaiting`: because the user did not want to wait longer. */
  | { readonly kind: 'landedNotListed'; readonly signature: string | undefined; readonly position: Address | undefined; readonly stoppedWaiting: boolean };

/** What a failure means for the money. */
export type MoneyState =
  /** Nothing was sent: nothing moved. */
  | 'untouched'
  /** It was sent, and no answer came: it may or may not have landed. */
  | 'unknown';
