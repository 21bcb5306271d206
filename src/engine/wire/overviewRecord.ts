import { DAY_MS } from '../../base/time';
import { type KnownOrNull, inBoth, mapped, product, quotient, type Unit, type UsdAndNative } from '../state/figures';
import type { WireIncomplete } from './incomplete';
import { CHAIN_NAME, isoDate, plainDate } from './text';

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
  readonly incomplete?: WireIncomplete;
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
  readonly incomplete?: WireIncomplete;
}

const HOURS_PER_YEAR = 8_760;
const SPAN_DAYS = { '7D': 7, '1M': 30, '3M': 90, '1Y': 365 } as const;

/** Start of a period that ends `now`, milliseconds since 1970. Days have 24 hours; `YTD` starts with the year in UTC. */
export function periodStart(period: WirePeriod, now: number): number {
  switch (period) {
    case 'ALL':
      return 0;
    case 'YTD':
      return Date.UTC(new Date(now).getUTCFullYear(), 0, 1);
    default:
      return now - SPAN_DAYS[period] * DAY_MS;
  }
}

/** Sums of the positions that were closed in a period. */
export interface PeriodFigures {
  readonly closed: number;
  readonly input: UsdAndNative;
  readonly output: UsdAndNative;
  readonly fee: UsdAndNative;
  readonly pnl: UsdAndNative;
  /** Number of positions with a profit or loss other than zero, and of those with a profit. */
  readonly results: UsdAndNative;
  readonly wins: UsdAndNative;
  /** Average. */
  readonly ageHours: KnownOrNull;
}

/** What an overview is made of. */
export interface OwnerTotals {
  readonly owner: string;
  readonly protocol: string;
  readonly periods: Readonly<Record<WirePeriod, PeriodFigures>>;
  /** Averages over the calendar months (UTC) with closed positions. `rate`: of profit over input. */
  readonly months: { readonly input: UsdAndNative; readonly pnl: UsdAndNative; readonly rate: UsdAndNative };
  /** Claimed besides fees. */
  readonly reward: UsdAndNative;
  /** Numbers of open and closed positions, and of pools. */
  readonly total: number;
  readonly open: number;
  readonly pools: number;
  /** Milliseconds since 1970. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly now: number;
}

/** Results of an owner with a protocol. Amounts are those of closed positions. */
export function overviewOf(figures: OwnerTotals): WireOverview {
  const { periods, months, now } = figures;
  const all = periods.ALL;
  const usd = figuresIn('usd', periods);
  const native = figuresIn('native', periods);
  const roi = quotient(all.pnl.usd, all.input.usd);
  const closed = Object.fromEntries(PERIODS.map((period) => [period, periods[period].closed])) as Readonly<Record<WirePeriod, number>>;
  return {
    owner: figures.owner,
    chain: CHAIN_NAME,
    protocol: figures.protocol,
    total_inflow: all.input.usd,
    total_outflow: all.output.usd,
    total_reward: figures.reward.usd,
    total_inflow_native: all.input.native,
    total_outflow_native: all.output.native,
    total_reward_native: figures.reward.native,
    avg_inflow: usd.averageInflow,
    avg_inflow_native: native.averageInflow,
    total_fee: usd.fee,
    total_fee_native: native.fee,
    total_pnl: usd.profit,
    total_pnl_native: native.profit,
    win_rate: usd.winRate,
    win_rate_native: native.winRate,
    expected_value: usd.expected,
    expected_value_native: native.expected,
    closed_lp: { ...closed, ALL: String(closed.ALL) },
    avg_age_hour: all.ageHours,
    fee_percent: quotient(all.fee.usd, all.input.usd),
    fee_percent_native: quotient(all.fee.native, all.input.native),
    apr: product(
      mapped(roi, (rate) => 100 * rate),
      quotient(HOURS_PER_YEAR, all.ageHours),
    ),
    roi,
    roi_avg_inflow: quotient(usd.expected.ALL, usd.averageInflow.ALL),
    roi_avg_inflow_native: quotient(native.expected.ALL, native.averageInflow.ALL),
    total_lp: String(figures.total),
    win_lp: mapped(all.wins.usd, String),
    win_lp_native: mapped(all.wins.native, String),
    opening_lp: String(figures.open),
    total_pool: String(figures.pools),
    first_activity: mapped(figures.firstAt, plainDate),
    last_activity: mapped(figures.lastAt, plainDate),
    updated_at: plainDate(now).slice(0, 'YYYY-MM-DD HH:MM:SS'.length),
    avg_pos_profit: usd.expected.ALL,
    avg_pos_profit_native: native.expected.ALL,
    avg_monthly_profit_percent: months.rate.usd,
    avg_monthly_profit_percent_native: months.rate.native,
    avg_monthly_pnl: months.pnl.usd,
    avg_monthly_pnl_native: months.pnl.native,
    avg_monthly_inflow: months.input.usd,
    avg_monthly_inflow_native: months.input.native,
  };
}

/** The figures by period in one currency. */
interface UnitFigures {
  readonly averageInflow: WirePerPeriod;
  readonly fee: WirePerPeriod;
  readonly profit: WirePerPeriod;
  readonly winRate: WirePerPeriod;
  readonly expected: WirePerPeriod;
}

function figuresIn(unit: Unit, periods: OwnerTotals['periods']): UnitFigures {
  const perPeriod = (figureOf: (of: PeriodFigures) => KnownOrNull): WirePerPeriod =>
    Object.fromEntries(PERIODS.map((period) => [period, figureOf(periods[period])])) as WirePerPeriod;
  return {
    averageInflow: perPeriod(({ input, closed }) => quotient(input[unit], closed)),
    fee: perPeriod(({ fee }) => fee[unit]),
    profit: perPeriod(({ pnl }) => pnl[unit]),
    winRate: perPeriod(({ wins, results }) => quotient(wins[unit], results[unit])),
    expected: perPeriod(({ pnl, results }) => quotient(pnl[unit], results[unit])),
  };
}

/** Profit of the positions that were closed in a day, week or month. */
export interface RevenueFigures {
  /** Start of the period, milliseconds since 1970. */
  readonly startsAt: number;
  readonly profit: UsdAndNative;
  /** Since the range began. */
  readonly profitSoFar: UsdAndNative;
  /** Amount in positions: the maximum during the period, and at its end. */
  readonly mostInvested: UsdAndNative;
  readonly invested: UsdAndNative;
}

/** The record of the profit in a day, week or month. */
export function revenueRow({ startsAt, profit, profitSoFar, mostInvested, invested }: RevenueFigures): WireRevenueRow {
  const rate = inBoth((unit) => quotient(profit[unit], mostInvested[unit]));
  return {
    close_day: isoDate(startsAt),
    sum: profit.usd,
    sum_native: profit.native,
    total_invested: invested.usd,
    total_invested_native: invested.native,
    cumulative_pnl: profitSoFar.usd,
    cumulative_pnl_native: profitSoFar.native,
    max_invested: mostInvested.usd,
    max_invested_native: mostInvested.native,
    pnl_percent: rate.usd,
    pnl_percent_native: rate.native,
  };
}
