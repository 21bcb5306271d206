import type { Address } from '../base/solana/address';
import type { Listing, Money, Page } from './common';
import type { Overview } from './overview';
import type { CandlesSpan, PoolCandle } from './candles';
import type { CountersQuery, CountersAnswer } from './counters';
import type { PoolInfo } from './poolInfo';
import type { LperSort, PoolLper } from './poolLpers';
import type { Interval, Pool } from './pools';
import type { PositionLog } from './positionLogs';
import type { ClosedPosition, OpenPosition } from './positions';
import type { RequestPace } from './budget/operationRequests';
import type { TokenBalance } from './tokens';
import type {
  AddBuild,
  AddLanding,
  AddRequest,
  AddToRequest,
  ClaimBuild,
  ClaimLanding,
  ClaimRequest,
  DecreaseBuild,
  DecreaseLanding,
  DecreaseRequest,
  Landed,
  SwapBuild,
  SwapLanding,
  SwapRequest,
} from './transactions';

/** Options of every call. */
export interface CallOptions {
  /** Cancels the call and its retries. */
  readonly signal?: AbortSignal;
  /** Priority of the request within the plan's request limit (requestBudget.ts). Default: `panel`. */
  readonly pace?: RequestPace;
}

/** Sort keys of discover. */
export type PoolSort = 'mcap' | 'created_at' | 'vol_24h' | 'tvl' | 'fee_tvl_ratio' | 'volatility';

/** Parameters of discover; absent ones take the service's default. */
export interface DiscoverQuery {
  readonly chain?: string;
  readonly sortBy?: PoolSort;
  readonly sortOrder?: 'asc' | 'desc' | 'default';
  /** From 1. */
  readonly page?: number;
  /** 1 to 100. */
  readonly pageSize?: number;
  readonly feeTvlInterval?: Interval;
  readonly quoteToken?: Address;
  readonly marketCapUsd?: Bounds;
  readonly binStepBps?: Bounds;
  readonly organicScore?: Bounds;
  readonly baseFeePercent?: Bounds;
  readonly ageHours?: Bounds;
  readonly liquidityUsd?: Bounds;
  readonly fees24hUsd?: Bounds;
  readonly volume24hUsd?: Bounds;
  readonly volume1hUsd?: Bounds;
  readonly poolType?: 'dlmm' | 'dammV2' | 'all';
  /** Pool name or token address. */
  readonly search?: string;
}

/** Minimum and maximum, both included. */
export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** Parameters of historical. */
export interface HistoricalQuery {
  readonly owner: Address;
  readonly from?: Date;
  readonly to?: Date;
  /** From 1. */
  readonly page?: number;
  /** 1 to 100. */
  readonly pageSize?: number;
}

/** Parameters of top-lpers. */
export interface TopLpersQuery {
  readonly pool: Address;
  readonly orderBy?: LperSort;
  readonly sortOrder?: 'asc' | 'desc';
  readonly page?: number;
  readonly pageSize?: number;
}

/** Parameters of revenue. */
export interface RevenueQuery {
  readonly owner: Address;
  readonly period?: 'day' | 'week' | 'month';
  readonly range?: string;
  /** The service's names of protocols. Default: all. */
  readonly protocols?: readonly string[];
}

/** The revenue of one period (/lp-positions/revenue). `pnlPercent` is percent. */
export interface RevenueRow {
  readonly day: Date | undefined;
  readonly pnl: Money;
  readonly invested: Money;
  readonly cumulativePnl: Money;
  readonly pnlPercent: Money;
}

/** Parameters of pools/{id}/positions. */
export interface PoolPositionsQuery {
  readonly pool: Address;
  readonly owner?: Address;
  readonly status?: 'Open' | 'Close';
  readonly page?: number;
  /** 1 to 20. */
  readonly pageSize?: number;
  readonly orderBy?: string;
  readonly sortOrder?: 'asc' | 'desc';
}

/** The quote for a part of a position (decrease-quotes). */
export interface DecreaseQuote {
  readonly price0Usd: number | undefined;
  readonly price1Usd: number | undefined;
  /** The whole answer as received: the contract doesn't describe it. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/**
 * The liquidity position analytics and transaction service: one method per endpoint. Every method checks bounds before it sends and throws a
 * `ServiceError` (errors.ts) for every failure. Landings are never retried: see `ServiceError.mayHaveLanded`. How the client is built, and the
 * quirks of the public service: README.md.
 */
export interface LiquidityService {
  openPositions(owner: Address, options?: CallOptions): Promise<Listing<OpenPosition>>;
  closedPositions(query: HistoricalQuery, options?: CallOptions): Promise<Page<ClosedPosition>>;
  /** The overview for one protocol, by default the service's (DLMM). `undefined`: the service doesn't know this owner there (404). */
  overview(query: { readonly owner: Address; readonly protocol?: string }, options?: CallOptions): Promise<Overview | undefined>;
  /** @param query `reported`: what a service that Binsight runs has not read yet may be as Meteora's public data has it */
  positionLogs(
    query: { readonly position: Address; readonly reported?: boolean } | { readonly owner: Address },
    options?: CallOptions,
  ): Promise<Listing<PositionLog>>;
  revenue(query: RevenueQuery, options?: CallOptions): Promise<Listing<RevenueRow>>;
  discoverPools(query: DiscoverQuery, options?: CallOptions): Promise<Page<Pool>>;
  poolInfo(pool: Address, options?: CallOptions): Promise<PoolInfo>;
  /** Only the services that Binsight runs itself have it. `undefined`: the service does not (404). */
  candles(pool: Address, span: CandlesSpan, options?: CallOptions): Promise<readonly PoolCandle[] | undefined>;
  /** The same. `undefined` also if the pool has no bins, or the position is not in it. */
  counters(query: CountersQuery, options?: CallOptions): Promise<CountersAnswer | undefined>;
  poolPositions(query: PoolPositionsQuery, options?: CallOptions): Promise<Page<OpenPosition>>;
  onchainStats(pool: Address, options?: CallOptions): Promise<Readonly<Record<string, unknown>>>;
  topLpers(query: TopLpersQuery, options?: CallOptions): Promise<Page<PoolLper>>;
  /** All tokens of the owner, or only `mints`. */
  tokenBalances(
    query: { readonly owner: Address; readonly mints?: readonly Address[] },
    options?: CallOptions,
  ): Promise<Listing<TokenBalance>>;
  decreaseQuote(query: { readonly positionId: string; readonly bps: number }, options?: CallOptions): Promise<DecreaseQuote>;
  buildDecrease(request: DecreaseRequest, options?: CallOptions): Promise<DecreaseBuild>;
  landDecrease(landing: DecreaseLanding, options?: CallOptions): Promise<Landed>;
  /** Only the services that Binsight runs itself have it; others answer 404. */
  buildClaim(request: ClaimRequest, options?: CallOptions): Promise<ClaimBuild>;
  landClaim(landing: ClaimLanding, options?: CallOptions): Promise<Landed>;
  buildAdd(request: AddRequest, options?: CallOptions): Promise<AddBuild>;
  /** Into an existing position. Only the services that Binsight runs itself have it; others answer 404. */
  buildAddTo(request: AddToRequest, options?: CallOptions): Promise<AddBuild>;
  landAdd(landing: AddLanding, options?: CallOptions): Promise<Landed>;
  /** Only the services that Binsight runs itself have it; others answer 404. */
  buildSwap(request: SwapRequest, options?: CallOptions): Promise<SwapBuild>;
  landSwap(landing: SwapLanding, options?: CallOptions): Promise<Landed>;
}

/** Wraps a service so that its calls have this pace, unless a call names its own. */
export function rateLimitedService(service: LiquidityService, pace: RequestPace): LiquidityService {
  const paced = (options?: CallOptions): CallOptions => ({ pace, ...options });
  return {
    openPositions: (owner, options) => service.openPositions(owner, paced(options)),
    closedPositions: (query, options) => service.closedPositions(query, paced(options)),
    overview: (query, options) => service.overview(query, paced(options)),
    positionLogs: (query, options) => service.positionLogs(query, paced(options)),
    revenue: (query, options) => service.revenue(query, paced(options)),
    discoverPools: (query, options) => service.discoverPools(query, paced(options)),
    poolInfo: (pool, options) => service.poolInfo(pool, paced(options)),
    candles: (pool, span, options) => service.candles(pool, span, paced(options)),
    counters: (query, options) => service.counters(query, paced(options)),
    poolPositions: (query, options) => service.poolPositions(query, paced(options)),
    onchainStats: (pool, options) => service.onchainStats(pool, paced(options)),
    topLpers: (query, options) => service.topLpers(query, paced(options)),
    tokenBalances: (query, options) => service.tokenBalances(query, paced(options)),
    decreaseQuote: (query, options) => service.decreaseQuote(query, paced(options)),
    buildDecrease: (request, options) => service.buildDecrease(request, paced(options)),
    landDecrease: (landing, options) => service.landDecrease(landing, paced(options)),
    buildClaim: (request, options) => service.buildClaim(request, paced(options)),
    landClaim: (landing, options) => service.landClaim(landing, paced(options)),
    buildAdd: (request, options) => service.buildAdd(request, paced(options)),
    buildAddTo: (request, options) => service.buildAddTo(request, paced(options)),
    landAdd: (landing, options) => service.landAdd(landing, paced(options)),
    buildSwap: (request, options) => service.buildSwap(request, paced(options)),
    landSwap: (landing, options) => service.landSwap(landing, paced(options)),
  };
}
