/** What an owner made in one day, week or month, by when positions were closed (contract: /lp-positions/revenue/{owner}). */
export interface WireRevenueRow {
  /** Where the period begins, ISO 8601: midnight UTC of the day, of the week's Monday, or of the month's first. */
  readonly close_day: string;
  /** Profit of the positions that were closed in the period. */
  readonly sum: number;
  readonly sum_native: number;
  /** What was in positions when the period ended, or is now. */
  readonly total_invested: number;
  readonly total_invested_native: number;
  /** Profit since the range began. */
  readonly cumulative_pnl: number;
  readonly cumulative_pnl_native: number;
  /** The most that was in positions at a time within the period. */
  readonly max_invested: number;
  readonly max_invested_native: number;
  /** `sum` over `max_invested`: a fraction. */
  readonly pnl_percent: number;
  readonly pnl_percent_native: number;
}

/** The answer to revenue: periods in which something was closed, oldest first. */
export interface WireRevenue {
  readonly data: readonly WireRevenueRow[];
}
