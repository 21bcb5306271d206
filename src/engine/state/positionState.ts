import type { BinRange } from '../../base/dlmm/bins';
import type { Strategy } from '../../service/common';
import type { KnownOrNull, UsdAndNative } from './figures';

// What a service knows of positions: all that it supplies for their records. Null: not known.

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
  /** A part of the fees was valued at a price of about its time. */
  readonly isFeeEstimated?: true;
  readonly collectedReward: UsdAndNative;
  /** What went in and out is from public data, and not read from the chain yet. Default: `false`. */
  readonly isReported?: boolean;
  /** Public data says otherwise about what went in and out. These are the chain's figures. Default: `false`. */
  readonly isContradicted?: boolean;
}

/** Raw amounts of both tokens. */
export interface RawAmounts {
  readonly x: bigint;
  readonly y: bigint;
}

/** A reward of the pool that is not claimed yet: a token besides the fees. */
export interface UnclaimedReward {
  readonly token: RecordToken;
  readonly amount: bigint;
  readonly worth: UsdAndNative;
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
  /** Default: none. */
  readonly rewards?: readonly UnclaimedReward[];
  /** Of all rewards that are not claimed. Default: nothing. */
  readonly reward?: UsdAndNative;
  /** Of the record; bin pools have "0". */
  readonly liquidity: string;
}

/** Prices of a pool now or at a closing. */
export interface PoolMoment {
  /** US dollars for one whole token. */
  readonly usd0: KnownOrNull;
  readonly usd1: KnownOrNull;
  /** Whole token1 for one whole token0. */
  readonly uiPrice: KnownOrNull;
  /** Null in pools without bins. */
  readonly activeBinId: number | null;
}

export interface EventFacts {
  readonly action: 'add_liquidity' | 'remove_liquidity' | 'claim_fee' | 'close_position';
  /** Milliseconds since 1970. */
  readonly at: number | null;
  readonly amounts: RawAmounts;
  /** US dollars for one whole token, and for one SOL. */
  readonly usd0: KnownOrNull;
  readonly usd1: KnownOrNull;
  readonly usdSol: KnownOrNull;
  /** Of a withdrawal: its share of the position. */
  readonly bps: number | null;
  /** Of its transaction. */
  readonly signature: string | null;
  /** From public data, and not read from the chain yet. */
  readonly isReported?: true;
}

/** An open position now. */
export interface OpenPositionState extends PositionFacts {
  readonly contents: PositionContents;
  readonly moment: PoolMoment;
  /** Oldest first. */
  readonly events: readonly EventFacts[];
}

export interface ClosedPositionState extends PositionFacts {
  /** Milliseconds since 1970. */
  readonly closedAt: number | null;
  /** When it was closed. */
  readonly moment: PoolMoment;
  /** The position of another wallet that it copies. */
  readonly follows?: { readonly owner: string; readonly label: string; readonly position: string } | undefined;
}

/** An open or closed position. */
export type RecordedPosition = OpenPositionState | ClosedPositionState;

/** What an open position has in each bin, ascending. */
export interface PositionBins {
  readonly position: string;
  readonly bins: readonly {
    readonly binId: number;
    /** Of all positions together. */
    readonly all: RawAmounts;
    readonly own: RawAmounts;
    /** Not collected yet. */
    readonly fees: RawAmounts;
  }[];
}

/** Whether a position is open. */
export function isOpen(position: RecordedPosition): position is OpenPositionState {
  return 'contents' in position;
}
