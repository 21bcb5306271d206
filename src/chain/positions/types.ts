import type { Address } from '../../base/solana/address';
import type { PoolProgram, TokenAmounts } from '../index/types';

/** An open position as its accounts tell it. */
export interface OnchainPosition {
  readonly address: Address;
  readonly owner: Address;
  readonly pool: Address;
  readonly program: PoolProgram;
  /** Inclusive; `undefined` for pools without bins. */
  readonly range: { readonly lowerBinId: number; readonly upperBinId: number } | undefined;
  /** Withdrawable, transfer fees not deducted. */
  readonly amounts: TokenAmounts;
  /** What the owner would receive, Token-2022 transfer fees deducted. */
  readonly receivable: TokenAmounts;
  readonly unclaimedFees: TokenAmounts;
  /** Claimed over the life of the position, from the account. */
  readonly claimedFees: TokenAmounts;
  /** Raw liquidity, decimal text. */
  readonly liquidity: string;
}

/** Reads open positions from accounts. */
export interface PositionReader {
  openPositions(owner: Address): Promise<readonly OnchainPosition[]>;
  /** `undefined`: there is no such account. */
  openPosition(position: Address): Promise<OnchainPosition | undefined>;
}
