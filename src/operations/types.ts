import type { Address } from '../solana/address';
import type { OpenPosition } from '../api/records/position';
import type { Strategy } from '../api/records/money';
import type { DecreaseOutput } from '../api/records/transactions';
import type { LiquidityService } from '../api/service';
import type { PortfolioControl } from '../portfolio/types';
import type { Review } from '../review/types';
import type { Signer } from '../wallet/types';

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
  readonly strategy: Strategy;
  readonly fromBinId: number;
  readonly toBinId: number;
  /** 0 to 10000. */
  readonly slippageBps: number;
}

/** Where an operation is. */
export type OperationStep = 'building' | 'reviewing' | 'waitingForApproval' | 'signing' | 'landing' | 'waitingForEffect';

/** The side that talks to the user. */
export interface OperationHost {
  report(step: OperationStep): void;
  /** Shows the review and asks; false: the user does not want it. Called also for blocked reviews, to say why. */
  approve(review: Review): Promise<boolean>;
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
