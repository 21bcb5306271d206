import type { BinRange } from '../../base/dlmm/bins';
import type { Strategy } from '../../service/common';
import type { KnownOrNull, UsdAndNative } from './figures';

// What engines know of a position, from which its records are made. Null: not known.

/** A token of a pool. Texts may come from others. */
export interface RecordToken {
  readonly mint: string;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** Address of an image. */
  readonly logo: string | null;
}

/** A pool as records of positions show it. */
export interface RecordPool {
  readonly address: string;
  /** Name of the protocol on the wire. */
  readonly protocol: string;
  /** "BONQ/SOL" */
  readonly pairName: string;
  readonly token0: RecordToken;
  readonly token1: RecordToken;
  readonly bins: { readonly kind: 'bins'; readonly stepBps: number } | { readonly kind: 'none'; readonly baseFeeBps: KnownOrNull };
}

/** A position, and what went in and out of it. */
export interface PositionFacts {
  readonly address: string;
  readonly owner: string;
  readonly pool: RecordPool;
  readonly strategy: Strategy | null;
  /** Null in pools without bins, too. */
  readonly range: BinRange | null;
  /** Milliseconds since 1970. */
  readonly openedAt: number | null;
  readonly updatedAt: number | null;
  readonly input: UsdAndNative;
  readonly output: UsdAndNative;
  readonly collectedFee: UsdAndNative;
  readonly collectedReward: UsdAndNative;
}

/** Raw amounts of both tokens. */
export interface RawAmounts {
  readonly x: bigint;
  readonly y: bigint;
}

/** What an open position holds now. */
export interface PositionContents {
  /** What decrease-tx takes as `position_id`. */
  readonly id: string;
  readonly amounts: RawAmounts;
  /** The part of the amounts that can be withdrawn, 0 to 1. */
  readonly withdrawableShare: number;
  readonly fees: RawAmounts;
  readonly value: UsdAndNative;
  readonly fee: UsdAndNative;
  /** Of the record; bin pools have "0". */
  readonly liquidity: string;
}
