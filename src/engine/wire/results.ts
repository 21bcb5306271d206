/** The periods of an overview. */
export const PERIODS = ['ALL', '7D', '1M', '3M', '1Y', 'YTD'] as const;

/** One of {@link PERIODS}. */
export type WirePeriod = (typeof PERIODS)[number];

/** A figure for each period; null: not known. */
export type WirePerPeriod = Readonly<Record<WirePeriod, number | null>>;

/**
 * An owner's results in total. All figures but the counts are of closed positions. Rates (`win_rate`, `roi`, `fee_percent`,
 * `avg_monthly_profit_percent`) are fractions, as in the real service. Null: not known.
 */
export interface WireOverview {
  readonly owner: string;
  readonly chain: string;
  readonly protocol: string;
  readonly total_inflow: number | null;
  readonly total_outflow: number | null;
  readonly total_reward: number | null;
  readonly total_inflow_native: number | null;
  readonly total_outflow_native: number | null;
  readonly total_reward_native: number | null;
  readonly avg_inflow: WirePerPeriod;
  readonly avg_inflow_native: WirePerPeriod;
  readonly total_fee: WirePerPeriod;
  readonly total_fee_native: WirePerPeriod;
  readonly total_pnl: WirePerPeriod;
  readonly total_pnl_native: WirePerPeriod;
  readonly win_rate: WirePerPeriod;
  readonly win_rate_native: WirePerPeriod;
  readonly expected_value: WirePerPeriod;
  readonly expected_value_native: WirePerPeriod;
  /** `ALL` is text; the others are numbers. */
  readonly closed_lp: Readonly<Record<Exclude<WirePeriod, 'ALL'>, number>> & { readonly ALL: string };
  readonly avg_age_hour: number | null;
  readonly fee_percent: number | null;
  readonly fee_percent_native: number | null;
  readonly apr: number | null;
  readonly roi: number | null;
  readonly roi_avg_inflow: number | null;
  readonly roi_avg_inflow_native: number | null;
  readonly total_lp: string;
  readonly win_lp: string | null;
  readonly win_lp_native: string | null;
  readonly opening_lp: string;
  readonly total_pool: string;
  /** `YYYY-MM-DD HH:MM:SS.mmm`, UTC. */
  readonly first_activity: string | null;
  readonly last_activity: string | null;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly updated_at: string;
  readonly avg_pos_profit: number | null;
  readonly avg_pos_profit_native: number | null;
  readonly avg_monthly_profit_percent: number | null;
  readonly avg_monthly_profit_percent_native: number | null;
  readonly avg_monthly_pnl: number | null;
  readonly avg_monthly_pnl_native: number | null;
  readonly avg_monthly_inflow: number | null;
  readonly avg_monthly_inflow_native: number | null;
}

/** Profit of an owner in a day, week or month, by the closing time of positions (contract: /lp-positions/revenue/{owner}). */
export interface WireRevenueRow {
  /** Start of the period, ISO 8601: midnight UTC of the day, the Monday of the week, or the first of the month. */
  readonly close_day: string;
  /** Profit of the positions that were closed in the period. */
  readonly sum: number | null;
  readonly sum_native: number | null;
  /** Amount in positions at the end of the period, or now. */
  readonly total_invested: number | null;
  readonly total_invested_native: number | null;
  /** Profit since the range began. */
  readonly cumulative_pnl: number | null;
  readonly cumulative_pnl_native: number | null;
  /** Maximum amount in positions during the period. */
  readonly max_invested: number | null;
  readonly max_invested_native: number | null;
  /** `sum` over `max_invested`: a fraction. */
  readonly pnl_percent: number | null;
  readonly pnl_percent_native: number | null;
}

/** The answer to revenue: periods in which something was closed, oldest first. */
export interface WireRevenue {
  readonly data: readonly WireRevenueRow[];
}
