import type { Address } from '../../base/solana/address';
import type { PoolProgram } from '../index/types';

/** A mint and what is known of its token. */
export interface MintInfo {
  readonly mint: Address;
  readonly decimals: number;
  readonly tokenProgram: Address;
  /** Without metadata: the first characters of the mint. Untrusted text. */
  readonly symbol: string;
  readonly name: string;
  readonly logo: string | undefined;
}

/** The present state of a pool, from its accounts. */
export interface OnchainPool {
  readonly address: Address;
  readonly program: PoolProgram;
  readonly x: MintInfo;
  readonly y: MintInfo;
  /** Bins only. */
  readonly binStep: number | undefined;
  readonly activeBinId: number | undefined;
  /** Token Y per token X in smallest units. */
  readonly rawPrice: number;
  readonly reserves: { readonly x: bigint; readonly y: bigint };
  /** Positions may earn other tokens besides fees. */
  readonly hasRewards: boolean;
  /** Those whose mints could be read. */
  readonly rewardTokens: readonly MintInfo[];
  /** Percent: 0.2 is 0.2%. Null: the pool has a kind of fee that is not known here. */
  readonly fees: {
    readonly basePercent: number | null;
    readonly maximumPercent: number | null;
    readonly protocolPercent: number;
    readonly dynamicPercent: number | null;
  };
}

/** Reads pools. Answers may be shared by requests within a second. */
export interface PoolReader {
  /** `undefined`: there is no pool of a known program at this address. */
  pool(address: Address): Promise<OnchainPool | undefined>;
  pools(addresses: readonly Address[]): Promise<ReadonlyMap<Address, OnchainPool>>;
}
