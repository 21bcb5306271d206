import type { Address } from '../../solana/address';

/** What an owner holds of one token (spec §4.7, and the published shape). */
export interface TokenBalance {
  /** The mint; the native token goes by the mint of wrapped SOL. */
  readonly mint: Address;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  /** In the token's smallest unit; `undefined` where it cannot be told exactly. */
  readonly amountRaw: bigint | undefined;
  /** Whole tokens, as decimal text; exact. */
  readonly amountText: string;
  readonly priceUsd: number | undefined;
}
