import type { WireClosedPosition, WireOpenPosition } from './positions';
import type { WireBinPrice } from './pools';

/** One bin of an open position (contract: /pools/{poolId}/positions). Amounts raw, as text. */
export interface WirePositionBin extends WireBinPrice {
  /** What all positions together have in the bin. */
  readonly binXAmount: string;
  readonly binYAmount: string;
  /** What this one has. */
  readonly positionXAmount: string;
  readonly positionYAmount: string;
  /** Fees of this bin that the position has not settled yet. */
  readonly feeX: string;
  readonly feeY: string;
}

/** The bins of one position, ascending. */
export interface WirePositionState {
  /** The position's address. */
  readonly positionId: string;
  readonly positionData: readonly WirePositionBin[];
}

/** The numbers of a position record by which a pool's positions can be ordered. `pnl`: its `value`. */
export const POOL_POSITION_COLUMNS = [
  'inputNative',
  'inputValue',
  'outputNative',
  'outputValue',
  'collectedReward',
  'collectedRewardNative',
  'collectedFee',
  'collectedFeeNative',
  'currentValue',
  'uncollectedFee',
  'value',
  'valueNative',
  'pnl',
  'pnlNative',
  'dpr',
  'dprNative',
  'ageHour',
  'age',
  'tickLower',
  'tickUpper',
  'createdAt',
  'updatedAt',
] as const;

/** The answer to a pool's positions. */
export interface WirePoolPositions {
  readonly pagination: { readonly page: number; readonly pageSize: number; readonly total: number; readonly totalPages: number };
  readonly positions: readonly (WireOpenPosition | WireClosedPosition)[];
  /** One entry for each open position of the page; empty in pools without bins. */
  readonly positionState: readonly WirePositionState[];
  /** Absent in pools without bins. */
  readonly activeBin?: WireBinPrice;
  /** US dollars for one whole token, by mint. */
  readonly prices: Readonly<Record<string, number>>;
}
