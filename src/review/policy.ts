import type { Address } from '../base/solana/address';

/** The limits of the review (review policy, constants). Lamports where not said otherwise. */
export interface PolicySettings {
  /** Jito tips of the operation: up to here allowed, up to `tipBlockLamports` confirmed, above blocked. */
  readonly tipAllowLamports: bigint;
  readonly tipBlockLamports: bigint;
  /** Network and priority fees of the operation, likewise. */
  readonly feeAllowLamports: bigint;
  readonly feeBlockLamports: bigint;
  /** SOL that one transaction sends to strangers: up to here confirmed, above blocked. */
  readonly skimBlockLamports: bigint;
  /** How far a zap-in may spend more than was asked, in basis points of the input. */
  readonly inputToleranceBps: bigint;
  /** Rent of the operation above this is confirmed. */
  readonly rentConfirmLamports: bigint;
  /** SOL that a zap-out wraps: up to here allowed, up to `wrapBlockLamports` confirmed, above blocked. */
  readonly wrapAllowLamports: bigint;
  readonly wrapBlockLamports: bigint;
  /** Transactions of one operation above this are confirmed. */
  readonly maxTransactions: number;
  /** Above this they are blocked unread: no operation has so many, and reading thousands would hold up the editor. */
  readonly blockTransactions: number;
  /** A swap's platform fee above this is blocked; any at all is confirmed. Basis points. */
  readonly platformFeeBlockBps: number;
  /** A swap's slippage above this is blocked; above the intended one it is confirmed. Basis points. */
  readonly slippageBlockBps: number;
  /** How many bins the active bin may move before a deposit fails; above this it is confirmed. */
  readonly activeBinSlippageBins: number;
  /** A quoted or minimal output below this is confirmed; none at all is blocked. Raw units. */
  readonly dustQuoteRaw: bigint;
  /** How much less than the slippage allows a quote may be worth by the price that the user was shown, before it is confirmed. Basis points. */
  readonly priceToleranceBps: number;
  /** A quote that is worth less than this share of what the user was shown is blocked. Basis points. */
  readonly priceBlockBps: number;
  /** A transfer fee of a Token-2022 mint above this is confirmed when it is bought. Basis points. */
  readonly transferFeeConfirmBps: number;
  /** Programs that the user trusts besides those of the list: asked about instead of refused (PRG-2). */
  readonly trustedPrograms: readonly Address[];
  /** Who may get fees with the user's consent (SYS-1, TOK-1), and how much SOL of one operation. */
  readonly feeRecipients: readonly Address[];
  readonly feeRecipientCapLamports: bigint;
  /** What a lookup table hides in a role that matters is refused instead of asked about (ALT-2). */
  readonly isStrictWithoutRpc: boolean;
}

export const DEFAULT_POLICY: PolicySettings = {
  tipAllowLamports: 10_000_000n,
  tipBlockLamports: 50_000_000n,
  feeAllowLamports: 10_000_000n,
  feeBlockLamports: 50_000_000n,
  skimBlockLamports: 5_000_000n,
  inputToleranceBps: 100n,
  rentConfirmLamports: 400_000_000n,
  wrapAllowLamports: 10_000_000n,
  wrapBlockLamports: 1_000_000_000n,
  maxTransactions: 10,
  blockTransactions: 64,
  platformFeeBlockBps: 1_000,
  slippageBlockBps: 5_000,
  activeBinSlippageBins: 100,
  dustQuoteRaw: 1_000n,
  priceToleranceBps: 200,
  priceBlockBps: 5_000,
  transferFeeConfirmBps: 500,
  trustedPrograms: [],
  feeRecipients: [],
  feeRecipientCapLamports: 50_000_000n,
  isStrictWithoutRpc: false,
};
