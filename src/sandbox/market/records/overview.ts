import type { Address } from '../../../solana/address';
import { PERIODS, type WireOverview, type WirePeriod, type WirePerPeriod } from '../../wire/overview';
import type { Market } from '../market';
import type { PositionState, Sum } from '../position';
import { DAY, HOUR } from '../spans';
import { CHAIN_NAME, plainDate, ratio } from './common';
import { profitOf } from './positions';

const HOURS_A_YEAR = 8_760;
const SPAN_DAYS = { '7D': 7, '1M': 30, '3M': 90, '1Y': 365 } as const;

type Unit = keyof Sum;

/** A closed position with what it made. */
interface Result {
  readonly position: PositionState;
  readonly closedAt: number;
  readonly profit: Sum;
}

/** How the owner has done over all; `undefined` where there is no position of theirs. */
export function overviewRecord(market: Market, owner: Address, protocol: string): WireOverview | undefined {
  const own = market.positions.filter((position) => position.owner === owner);
  if (own.length === 0) {
    return undefined;
  }
  const closed = own.flatMap((position) => resultOf(market, position));
  const open = own.length - closed.length;
  const usd = figuresOf(market, closed, 'usd');
  const native = figuresOf(market, closed, 'native');
  const averageAgeHours = average(closed.map(({ position, closedAt }) => (closedAt - position.createdAt) / HOUR));
  const counts = perPeriod(market, closed, (results) => results.length);
  return {
    owner,
    chain: CHAIN_NAME,
    protocol,
    total_inflow: usd.inflow,
    total_outflow: usd.outflow,
    total_reward: 0,
    total_inflow_native: native.inflow,
    total_outflow_native: native.outflow,
    total_reward_native: 0,
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
    closed_lp: { ...counts, ALL: String(counts.ALL) },
    avg_age_hour: averageAgeHours,
    fee_percent: ratio(usd.fee.ALL, usd.inflow),
    fee_percent_native: ratio(native.fee.ALL, native.inflow),
    apr: 100 * ratio(usd.profit.ALL, usd.inflow) * ratio(HOURS_A_YEAR, averageAgeHours),
    roi: ratio(usd.profit.ALL, usd.inflow),
    roi_avg_inflow: ratio(usd.expected.ALL, usd.averageInflow.ALL),
    roi_avg_inflow_native: ratio(native.expected.ALL, native.averageInflow.ALL),
    total_lp: String(own.length),
    win_lp: String(usd.wins),
    win_lp_native: String(native.wins),
    opening_lp: String(open),
    total_pool: String(new Set(own.map((position) => position.pool)).size),
    first_activity: plainDate(Math.min(...own.map((position) => position.createdAt))),
    last_activity: plainDate(Math.max(...own.map((position) => position.updatedAt))),
    updated_at: plainDate(market.now).slice(0, 'YYYY-MM-DD HH:MM:SS'.length),
    avg_pos_profit: usd.expected.ALL,
    avg_pos_profit_native: native.expected.ALL,
    avg_monthly_profit_percent: usd.monthlyRate,
    avg_monthly_profit_percent_native: native.monthlyRate,
    avg_monthly_pnl: usd.monthlyProfit,
    avg_monthly_pnl_native: native.monthlyProfit,
    avg_monthly_inflow: usd.monthlyInflow,
    avg_monthly_inflow_native: native.monthlyInflow,
  };
}

function resultOf(market: Market, position: PositionState): Result[] {
  const pool = market.poolAt(position.pool);
  return position.closed === null || pool === undefined ? [] : [{ position, closedAt: position.closed.at, profit: profitOf(market, pool, position) }];
}

/** Everything that is told in both currencies. */
interface Figures {
  readonly inflow: number;
  readonly outflow: number;
  readonly wins: number;
  readonly averageInflow: WirePerPeriod;
  readonly fee: WirePerPeriod;
  readonly profit: WirePerPeriod;
  readonly winRate: WirePerPeriod;
  readonly expected: WirePerPeriod;
  /** Averages over the months in which something was closed; the rate is a fraction. */
  readonly monthlyProfit: number;
  readonly monthlyInflow: number;
  readonly monthlyRate: number;
}

function figuresOf(market: Market, closed: readonly Result[], unit: Unit): Figures {
  const inflowOf = (results: readonly Result[]): number => total(results, ({ position }) => position.input[unit]);
  const profitIn = (results: readonly Result[]): number => total(results, ({ profit }) => profit[unit]);
  const winsIn = (results: readonly Result[]): number => results.filter(({ profit }) => profit[unit] > 0).length;
  const months = byMonth(closed);
  return {
    inflow: inflowOf(closed),
    outflow: total(closed, ({ position }) => position.output[unit]),
    wins: winsIn(closed),
    averageInflow: perPeriod(market, closed, (results) => ratio(inflowOf(results), results.length)),
    fee: perPeriod(market, closed, (results) => total(results, ({ position }) => position.collectedFee[unit])),
    profit: perPeriod(market, closed, profitIn),
    winRate: perPeriod(market, closed, (results) => ratio(winsIn(results), results.length)),
    expected: perPeriod(market, closed, (results) => ratio(profitIn(results), results.length)),
    monthlyProfit: average(months.map(profitIn)),
    monthlyInflow: average(months.map(inflowOf)),
    monthlyRate: average(months.map((results) => ratio(profitIn(results), inflowOf(results)))),
  };
}

/** Results by the calendar month (UTC) in which the position was closed. */
function byMonth(closed: readonly Result[]): readonly (readonly Result[])[] {
  const months = new Map<string, Result[]>();
  for (const result of closed) {
    const month = plainDate(result.closedAt).slice(0, 'YYYY-MM'.length);
    months.set(month, [...(months.get(month) ?? []), result]);
  }
  return [...months.values()];
}

function perPeriod(market: Market, closed: readonly Result[], figure: (results: readonly Result[]) => number): WirePerPeriod {
  return Object.fromEntries(PERIODS.map((period) => [period, figure(closed.filter(({ closedAt }) => closedAt >= startOf(period, market.now)))])) as WirePerPeriod;
}

function startOf(period: WirePeriod, now: number): number {
  switch (period) {
    case 'ALL':
      return -Infinity;
    case 'YTD':
      return Date.UTC(new Date(now).getUTCFullYear(), 0, 1);
    default:
      return now - SPAN_DAYS[period] * DAY;
  }
}

function total(results: readonly Result[], of: (result: Result) => number): number {
  return results.reduce((sum, result) => sum + of(result), 0);
}

function average(values: readonly number[]): number {
  return ratio(values.reduce((sum, value) => sum + value, 0), values.length);
}
