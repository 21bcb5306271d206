import type { Address } from '../../base/solana/address';
import type { IndexProgress, PoolProgram, TokenAmounts } from '../index/types';

/** A reward of its pool that waits in a position: a token besides the fees. */
export interface WaitingReward {
  /** Which of the pool's rewards. */
  readonly index: number;
  readonly mint: Address;
  /** Raw, above 0; a transfer fee is not deducted. */
  readonly amount: bigint;
}

/** An open position, from its accounts. */
export interface OnchainPosition {
  readonly address: Address;
  readonly owner: Address;
  readonly pool: Address;
  readonly program: PoolProgram;
  /** Inclusive; `undefined` for pools without bins. */
  readonly range: { readonly lowerBinId: number; readonly upperBinId: number } | undefined;
  /** All liquidity, locked and vesting liquidity included; transfer fees are not deducted. */
  readonly amounts: TokenAmounts;
  /** The part of {@link amounts} that can be withdrawn, 0 to 1: in pools without bins, liquidity may be locked. */
  readonly withdrawableShare: number;
  readonly unclaimedFees: TokenAmounts;
  /** `undefined`: not known. */
  readonly rewards: readonly WaitingReward[] | undefined;
  /** Raw liquidity, decimal text. */
  readonly liquidity: string;
}

/** The open positions of an owner. */
export interface OwnPositions {
  readonly positions: readonly OnchainPosition[];
  /** Where the RPC does not search accounts: how far the history was read that shows them. Positions that it does not show are missing. */
  readonly history: IndexProgress | undefined;
}

/** Reads open positions from accounts. */
export interface PositionReader {
  openPositions(owner: Address): Promise<OwnPositions>;
  /** `undefined`: there is no such account. */
  openPosition(position: Address): Promise<OnchainPosition | undefined>;
}
