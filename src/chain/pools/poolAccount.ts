import type { Address } from '../../base/solana/address';
import type { PoolProgram, TokenAmounts } from '../index/types';
import type { ChainClock } from '../positions/clock';
import type { OnchainPool } from './types';

/** Fees of a pool, percent. */
export type PoolFees = OnchainPool['fees'];

/** The account of a pool, without its tokens. */
export interface PoolAccount {
  readonly program: PoolProgram;
  readonly mints: { readonly x: Address; readonly y: Address };
  readonly vaults: { readonly x: Address; readonly y: Address };
  readonly binStep: number | undefined;
  readonly activeBinId: number | undefined;
  /** Token Y per token X in smallest units. */
  readonly rawPrice: number;
  /** Tokens that positions may earn besides fees. */
  readonly rewardMints: readonly Address[];
  /** What the pool has for trading, from what its vaults hold. */
  reserves(vaults: TokenAmounts): TokenAmounts;
  fees(clock: ChainClock): PoolFees;
  /** The whole account as the SDK decodes it. */
  readonly decoded: object;
}
