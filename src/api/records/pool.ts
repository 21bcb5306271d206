import type { Address } from '../../solana/address';
import type { Money, PoolType, Token } from './money';

/** The spans over which the service sums up volume, fees and price changes. */
export type Interval = '5m' | '1h' | '6h' | '24h';

/** A figure for each interval; `undefined` where the service gives none. */
export type PerInterval = Readonly<Record<Interval, number | undefined>>;

/** A pool as discover lists it (spec §2.3). */
export interface Pool {
  readonly address: Address;
  /** "BONK/SOL" */
  readonly pairName: string;
  readonly token0: Token;
  readonly token1: Token;
  readonly protocol: string | undefined;
  readonly poolType: PoolType;
  readonly tvlUsd: number | undefined;
  readonly volumeUsd: PerInterval;
  /** What token0 was traded for in the interval, in all its pools, against the interval before; percent. */
  readonly volumeChangePercent: PerInterval;
  /** Percent: 0.2 is 0.2 %. */
  readonly baseFeePercent: number | undefined;
  /** Fees of 24 h over TVL, as a fraction; from the record where given, else volume × fee ÷ TVL. */
  readonly feeTvlRatio24h: number | undefined;
  readonly binStepBps: number | undefined;
  /** US dollars for one token0 / token1. */
  readonly price0Usd: number | undefined;
  readonly price1Usd: number | undefined;
  /** Percent. */
  readonly priceChangePercent: PerInterval;
  readonly marketCapUsd: number | undefined;
  readonly fdvUsd: number | undefined;
  /** 0 to 100. */
  readonly organicScore: number | undefined;
  /** Percent held by the largest holder. */
  readonly topHolderPercent: number | undefined;
  /** True: token0 can still be minted or frozen by its authority. */
  readonly mintOrFreezeEnabled: boolean | undefined;
  readonly holders: number | undefined;
  /** Whole tokens in the pool. */
  readonly liquidity0: number | undefined;
  readonly liquidity1: number | undefined;
  readonly createdAt: Date | undefined;
  readonly updatedAt: Date | undefined;
}

/** A bin of the liquidity distribution. */
export interface BinLiquidity {
  readonly binId: number;
  /** Whole tokens. */
  readonly amountX: number;
  readonly amountY: number;
  /** token1 for one token0 in whole tokens (`pricePerToken`). */
  readonly price: number | undefined;
}

/** Facts about a token (spec §2.4, tokenInfo). */
export interface TokenFacts extends Token {
  readonly marketCapUsd: number | undefined;
  readonly fdvUsd: number | undefined;
  readonly priceUsd: number | undefined;
  readonly organicScore: number | undefined;
  readonly holders: number | undefined;
}

/** One pool in detail (spec §2.4). */
export interface PoolInfo {
  readonly poolType: PoolType;
  readonly protocol: string | undefined;
  /** Token X and token Y; fewer where the service does not know them. */
  readonly tokens: readonly TokenFacts[];
  /** Whole tokens in the pool. */
  readonly amountX: number | undefined;
  readonly amountY: number | undefined;
  /** All in percent. */
  readonly fees: {
    readonly basePercent: number | undefined;
    readonly maxPercent: number | undefined;
    readonly protocolPercent: number | undefined;
    readonly dynamicPercent: number | undefined;
  };
  /** `undefined` for pools without bins. */
  readonly activeBin: { readonly binId: number; readonly price: number | undefined } | undefined;
  /** Ascending by bin; empty for pools without bins. */
  readonly bins: readonly BinLiquidity[];
  /** Contents are not specified; kept as they came. */
  readonly feeStats: readonly Readonly<Record<string, unknown>>[];
  readonly poolStats: Readonly<Record<string, unknown>>;
  readonly poolState: Readonly<Record<string, unknown>>;
  readonly poolDb: Readonly<Record<string, unknown>>;
}

/** A liquidity provider of a pool (spec §2.5). */
export interface PoolLper {
  readonly owner: Address;
  readonly pool: Address | undefined;
  readonly protocol: string | undefined;
  readonly inflow: Money;
  readonly averageInflow: Money;
  readonly outflow: Money;
  readonly fee: Money;
  readonly reward: Money;
  readonly pnl: Money;
  /** Fractions: 0.6 is 60 %. */
  readonly feeRate: Money;
  readonly winRate: Money;
  readonly roi: number | undefined;
  readonly apr: number | undefined;
  readonly positions: number | undefined;
  readonly won: Money;
  readonly averageAgeHours: number | undefined;
  readonly firstActivity: Date | undefined;
  readonly lastActivity: Date | undefined;
}
