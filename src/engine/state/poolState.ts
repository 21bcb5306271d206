import type { ByFact } from '../../base/tokenFacts';
import type { Interval } from '../../service/pools';
import type { KnownOrNull } from './figures';
import type { RawAmounts, RecordToken } from './positionState';

// What a service knows of pools: all that it supplies for their records. Null, and what is left out: not known.

/** What the prices of a pool's bins depend on. */
export interface BinPriceScale {
  readonly binStepBps: number;
  readonly token0: { readonly decimals: number };
  readonly token1: { readonly decimals: number };
}

/** Trading of a token in an interval, US dollars. */
export interface TokenVolume {
  readonly usd: number;
  /** From the interval before. */
  readonly changePercent: number;
}

/** A token of a pool and its market. Money in US dollars. */
export interface PoolTokenState extends RecordToken, Partial<ByFact<KnownOrNull, boolean | null>> {
  /** For one whole token. */
  readonly usd: KnownOrNull;
  readonly holders?: KnownOrNull;
  /** When the first pool with the token was created, milliseconds since 1970. */
  readonly firstPoolAt?: KnownOrNull;
  readonly volume?: Readonly<Record<'1h' | '6h' | '24h', TokenVolume>>;
}

/** A figure for each interval that ends now. */
export type IntervalFigures = Readonly<Partial<Record<Interval, KnownOrNull>>>;

/** A pool as lists show it. Money in US dollars; times in milliseconds since 1970. */
export interface ListedPoolState {
  readonly address: string;
  /** Name of the protocol on the wire. */
  readonly protocol: string;
  /** "BONQ/SOL" */
  readonly pairName: string;
  readonly token0: PoolTokenState;
  readonly token1: PoolTokenState;
  /** Null in pools without bins. */
  readonly binStepBps: number | null;
  /** Whole tokens. */
  readonly amount0: KnownOrNull;
  readonly amount1: KnownOrNull;
  readonly tvlUsd: KnownOrNull;
  readonly baseFeePercent: KnownOrNull;
  /** How much the price moves, in any unit: pools are ordered by it. */
  readonly volatility: KnownOrNull;
  readonly volumeUsd: IntervalFigures;
  readonly feesUsd: IntervalFigures;
  /** Fees over the liquidity: a fraction. */
  readonly feesOverTvl: IntervalFigures;
  readonly priceChangePercent?: IntervalFigures;
  readonly createdAt: KnownOrNull;
  /** When all this was read. */
  readonly readAt: number;
}

/** A pool with what its details show besides. */
export interface PoolDetailsState extends Omit<ListedPoolState, 'amount0' | 'amount1'> {
  readonly amount0: number;
  readonly amount1: number;
  /** The account of the pool: names of the IDL in camel case, plain values. */
  readonly account: Readonly<Record<string, unknown>>;
  readonly fees: {
    readonly maximumPercent: KnownOrNull;
    readonly protocolPercent: number;
    /** Base and variable fee together. */
    readonly dynamicPercent: KnownOrNull;
  };
  /** Trading by the hour, oldest first. */
  readonly hours: readonly { readonly startsAt: number; readonly feesUsd: number; readonly volumeUsd: number }[];
  /** `undefined` in pools without bins. */
  readonly bins: (BinPriceScale & { readonly activeBinId: number; readonly amountsOf: (binId: number) => RawAmounts }) | undefined;
}
