import * as z from 'zod';
import type { Address } from '../base/solana/address';
import type { Money } from './common';
import { hasFields, isAbsent } from './parsing/envelope';
import { decimal, group, instant, integer, label, solanaAddress, wireRecord } from './parsing/fields';
import { type ParseContext, readRecord } from './parsing/records';
import { money } from './tokens';

export type Period = 'ALL' | '7D' | '1M' | '3M' | '1Y' | 'YTD';

/** A figure for each period; `undefined` if the service reports none. */
export type PerPeriod<Figure> = Readonly<Record<Period, Figure>>;

/** The overall results of a wallet. `winRate`, `roi` and `feeRate` are fractions; `monthlyProfitPercent` is percent. */
export interface Overview {
  readonly owner: Address | undefined;
  readonly chain: string | undefined;
  readonly protocol: string | undefined;
  readonly totalInflow: Money;
  readonly totalOutflow: Money;
  readonly totalReward: Money;
  readonly averageInflow: PerPeriod<Money>;
  readonly totalFee: PerPeriod<Money>;
  readonly totalPnl: PerPeriod<Money>;
  readonly winRate: PerPeriod<Money>;
  readonly expectedValue: PerPeriod<Money>;
  readonly closedPositions: PerPeriod<number | undefined>;
  readonly averageAgeHours: number | undefined;
  readonly feeRate: Money;
  readonly apr: number | undefined;
  readonly roi: number | undefined;
  readonly roiOnAverageInflow: Money;
  readonly totalPositions: number | undefined;
  readonly wonPositions: Money;
  readonly openPositions: number | undefined;
  readonly totalPools: number | undefined;
  readonly firstActivity: Date | undefined;
  readonly lastActivity: Date | undefined;
  readonly updatedAt: Date | undefined;
  readonly averagePositionProfit: Money;
  readonly monthlyProfitPercent: Money;
  readonly monthlyPnl: Money;
  readonly monthlyInflow: Money;
}

/** A figure for each period. Some answers have null instead, or one plain figure, which is that of all time. */
const periods = z.preprocess(
  (value) => (hasFields(value) || isAbsent(value) ? value : { ALL: value }),
  group({ ALL: decimal, '7D': decimal, '1M': decimal, '3M': decimal, '1Y': decimal, YTD: decimal }),
);

const overviewRecord = wireRecord({
  owner: solanaAddress,
  chain: label,
  protocol: label,
  total_inflow: decimal,
  total_inflow_native: decimal,
  total_outflow: decimal,
  total_outflow_native: decimal,
  total_reward: decimal,
  total_reward_native: decimal,
  avg_inflow: periods,
  avg_inflow_native: periods,
  total_fee: periods,
  total_fee_native: periods,
  total_pnl: periods,
  total_pnl_native: periods,
  win_rate: periods,
  win_rate_native: periods,
  expected_value: periods,
  expected_value_native: periods,
  closed_lp: periods,
  avg_age_hour: decimal,
  fee_percent: decimal,
  fee_percent_native: decimal,
  apr: decimal,
  roi: decimal,
  roi_avg_inflow: decimal,
  roi_avg_inflow_native: decimal,
  total_lp: integer,
  win_lp: integer,
  win_lp_native: integer,
  opening_lp: integer,
  open_lp: integer,
  total_pool: integer,
  first_activity: instant,
  last_activity: instant,
  updated_at: instant,
  avg_pos_profit: decimal,
  avg_pos_profit_native: decimal,
  avg_monthly_profit_percent: decimal,
  avg_monthly_profit_percent_native: decimal,
  avg_monthly_pnl: decimal,
  avg_monthly_pnl_native: decimal,
  avg_monthly_inflow: decimal,
  avg_monthly_inflow_native: decimal,
});

type Periods = z.output<typeof periods>;

/** @returns `undefined` if the record cannot be read */
export function readOverview(raw: unknown, path: string, reading: ParseContext): Overview | undefined {
  const wire = readRecord(overviewRecord, raw, path, reading);
  return wire === undefined ? undefined : toOverview(wire);
}

function toOverview(wire: z.output<typeof overviewRecord>): Overview {
  return {
    owner: wire.owner,
    chain: wire.chain,
    protocol: wire.protocol,
    totalInflow: money(wire.total_inflow, wire.total_inflow_native),
    totalOutflow: money(wire.total_outflow, wire.total_outflow_native),
    totalReward: money(wire.total_reward, wire.total_reward_native),
    averageInflow: moneyPerPeriod(wire.avg_inflow, wire.avg_inflow_native),
    totalFee: moneyPerPeriod(wire.total_fee, wire.total_fee_native),
    totalPnl: moneyPerPeriod(wire.total_pnl, wire.total_pnl_native),
    winRate: moneyPerPeriod(wire.win_rate, wire.win_rate_native, fraction),
    expectedValue: moneyPerPeriod(wire.expected_value, wire.expected_value_native),
    closedPositions: perPeriod((period) => wire.closed_lp?.[period]),
    averageAgeHours: wire.avg_age_hour,
    feeRate: money(wire.fee_percent, wire.fee_percent_native),
    apr: wire.apr,
    roi: wire.roi,
    roiOnAverageInflow: money(wire.roi_avg_inflow, wire.roi_avg_inflow_native),
    totalPositions: wire.total_lp,
    wonPositions: money(wire.win_lp, wire.win_lp_native),
    openPositions: wire.opening_lp ?? wire.open_lp,
    totalPools: wire.total_pool,
    firstActivity: wire.first_activity,
    lastActivity: wire.last_activity,
    updatedAt: wire.updated_at,
    averagePositionProfit: money(wire.avg_pos_profit, wire.avg_pos_profit_native),
    monthlyProfitPercent: money(percent(wire.avg_monthly_profit_percent), percent(wire.avg_monthly_profit_percent_native)),
    monthlyPnl: money(wire.avg_monthly_pnl, wire.avg_monthly_pnl_native),
    monthlyInflow: money(wire.avg_monthly_inflow, wire.avg_monthly_inflow_native),
  };
}

/** Normalizes a win rate to a fraction: some answers have percent (60 instead of 0.6), and no win rate is above 1. */
export function fraction(rate: number | undefined): number | undefined {
  return rate !== undefined && rate > 1 ? rate / 100 : rate;
}

/** Converts a fraction to percent. In the contract's examples every field named percent, except `pnl.percent`, is a fraction. */
export function percent(rate: number | undefined): number | undefined {
  return rate === undefined ? undefined : rate * 100;
}

function moneyPerPeriod(
  usd: Periods,
  native: Periods,
  convert = (figure: number | undefined): number | undefined => figure,
): PerPeriod<Money> {
  return perPeriod((period) => money(convert(usd?.[period]), convert(native?.[period])));
}

function perPeriod<Figure>(figure: (period: keyof PerPeriod<Figure>) => Figure): PerPeriod<Figure> {
  return { ALL: figure('ALL'), '7D': figure('7D'), '1M': figure('1M'), '3M': figure('3M'), '1Y': figure('1Y'), YTD: figure('YTD') };
}
