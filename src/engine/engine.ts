import type { Context } from 'hono';
import type { BinRange } from '../base/dlmm/bins';
import type { Address } from '../base/solana/address';
import type { Strategy } from '../service/common';
import type { Interval } from '../service/pools';
import type { PoolSort } from '../service/service';
import type { DecreaseOutput } from '../service/transactions';
import type { LPER_COLUMNS, POOL_POSITION_COLUMNS, WireDiscovered, WireOnchainStats, WirePoolPositions, WireTopLpers } from './wire/pools';
import type { CandleTimeframe, WireCandles } from './wire/candles';
import type { WireCounters } from './wire/counters';
import type { WirePoolInfo } from './wire/poolRecord';
import type { WireTokenBalance } from './wire/balanceRecord';
import type { WireHistorical, WireOpening, WirePositionLogs } from './wire/positions';
import type { WireOverview, WireRevenue } from './wire/overviewRecord';
import type { WireAdd, WireClaim, WireDecrease, WireDecreaseQuote, WireLanded, WireSwap } from './wire/transactions';

/** Why the engine refused a request. */
export type EngineErrorKind =
  /** The request is invalid. */
  | 'invalid'
  | 'notFound'
  /** The bundle did not land: nothing of it was executed. */
  | 'notLanded'
  /** Only the first transactions of the bundle were executed; the others never will be. */
  | 'partiallyLanded'
  /** What the engine reads from did not answer, such as the RPC of a chain; nothing has happened. */
  | 'unavailable'
  /** The bundle was sent, and what became of it is not known yet: it may have landed. */
  | 'unconfirmed';

/** A refusal. The message is for the client; it becomes the `message` of the answer. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  constructor(
    readonly kind: EngineErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A value, or the promise of one: an engine over a real chain is asynchronous. */
export type Eventually<Value> = Value | Promise<Value>;

/** Filters, order and page of discover, with defaults filled in. Bounds are inclusive. */
export interface DiscoverParameters {
  readonly chain: string;
  readonly sortBy: PoolSort;
  readonly sortOrder: 'asc' | 'desc';
  readonly page: number;
  readonly pageSize: number;
  readonly feeTvlInterval: Interval;
  readonly quoteToken: string | undefined;
  /** Pool name or token address. */
  readonly search: string | undefined;
  readonly protocol: string | undefined;
  readonly bounds: readonly { readonly of: DiscoverBound; readonly min: number | undefined; readonly max: number | undefined }[];
}

/** Figures that discover can filter by. Money in US dollars, fees in percent, age in hours. */
export type DiscoverBound =
  | 'market_cap'
  | 'bin_step'
  | 'organic_score'
  | 'base_fee'
  | 'age_hr'
  | 'liquidity'
  | '24h_fees'
  | '24h_vol'
  | '1h_vol';

/** Candles that start in a span of time; both ends are inclusive, seconds since 1970. */
export interface CandlesParameters {
  readonly pool: string;
  readonly timeframe: CandleTimeframe;
  readonly fromS: number;
  readonly toS: number;
}

/** Filter and page of closed positions. */
export interface HistoricalParameters {
  readonly owner: Address;
  /** Milliseconds since 1970, both inclusive. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly page: number;
  readonly pageSize: number;
}

/** Order and page of liquidity providers. */
export interface TopLpersParameters {
  readonly pool: string;
  readonly orderBy: (typeof LPER_COLUMNS)[number];
  readonly sortOrder: 'asc' | 'desc';
  readonly page: number;
  readonly pageSize: number;
}

/** Filter, order and page of the positions of a pool. */
export interface PoolPositionsParameters {
  readonly pool: string;
  readonly owner: Address | undefined;
  readonly status: 'Open' | 'Close' | undefined;
  readonly orderBy: (typeof POOL_POSITION_COLUMNS)[number];
  readonly sortOrder: 'asc' | 'desc';
  readonly page: number;
  readonly pageSize: number;
  /** Only positions with at least this profit: US dollars, SOL. */
  readonly minPnlUsd: number | undefined;
  readonly minPnlNative: number | undefined;
}

/** Owner and grouping of the profit. */
export interface RevenueParameters {
  readonly owner: Address;
  readonly period: 'day' | 'week' | 'month';
  /** `undefined`: from the first day on. */
  readonly range: '7D' | '1M' | undefined;
  /** Names of protocols; `undefined`: all. */
  readonly protocols: readonly string[] | undefined;
}

/** A withdrawal. */
export interface DecreaseParameters {
  /** The opaque id, or the position's address. */
  readonly positionId: string;
  /** 1 to 10000. */
  readonly bps: number;
  readonly owner: Address;
  /** 0 to 10000. */
  readonly slippageBps: number;
  readonly output: DecreaseOutput;
  /** The position's protocol according to the client, if it named one. */
  readonly protocol: string | undefined;
  /** Part of the range, both inclusive; `undefined`: all of it. */
  readonly fromBinId: number | undefined;
  readonly toBinId: number | undefined;
}

/** An entry with a new position. */
export interface AddParameters {
  readonly pool: string;
  readonly owner: Address;
  readonly strategy: Strategy;
  /** Bin pools need both; pools without bins ignore them. */
  readonly fromBinId: number | undefined;
  readonly toBinId: number | undefined;
  readonly slippageBps: number;
  readonly input:
    | { readonly mode: 'zap-in'; readonly lamports: bigint; /** 0 to 1. */ readonly percentX: number }
    /** Whole tokens. */
    | { readonly mode: 'normal'; readonly amountX: number; readonly amountY: number };
}

/** A deposit into an open position. */
export interface DepositParameters extends Pick<AddParameters, 'owner' | 'slippageBps'> {
  /** The opaque id, or the position's address. */
  readonly positionId: string;
  /** `undefined`: the shape that the position has. */
  readonly strategy: Strategy | undefined;
  /** Part of the position's range, both inclusive; `undefined`: all of it. Pools without bins ignore them. */
  readonly fromBinId: number | undefined;
  readonly toBinId: number | undefined;
  readonly input:
    | AddParameters['input']
    /** The fees of the bins. */
    | { readonly mode: 'compound' };
}

/** Counters of the bins of a pool. */
export interface CountersParameters {
  readonly pool: string;
  /** Default: that of the position, else the bins around the active one. */
  readonly range: BinRange | undefined;
  /** Kept readings of that time, both inclusive, seconds since 1970. Default: the last day. */
  readonly fromS: number | undefined;
  readonly toS: number | undefined;
  /** A position in the pool whose liquidity is answered too. */
  readonly position: Address | undefined;
}

/** A claim of fees. */
export interface ClaimParameters {
  readonly owner: Address;
  readonly positionIds: readonly string[];
}

/** A swap of tokens of a wallet, or the unwrapping of all its wrapped SOL. */
export type SwapParameters = { readonly owner: Address } & (
  | {
      readonly unwrap: false;
      readonly inputMint: Address;
      readonly outputMint: Address;
      /** Raw, more than nothing. */
      readonly amount: bigint;
      /** 0 to 10000. */
      readonly slippageBps: number;
    }
  | { readonly unwrap: true }
);

/** Kinds of operations: a withdrawal, an entry, a claim of fees, or a swap. */
export const OPERATION_KINDS = ['decrease', 'add', 'claim', 'swap'] as const;
/** One of {@link OPERATION_KINDS}. */
export type EngineOperationKind = (typeof OPERATION_KINDS)[number];

/** Signed transactions, base64; the two lists land one after the other, each in the order in which it was built. */
export interface LandParameters {
  readonly first: readonly string[];
  readonly second: readonly string[];
  /** Executes only this many transactions and never executes the others; `undefined`: executes all. */
  readonly onlyFirst?: number | undefined;
}

/** Names of the protocols on the wire. */
export interface ProtocolNames {
  /** Bin pools. */
  readonly bins: string;
  /** Constant-product pools: `<bins>_damm_v2`. */
  readonly product: string;
}

/** Parameters of logs. */
export interface LogsParameters {
  readonly position: string | undefined;
  readonly owner: Address | undefined;
  /** What is not read from the chain yet may be as public data has it. Not in the contract. */
  readonly reported?: boolean | undefined;
}

/**
 * The interface behind the routes: one method per endpoint. Parameters are checked, answers are ready to be written as JSON.
 * The sandbox's market and the engine over a real chain (src/chain) implement it. Methods throw {@link EngineError}.
 */
export interface Engine {
  readonly protocols: ProtocolNames;
  /** Advances the engine's world to the present; called before every request. */
  advance(): Eventually<void>;
  opening(owner: Address): Eventually<WireOpening>;
  historical(parameters: HistoricalParameters): Eventually<WireHistorical>;
  overview(owner: Address, protocol: string): Eventually<WireOverview>;
  /** Events of one position, or of all positions of an owner; with both, of that owner's position. */
  logs(of: LogsParameters): Eventually<WirePositionLogs>;
  revenue(parameters: RevenueParameters): Eventually<WireRevenue>;
  discover(parameters: DiscoverParameters): Eventually<WireDiscovered>;
  poolInfo(pool: string): Eventually<WirePoolInfo>;
  /** Prices over time; none where nothing is known. */
  candles(parameters: CandlesParameters): Eventually<WireCandles>;
  /** Fee counters of a pool's bins: what was recorded, and now. */
  counters(parameters: CountersParameters): Eventually<WireCounters>;
  poolPositions(parameters: PoolPositionsParameters): Eventually<WirePoolPositions>;
  onchainStats(pool: string): Eventually<WireOnchainStats>;
  topLpers(parameters: TopLpersParameters): Eventually<WireTopLpers>;
  /** All tokens of the owner, or those of `mints`. */
  tokenBalance(owner: Address, mints: readonly string[] | undefined): Eventually<readonly WireTokenBalance[]>;
  decreaseQuote(positionId: string, bps: number): Eventually<WireDecreaseQuote>;
  buildDecrease(parameters: DecreaseParameters): Eventually<WireDecrease>;
  buildAdd(parameters: AddParameters): Eventually<WireAdd>;
  buildDeposit(parameters: DepositParameters): Eventually<WireAdd>;
  buildClaim(parameters: ClaimParameters): Eventually<WireClaim>;
  buildSwap(parameters: SwapParameters): Eventually<WireSwap>;
  /** Lands an operation that was built. Answers only when it has landed and is stored. */
  land(kind: EngineOperationKind, parameters: LandParameters): Eventually<WireLanded>;
}

/** The engine that answers a request. */
export type EngineOf = (context: Context) => Engine;
