import type { WireBinPrice } from './binRecords';
import type { WirePool } from './poolRecord';
import type { WireClosedPosition, WireOpenPosition } from './positionRecord';

// Answers about pools. Null: not known.

/** The answer to discover. */
export interface WireDiscovered {
  readonly data: readonly WirePool[];
  readonly pagination: {
    readonly currentPage: number;
    readonly pageSize: number;
    readonly totalCount: number;
    readonly totalPages: number;
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
  };
}

/** The answer to onchain-stats: one entry. Inputs are those of open positions. */
export interface WireOnchainStats {
  readonly poolStats: readonly {
    readonly pool: string;
    readonly total_open_positions: number | null;
    readonly unique_owners: number | null;
    readonly total_input_value: number | null;
    readonly total_input_native: number | null;
  }[];
}

/** A liquidity provider of a pool. Rates are fractions. */
export interface WirePoolLper {
  readonly pool: string;
  readonly owner: string;
  readonly protocol: string;
  readonly token0: string;
  readonly token1: string;
  readonly total_inflow: number | null;
  readonly avg_inflow: number | null;
  readonly total_outflow: number | null;
  readonly total_fee: number | null;
  readonly total_pnl: number | null;
  readonly total_inflow_native: number | null;
  readonly avg_inflow_native: number | null;
  readonly total_outflow_native: number | null;
  readonly total_reward: number | null;
  readonly total_fee_native: number | null;
  readonly total_reward_native: number | null;
  readonly total_pnl_native: number | null;
  readonly total_lp: number | null;
  readonly avg_age_hour: number | null;
  readonly win_lp: number | null;
  readonly win_lp_native: number | null;
  readonly win_rate: number | null;
  readonly win_rate_native: number | null;
  readonly fee_percent: number | null;
  readonly fee_percent_native: number | null;
  readonly apr: number | null;
  readonly roi: number | null;
  readonly first_activity: string | null;
  readonly last_activity: string | null;
}

/** The columns by which top LPers can be sorted: those with numbers or dates. */
export const LPER_COLUMNS = [
  'total_inflow',
  'avg_inflow',
  'total_outflow',
  'total_fee',
  'total_pnl',
  'total_inflow_native',
  'avg_inflow_native',
  'total_outflow_native',
  'total_reward',
  'total_fee_native',
  'total_reward_native',
  'total_pnl_native',
  'total_lp',
  'avg_age_hour',
  'win_lp',
  'win_lp_native',
  'win_rate',
  'win_rate_native',
  'fee_percent',
  'fee_percent_native',
  'apr',
  'roi',
  'first_activity',
  'last_activity',
] as const satisfies readonly (keyof WirePoolLper)[];

/** The answer to top-lpers. */
export interface WireTopLpers {
  readonly data: readonly WirePoolLper[];
  readonly pagination: {
    readonly page: number;
    readonly pageSize: number;
    readonly totalCount: number;
    readonly totalPages: number;
    readonly hasNextPage: boolean;
  };
}

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
