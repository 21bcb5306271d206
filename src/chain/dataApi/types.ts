import type { Address } from '../../base/solana/address';
import type { PoolProgram } from '../index/types';

/** The windows of the data API's figures. */
export type DataWindow = '30m' | '1h' | '2h' | '4h' | '12h' | '24h';

/** The lengths of candles and volume buckets. */
export type DataTimeframe = '5m' | DataWindow;

/** A figure for each window; `undefined` if it is not known. */
export type PerWindow = Readonly<Record<DataWindow, number | undefined>>;

/** A token as the data API lists it. Text is untrusted, on one line and bounded. */
export interface DataToken {
  readonly mint: Address;
  readonly symbol: string | undefined;
  readonly name: string | undefined;
  readonly decimals: number;
  /** US dollars for one whole token. */
  readonly priceUsd: number | undefined;
  readonly marketCapUsd: number | undefined;
  /** All tokens that exist, whole tokens. */
  readonly supply: number | undefined;
  readonly holders: number | undefined;
  readonly hasFreezeAuthority: boolean;
}

/** A pool as the data API of its program lists it. Fees are percent; money is US dollars; amounts are whole tokens. */
export interface DataPool {
  readonly address: Address;
  readonly program: PoolProgram;
  readonly name: string;
  readonly x: DataToken;
  readonly y: DataToken;
  readonly amountX: number | undefined;
  readonly amountY: number | undefined;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number | undefined;
  /** `undefined`: the pool has no bins. */
  readonly binStepBps: number | undefined;
  readonly baseFeePercent: number;
  /** Base and variable fee together; the data of DAMM v2 does not have it. */
  readonly dynamicFeePercent: number | undefined;
  readonly tvlUsd: number | undefined;
  readonly volumeUsd: PerWindow;
  readonly feesUsd: PerWindow;
  /** Fees of the window over TVL. */
  readonly feeTvlPercent: PerWindow;
}

/** Order, filter and page of {@link DataApi.pools}. */
export interface DataPoolsQuery {
  /** From 1. */
  readonly page: number;
  /** 1 to 1000. */
  readonly pageSize: number;
  /** Matches names, tokens and addresses. */
  readonly search?: string | undefined;
  /** `tvl:desc` */
  readonly sortBy?: string | undefined;
  /** Conditions that must all hold: `tvl>=1000`. */
  readonly filters?: readonly string[];
}

export interface DataPoolsPage {
  readonly pools: readonly DataPool[];
  /** Of all pages. */
  readonly total: number;
  readonly pages: number;
}

/** Prices of a pool in one interval: whole token Y for one whole token X. */
export interface Candle {
  /** Start, seconds since 1970. */
  readonly timeS: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** US dollars. */
  readonly volumeUsd: number;
}

/** Trading in one interval, US dollars. */
export interface VolumeBucket {
  /** Start, seconds since 1970. */
  readonly timeS: number;
  readonly volumeUsd: number;
  readonly feesUsd: number;
}

/** A span of time in intervals; both ends are inclusive, seconds since 1970. */
export interface DataSpan {
  readonly timeframe: DataTimeframe;
  readonly startS: number;
  readonly endS: number;
}

/**
 * What went one way between a wallet and a position: whole tokens as decimal text, often with the noise of floating point. The worth is that of the times
 * of its events, as the API values them.
 */
export interface DataFlow {
  readonly x: string;
  readonly y: string;
  readonly usd: number | undefined;
  readonly sol: number | undefined;
}

/** A DLMM position of a wallet as the data API lists it. */
export interface DataPosition {
  readonly address: Address;
  readonly pool: Address;
  readonly lowerBinId: number;
  readonly upperBinId: number;
  /** Seconds since 1970. */
  readonly createdAtS: number | undefined;
  /** Seconds since 1970; `undefined`: it is open, or the time is not known. */
  readonly closedAtS: number | undefined;
  readonly isClosed: boolean;
  readonly deposits: DataFlow;
  readonly withdrawals: DataFlow;
  readonly fees: DataFlow;
}

/** Whole tokens as decimal text, and what they were worth then, US dollars. */
export interface DataAmount {
  readonly amount: string;
  readonly usd: number | undefined;
}

/** What happened to a DLMM position, as the data API lists it. */
export interface DataPositionEvent {
  readonly kind: 'add' | 'remove' | 'claim_fee' | 'claim_reward';
  readonly position: Address;
  readonly pool: Address;
  readonly owner: Address;
  readonly signature: string;
  /** Order on the chain: slot, and instruction. */
  readonly place: readonly [slot: number, instruction: number];
  /** Seconds since 1970. */
  readonly timeS: number;
  readonly x: DataAmount;
  readonly y: DataAmount;
}

/** A pool in which a wallet has open positions. */
export interface DataOpenPool {
  readonly pool: Address;
  readonly positions: readonly Address[];
}

/** Meteora's public data of DLMM pools and positions. Methods throw {@link DataApiError}; a caller goes on without. */
export interface DataApi {
  pools(query: DataPoolsQuery): Promise<DataPoolsPage>;
  /** `undefined`: the API does not know the pool. */
  pool(address: Address): Promise<DataPool | undefined>;
  /** Oldest first. */
  candles(pool: Address, span: DataSpan): Promise<readonly Candle[]>;
  /** Oldest first. */
  volumes(pool: Address, span: DataSpan): Promise<readonly VolumeBucket[]>;
  /** Pools in which a wallet has open positions, and their addresses. A new position is there some seconds to minutes after it is opened. */
  openPools(owner: Address): Promise<readonly DataOpenPool[]>;
  /** Pools in which a wallet closed positions in the last year. */
  closedPools(owner: Address): Promise<readonly Address[]>;
  /** All positions of a wallet in a pool, open and closed. */
  positionsIn(pool: Address, owner: Address): Promise<readonly DataPosition[]>;
  /** What happened to a position, in no particular order. None: the API does not know it, or not yet. */
  positionEvents(position: Address): Promise<readonly DataPositionEvent[]>;
}

/** What the data APIs of both programs answer. */
export type PoolDataApi = Pick<DataApi, 'pools' | 'pool' | 'candles' | 'volumes'>;

/** The data API of each program; `undefined`: it is not to be asked. */
export type DataApis = Readonly<Record<PoolProgram, PoolDataApi | undefined>>;

/** The windows of pool discovery that are used. */
export type DiscoveryWindow = '5m' | '1h' | '24h';

/** What pool discovery says of a token. */
export interface DiscoveredToken {
  readonly mint: Address;
  /** 0 to 100. */
  readonly organicScore: number | undefined;
  readonly holders: number | undefined;
  /** Its warnings: `HAS_FREEZE_AUTHORITY`. `undefined`: not known. */
  readonly warnings: readonly { readonly type: string; readonly isCritical: boolean }[] | undefined;
}

/** A pool as pool discovery lists it. The API has no contract: all but the addresses may be unknown. Money is US dollars. */
export interface DiscoveredPool {
  readonly address: Address;
  readonly tokens: readonly DiscoveredToken[];
  readonly tvlUsd: number | undefined;
  /** Of the requested window. */
  readonly volumeUsd: number | undefined;
  readonly feesUsd: number | undefined;
  readonly priceChangePercent: number | undefined;
}

/** Meteora's pool discovery. It throws {@link DataApiError}; a caller goes on without. */
export interface DiscoveryApi {
  /** The pools that it lists first. @param filters conditions that must all hold: `pool_address=…` */
  pools(window: DiscoveryWindow, pageSize: number, filters: readonly string[]): Promise<readonly DiscoveredPool[]>;
}

/** The kinds of failure. */
export type DataApiErrorKind =
  /** No connection, a broken one, or no answer in time. */
  | 'unreachable'
  /** HTTP 429, a request during the pause after it, or too many requests that wait for their turn. */
  | 'rateLimited'
  /** HTTP 400 or 404: it has no such pool, or does not understand the query. */
  | 'notFound'
  /** Any other HTTP 4xx. */
  | 'refused'
  /** HTTP 5xx or a redirect. */
  | 'failed'
  /** Not the JSON that the contract describes, or longer than allowed. */
  | 'unreadable';

/** The data API gave no answer that can be used. */
export class DataApiError extends Error {
  override readonly name = 'DataApiError';
  constructor(
    readonly kind: DataApiErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
