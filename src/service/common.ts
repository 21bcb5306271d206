import type { Address } from '../base/solana/address';

/**
 * A figure in both currencies that the service reports: US dollars and the native token (SOL). For display and for
 * comparing with thresholds; amounts that are signed for are raw `bigint`s elsewhere. `undefined`: not reported.
 */
export interface Money {
  readonly usd: number | undefined;
  readonly native: number | undefined;
}

/** A token as records carry it. */
export interface Token {
  readonly address: Address | undefined;
  /** Ticker; never empty: the shortened address, or "?", where the service gives none. */
  readonly symbol: string;
  readonly name: string | undefined;
  readonly decimals: number | undefined;
}

/** What a list endpoint gave: the records that could be read, and what was odd about the rest. */
export interface Listing<Item> {
  readonly items: readonly Item[];
  /** Records that could not be read at all, or only in part: for the log, in words. Never hides the others. */
  readonly oddities: readonly ParseWarning[];
}

/** Something in a response that is not as the contract says. */
export interface ParseWarning {
  /** Where in the response: "data[3].pnl". */
  readonly path: string;
  readonly message: string;
}

/** One page of a listing. */
export interface Page<Item> extends Listing<Item> {
  /** Counted from 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly totalCount: number | undefined;
  readonly totalPages: number | undefined;
  readonly hasNextPage: boolean;
}

/** The kinds of pool that Binsight tells apart; `other` where the service names one that it does not know. */
export type PoolType = 'dlmm' | 'dammV2' | 'other';

/** How a position's liquidity is spread over its bins. */
export type Strategy = 'Spot' | 'Curve' | 'BidAsk';
