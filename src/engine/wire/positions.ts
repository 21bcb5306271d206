// Wire records of positions, with the fields that the published contract adds. Null: not known.

/** Profit of a position. Percentages: 5 is 5%. */
export interface WirePnl {
  readonly value: number | null;
  readonly valueNative: number | null;
  readonly percent: number | null;
  readonly percentNative: number | null;
}

/** A token beside a position. */
export interface WireTokenInfo {
  readonly token_symbol: string;
  readonly token_name: string;
  readonly token_decimals: number;
  readonly token_address: string;
  readonly logo: string | null;
}

/** Common fields of open and closed positions. */
export interface WirePosition {
  readonly status: 'Open' | 'Close';
  readonly strategyType: string | null;
  readonly tokenId: string;
  readonly position: string;
  readonly pairName: string;
  /** Decimal text. */
  readonly currentValue: string | null;
  readonly inputValue: number | null;
  readonly inputNative: number | null;
  readonly outputValue: number | null;
  readonly outputNative: number | null;
  readonly collectedReward: number | null;
  readonly collectedRewardNative: number | null;
  readonly collectedFee: number | null;
  readonly collectedFeeNative: number | null;
  /** Decimal text. */
  readonly uncollectedFee: string | null;
  /** Lowest and highest bin. Pools without bins: the price range of the program, in ticks of one basis point. */
  readonly tickLower: number | null;
  readonly tickUpper: number | null;
  readonly pool: string;
  readonly liquidity: string;
  readonly token0: string;
  readonly token1: string;
  readonly inRange: boolean | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly pnl: WirePnl;
  readonly pnlNative: number | null;
  readonly upnl: number | null;
  readonly owner: string;
  /** Fraction a day. */
  readonly dpr: number | null;
  readonly dprNative: number | null;
  /** Hours, as text. */
  readonly ageHour: string | null;
  /** Days with two places, as text. */
  readonly age: string | null;
  readonly decimal0: number;
  readonly decimal1: number;
  readonly yield24h: number | null;
  readonly apr: number | null;
  readonly protocol: string;
  readonly token0Info: WireTokenInfo;
  readonly token1Info: WireTokenInfo;
  /** Both are the bin step; the real service fills `fee` so. Pools without bins: the base fee in basis points, and ticks of one. */
  readonly poolInfo: { readonly fee: number | null; readonly tickSpacing: number };
  readonly logo0: string | null;
  readonly logo1: string | null;
  readonly tokenName0: string;
  readonly tokenName1: string;
  /** US dollars for one token0: lower end, upper end, now. */
  readonly priceRange: readonly [number | null, number | null, number | null];
  readonly value: number | null;
  readonly valueNative: number | null;
  readonly creationType: string;
}

/** An open position. */
export interface WireOpenPosition extends WirePosition {
  /** Opaque; what decrease-tx takes as `position_id`. */
  readonly id: string;
  /** Lower bin, upper bin, active bin; ticks in pools without bins. */
  readonly range: readonly [number | null, number | null, number | null];
  readonly current: {
    /** Raw, as text. */
    readonly amount0: string;
    readonly amount1: string;
    /** Whole tokens. */
    readonly amount0Adjusted: number;
    readonly amount1Adjusted: number;
  };
  /** The part of value and amounts that can be withdrawn, below 1: the rest is locked, or vests. Absent: all of it. Not in the contract. */
  readonly withdrawableShare?: number;
  /** Whole tokens. */
  readonly unCollectedFee0: number;
  readonly unCollectedFee1: number;
  readonly unCollectedFee: number | null;
  readonly unCollectedFeeNative: number | null;
  /** The same under the name that some clients read. */
  readonly uncollectedFeeNative: number | null;
  readonly price0: number | null;
  readonly price1: number | null;
  readonly logs: readonly WirePositionLog[];
}

/** A closed position. */
export interface WireClosedPosition extends WirePosition {
  readonly close_At: string | null;
  readonly closeAt: string | null;
  readonly fee: number | null;
  readonly feeNative: number | null;
  /** Percent of the input. */
  readonly feePercent: number | null;
  readonly feePercentNative: number | null;
  readonly solInAudited: number | null;
  readonly solOutAudited: number | null;
  readonly pnlNativeAudited: number | null;
  /** Only if the position copies another wallet. */
  readonly followInfo?: { readonly sourceOwner: string; readonly sourceLabel: string; readonly sourceTokenId: string };
}

/** One event in the life of a position (contract: /lp-positions/logs). Amounts raw, as text. */
export interface WirePositionLog {
  /** Whose event it is; not in the contract. */
  readonly position: string;
  readonly pool: string;
  readonly owner: string;
  readonly action: string;
  readonly amount0: string;
  readonly amount1: string;
  readonly decimal0: number;
  readonly decimal1: number;
  readonly price0: string | null;
  readonly price1: string | null;
  readonly timestamp: string | null;
  readonly nativePrice: string | null;
  readonly strategyType: string | null;
  readonly tickUpper: number | null;
  readonly tickLower: number | null;
  readonly bps: number | null;
  readonly logo0: string | null;
  readonly logo1: string | null;
}

/** The answer to opening. */
export interface WireOpening {
  readonly count: number;
  readonly data: readonly WireOpenPosition[];
}

/** The answer to historical. */
export interface WireHistorical {
  readonly data: readonly WireClosedPosition[];
  readonly pagination: {
    readonly currentPage: number;
    readonly totalPages: number;
    readonly totalCount: number;
    readonly pageSize: number;
  };
}

/** The answer to logs, oldest first. */
export interface WirePositionLogs {
  readonly count: number;
  readonly data: readonly WirePositionLog[];
}

/** An owner's balance of one token, also under the published contract's names. */
export interface WireTokenBalance {
  readonly address: string;
  /** Whole tokens, decimal text. */
  readonly uiAmount: string;
  readonly tokenAddress: string;
  readonly balance: number;
  /** Raw, decimal text. */
  readonly rawBalance: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly logo: string | null;
  readonly balanceInUsd: number | null;
  readonly price: number | null;
}
