import type { Address } from '../base/solana/address';

/** The limits of the review, in lamports unless stated otherwise. README.md lists the defaults. */
export interface PolicySettings {
  /** Jito tips of the operation: allowed up to this sum, a question up to `tipBlockLamports`, blocked above (TIP-1, TIP-2). */
  readonly tipAllowLamports: bigint;
  readonly tipBlockLamports: bigint;
  /** The same for network and priority fees of the operation (FEE-1, FEE-2). */
  readonly feeAllowLamports: bigint;
  readonly feeBlockLamports: bigint;
  /** Tips, network and priority fees above this share of what is deposited or withdrawn are a question, basis points (FEE-4). */
  readonly costConfirmBps: bigint;
  /** SOL that one transaction sends to strangers: a question up to this sum, blocked above (SYS-1). */
  readonly skimBlockLamports: bigint;
  /** How much more than the input a zap-in may spend, basis points of the input (LIM-1). */
  readonly inputToleranceBps: bigint;
  /** Rent of the operation above this sum is a question (RNT-1). */
  readonly rentConfirmLamports: bigint;
  /** SOL that a zap-out wraps: allowed up to this sum, a question up to `wrapBlockLamports`, blocked above (LIM-2). */
  readonly wrapAllowLamports: bigint;
  readonly wrapBlockLamports: bigint;
  /** More transactions in one operation are a question (BND-1). */
  readonly maxTransactions: number;
  /** More transactions are blocked unread: no operation has as many, and reading thousands would block the editor (BND-1). */
  readonly blockTransactions: number;
  /** A swap's platform fee above this share is blocked; any fee is a question. Basis points (SWP-4). */
  readonly platformFeeBlockBps: number;
  /** A swap's slippage tolerance above this is blocked; above the user's it is a question. Basis points (SWP-2). */
  readonly slippageBlockBps: number;
  /** How far the active bin may move before a deposit fails where the step between bins is not known: more bins are a question (DLMM-7). */
  readonly unknownStepBins: number;
  /** A guaranteed result below this amount is a question, none at all is blocked. Raw units (SWP-3). */
  readonly dustQuoteRaw: bigint;
  /**
   * How far a quote may be below a known price, and the price at which a deposit lands from one, in addition to the slippage tolerance before it
   * is a question. Basis points (SWP-9, DLMM-7, DAMM-7).
   */
  readonly priceToleranceBps: number;
  /** A quote below this share of a known price is blocked, and so is a deposit that lands below it, or above the inverse. Basis points (SWP-9, DLMM-7, DAMM-7). */
  readonly priceBlockBps: number;
  /** A transfer fee of a Token-2022 mint above this share is a question. Basis points (MINT-1). */
  readonly transferFeeConfirmBps: number;
  /** Programs that the user trusts besides the listed ones: a question instead of blocked (PRG-2). */
  readonly trustedPrograms: readonly Address[];
  /** Approved recipients of fees (SYS-1, TOK-1), and the most SOL that they may get from one operation. */
  readonly feeRecipients: readonly Address[];
  readonly feeRecipientCapLamports: bigint;
  /** An account from an unread lookup table in a sensitive role is blocked instead of a question (ALT-2). */
  readonly isStrictWithoutRpc: boolean;
}

export const DEFAULT_POLICY: PolicySettings = {
  tipAllowLamports: 10_000_000n,
  tipBlockLamports: 50_000_000n,
  feeAllowLamports: 10_000_000n,
  feeBlockLamports: 50_000_000n,
  costConfirmBps: 100n,
  skimBlockLamports: 5_000_000n,
  inputToleranceBps: 100n,
  rentConfirmLamports: 400_000_000n,
  wrapAllowLamports: 10_000_000n,
  wrapBlockLamports: 1_000_000_000n,
  maxTransactions: 10,
  blockTransactions: 64,
  platformFeeBlockBps: 1_000,
  slippageBlockBps: 5_000,
  unknownStepBins: 5,
  dustQuoteRaw: 1_000n,
  priceToleranceBps: 200,
  priceBlockBps: 5_000,
  transferFeeConfirmBps: 500,
  trustedPrograms: [],
  feeRecipients: [],
  feeRecipientCapLamports: 50_000_000n,
  isStrictWithoutRpc: false,
};
