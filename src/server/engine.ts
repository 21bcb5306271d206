import type { Context } from 'hono';
import type { Strategy } from '../service/common';
import type { DecreaseOutput } from '../service/transactions';
import type { PoolSort } from '../service/service';
import type { Interval } from '../service/pools';
import type { Address } from '../base/solana/address';
import type { WireOverview } from './wire/overview';
import type { POOL_POSITION_COLUMNS, WirePoolPositions } from './wire/poolPositions';
import type { LPER_COLUMNS, WireDiscovered, WireOnchainStats, WirePoolInfo, WireTopLpers } from './wire/pools';
import type { WireHistorical, WireOpening, WirePositionLogs } from './wire/positions';
import type { WireRevenue } from './wire/revenue';
import type { WireTokenBalance } from './wire/tokens';
import type { WireAdd, WireDecrease, WireDecreaseQuote, WireLanded } from './wire/transactions';

/** Why the engine did not do what it was asked. */
export type EngineErrorKind =
  /** The request makes no sense as it stands. */
  | 'invalid'
  | 'notFound'
  /** A bundle that did not land: nothing of it was executed. */
  | 'notLanded'
  /** A bundle of which only the first transactions were executed, on purpose: the others never will be. */
  | 'halfLanded';

/** Worded for whoever asked; becomes the `message` of the answer. */
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

/** A value, or the promise of one: an engine over a real chain has to ask for it. */
export type Eventually<Value> = Value | Promise<Value>;

/** Filters, order and page of discover, with the service's defaults filled in. Bounds include their ends. */
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
  readonly bounds: readonly { readonly of: DiscoverBound; readonly least: number | undefined; readonly most: number | undefined }[];
}

/** What discover can bound. Money in US dollars, fees in percent, age in hours. */
export type DiscoverBound =
  'market_cap' | 'bin_step' | 'organic_score' | 'base_fee' | 'age_hr' | 'liquidity' | '24h_fees' | '24h_vol' | '1h_vol';

/** Which closed positions, and which page of them. */
export interface HistoricalParameters {
  readonly owner: Address;
  /** Milliseconds since 1970; both included. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly page: number;
  readonly pageSize: number;
}

/** Which liquidity providers, in which order. */
export interface TopLpersParameters {
  readonly pool: string;
  readonly orderBy: (typeof LPER_COLUMNS)[number];
  readonly sortOrder: 'asc' | 'desc';
  readonly page: number;
  readonly pageSize: number;
}

/** Which positions of a pool, in which order. */
export interface PoolPositionsParameters {
  readonly pool: string;
  readonly owner: Address | undefined;
  readonly status: 'Open' | 'Close' | undefined;
  readonly orderBy: (typeof POOL_POSITION_COLUMNS)[number];
  readonly sortOrder: 'asc' | 'desc';
  readonly page: number;
  readonly pageSize: number;
  /** Only positions that made at least so much: US dollars, SOL. */
  readonly leastPnlUsd: number | undefined;
  readonly leastPnlNative: number | undefined;
}

/** Whose profit, summed up how. */
export interface RevenueParameters {
  readonly owner: Address;
  readonly period: 'day' | 'week' | 'month';
  /** `undefined`: from the first day on. */
  readonly range: '7D' | '1M' | undefined;
  /** Names of protocols; `undefined`: all. */
  readonly protocols: readonly string[] | undefined;
}

/** What a withdrawal is to do. */
export interface DecreaseParameters {
  /** The opaque id, or the position's address. */
  readonly positionId: string;
  /** 1 to 10000. */
  readonly bps: number;
  readonly owner: Address;
  /** 0 to 10000. */
  readonly slippageBps: number;
  readonly output: DecreaseOutput;
  /** The protocol that the caller takes the position for; `undefined`: the caller did not say. */
  readonly protocol: string | undefined;
  /** A part of the range; `undefined`: all of it. */
  readonly fromBinId: number | undefined;
  readonly toBinId: number | undefined;
}

/** What an entry is to do. */
export interface AddParameters {
  readonly pool: string;
  readonly owner: Address;
  readonly strategy: Strategy;
  /** Bin pools need both; pools without bins take no notice of them. */
  readonly fromBinId: number | undefined;
  readonly toBinId: number | undefined;
  readonly slippageBps: number;
  readonly input:
    | { readonly mode: 'zap-in'; readonly lamports: bigint; /** 0 to 1. */ readonly percentX: number }
    /** Whole tokens. */
    | { readonly mode: 'normal'; readonly amountX: number; readonly amountY: number };
}

/** Signed transactions, base64, as a client handed them back; each list in the order in which it was built. */
export interface LandParameters {
  readonly first: readonly string[];
  readonly second: readonly string[];
  /** On purpose, only the first so many of all are executed, and the others are dropped for good; `undefined`: all are. */
  readonly onlyFirst?: number | undefined;
}

/** How the engine names its protocols on the wire. */
export interface ProtocolNames {
  /** Bin pools. */
  readonly bins: string;
  /** Constant-product pools: `<bins>_damm_v2`. */
  readonly product: string;
}

/**
 * What stands behind the routes: one method for each endpoint. Parameters are checked and typed, answers are ready to be
 * written as JSON. The pretend market is one engine; one over a real chain can stand beside it. Methods throw {@link EngineError}.
 */
export interface Engine {
  readonly protocols: ProtocolNames;
  /** Brings the engine's world up to the present; called before every request. */
  advance(): Eventually<void>;
  opening(owner: Address): Eventually<WireOpening>;
  historical(parameters: HistoricalParameters): Eventually<WireHistorical>;
  overview(owner: Address, protocol: string): Eventually<WireOverview>;
  /** Of one position, or of all of an owner's; both: of that owner's position. */
  logs(of: { readonly position: string | undefined; readonly owner: Address | undefined }): Eventually<WirePositionLogs>;
  revenue(parameters: RevenueParameters): Eventually<WireRevenue>;
  discover(parameters: DiscoverParameters): Eventually<WireDiscovered>;
  poolInfo(pool: string): Eventually<WirePoolInfo>;
  poolPositions(parameters: PoolPositionsParameters): Eventually<WirePoolPositions>;
  onchainStats(pool: string): Eventually<WireOnchainStats>;
  topLpers(parameters: TopLpersParameters): Eventually<WireTopLpers>;
  /** All tokens that the owner holds, or those of the mints named. */
  tokenBalance(owner: Address, mints: readonly string[] | undefined): Eventually<readonly WireTokenBalance[]>;
  decreaseQuote(positionId: string, bps: number): Eventually<WireDecreaseQuote>;
  buildDecrease(parameters: DecreaseParameters): Eventually<WireDecrease>;
  /** Close transactions, then swaps; answers only when they have landed and are kept. */
  landDecrease(parameters: LandParameters): Eventually<WireLanded>;
  buildAdd(parameters: AddParameters): Eventually<WireAdd>;
  /** Swaps, then deposits; answers only when they have landed and are kept. */
  landAdd(parameters: LandParameters): Eventually<WireLanded>;
}

/** Gives the engine that answers a request. */
export type EngineOf = (context: Context) => Engine;
