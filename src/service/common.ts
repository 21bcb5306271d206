import type { Address } from '../base/solana/address';

/**
 * A figure in both currencies that the service reports: US dollars and the native token (SOL). Only for display and comparison with
 * thresholds; amounts that are signed for are raw `bigint`s. `undefined`: not reported.
 */
export interface Money {
  readonly usd: number | undefined;
  readonly native: number | undefined;
}

/** The daily return of a position that is open for an hour at least: of minutes, it would say what chance did. A fraction per day. */
export function dailyReturnOf({ dailyReturn, ageHours }: { readonly dailyReturn: Money; readonly ageHours: number | undefined }): Money {
  return ageHours !== undefined && ageHours < 1 ? { usd: undefined, native: undefined } : dailyReturn;
}

export interface Token {
  readonly address: Address | undefined;
  /** Ticker; never empty: the shortened address, or "?", if the service reports none. */
  readonly symbol: string;
  readonly name: string | undefined;
  readonly decimals: number | undefined;
}

/** The answer of a list endpoint: the readable records, and warnings about the others. */
export interface Listing<Item> {
  readonly items: readonly Item[];
  /** For the log: records that could not be read, or only in part. */
  readonly warnings: readonly ParseWarning[];
  /** Why items may be missing; absent: none are, as far as the service says. */
  readonly incomplete?: Incomplete;
}

/** Why an answer may lack records. */
export interface Incomplete {
  /** `indexing`: the history of the wallet is still being read; `pruned`: the node behind the service has no older history; `other`: any other reason. */
  readonly reason: 'indexing' | 'failed' | 'unreadable' | 'pruned' | 'other';
  /** The part of the known transactions that is read, 0 to 1; `undefined`: not known. */
  readonly readShare: number | undefined;
  /** `pruned`: what was before may be missing. */
  readonly since: Date | undefined;
}

/** A part of an answer that violates the contract. */
export interface ParseWarning {
  /** Path in the answer: "data[3].pnl". */
  readonly path: string;
  readonly message: string;
}

export interface Page<Item> extends Listing<Item> {
  /** Counted from 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly totalCount: number | undefined;
  readonly totalPages: number | undefined;
  readonly hasNextPage: boolean;
}

/** The supported pool types; `other` for any that the service names besides. */
export type PoolType = 'dlmm' | 'dammV2' | 'other';

export type { Strategy } from '../base/dlmm/strategy';

/** The service's names of the pool types. */
export const PROTOCOL_OF = { dlmm: 'meteora', dammV2: 'meteora_damm_v2' } as const;

/** The most positions of one claim of fees (claim-tx). */
export const MOST_CLAIMED_POSITIONS = 20;
