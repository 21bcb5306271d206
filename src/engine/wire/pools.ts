import type { WireClosedPosition, WireOpenPosition } from './positions';

// Wire records of pools. `null`: not known to the engine.

/** Volume of a token over one period, and its change from the period before (percent). */
export interface WireVolumeStats {
  readonly volume: number | null;
  readonly volume_change: number | null;
}

/** Trading figures of a token. */
export interface WireTokenStats {
  readonly volume: { readonly stats1h: WireVolumeStats; readonly stats6h: WireVolumeStats; readonly stats24h: WireVolumeStats };
  readonly holders: number | null;
}

/** A bin and its price. */
export interface WireBinPrice {
  readonly binId: number;
  /** Raw token1 for one raw token0, decimal text. */
  readonly price: string;
  /** Whole token1 for one whole token0, decimal text. */
  readonly pricePerToken: string;
}

/** A bin and its contents, whole tokens. */
export interface WireBin extends WireBinPrice {
  readonly xAmount: number;
  readonly yAmount: number;
}

/** A pool as discover lists it. Fees and price changes are percent. */
export interface WirePool {
  readonly pool: string;
  readonly protocol: string;
  readonly chain: string;
  readonly token0: string;
  readonly token1: string;
  readonly tvl: number | null;
  readonly fee: number | null;
  readonly vol_5m: number | null;
  readonly vol_1h: number | null;
  readonly vol_6h: number | null;
  readonly vol_24h: number | null;
  readonly base_price: number | null;
  readonly quote_price: number | null;
  readonly mcap: number | null;
  readonly usd_price: number | null;
  readonly fdv: number | null;
  readonly organic_score: number | null;
  readonly top_holder: number | null;
  readonly price_5m_change: number | null;
  readonly price_1h_change: number | null;
  readonly price_6h_change: number | null;
  readonly price_24h_change: number | null;
  /** Basis points between two bins; 0 in pools without bins. */
  readonly bin_step: number;
  readonly liquidity_token0: number | null;
  readonly liquidity_token1: number | null;
  readonly mint_freeze: boolean | null;
  readonly created_at: string | null;
  readonly updated_at: string;
  readonly first_pool_created_at: string | null;
  readonly token0_symbol: string;
  readonly token0_name: string;
  readonly token1_symbol: string;
  readonly token1_name: string;
  readonly token0_decimals: number;
  readonly token1_decimals: number;
  readonly token0_stats: WireTokenStats;
  readonly token1_stats: WireTokenStats;
  /** Fees of the requested interval over TVL, a fraction. The public command-line tool reads it. */
  readonly fee_tvl_ratio: number | null;
  readonly pairName: string;
}

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

/** Facts about a token in a pool's details. */
export interface WireTokenFacts {
  readonly id: string;
  readonly name: string;
  readonly symbol: string;
  readonly icon: string | null;
  readonly decimals: number;
  readonly mcap: number | null;
  readonly fdv: number | null;
  readonly usdPrice: number | null;
  readonly organicScore: number | null;
  readonly holderCount: number | null;
}

/** A pool in detail. */
export interface WirePoolInfo {
  readonly type: string;
  readonly tokenInfo: readonly { readonly status: string; readonly data: readonly WireTokenFacts[] }[];
  readonly poolStats: Readonly<Record<string, unknown>>;
  readonly poolState: Readonly<Record<string, unknown>>;
  readonly poolDb: Readonly<Record<string, unknown>>;
  readonly amountX: number;
  readonly amountY: number;
  /** All in percent. */
  readonly feeInfo: {
    readonly baseFeeRatePercentage: number | null;
    readonly maxFeeRatePercentage: number | null;
    readonly protocolFeePercentage: number;
    readonly dynamicFee: number | null;
  };
  /** By the hour, oldest first; US dollars. */
  readonly feeStats: readonly { readonly timestamp: string; readonly fee: number | null; readonly volume: number | null }[];
  /** Absent in pools without bins. */
  readonly liquidityViz?: { readonly activeBin: WireBinPrice; readonly bins: readonly WireBin[] };
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
