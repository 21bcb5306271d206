import * as z from 'zod';
import type { Address } from '../../../base/solana/address';
import { PERIODS, type WireOverview, type WirePerPeriod } from '../../../server/wire/overview';
import { CHAIN_NAME, plainDate, ratio } from './common';
import { isIndexed, poolTypeNamed, type RecordContext, startOf } from './reading';

const HOURS_A_YEAR = 8_760;

/** The owner (1), the type (2), the time (3). */
const CLOSED = `SELECT * FROM position p WHERE p.owner = ?1 AND p.type = ?2 AND p.closed_at IS NOT NULL AND ${isIndexed('?3')}`;

/** One row for each period: where it begins follows (4 to 9). Results are positions that made or lost something. */
const PER_PERIOD = `
WITH period (place, name, since) AS (VALUES ${PERIODS.map((name, index) => `(${index}, '${name}', ?${4 + index})`).join(', ')}), closed AS MATERIALIZED (${CLOSED})
SELECT period.name, count(c.address) AS closed, total(c.input_usd) AS input_usd, total(c.input_native) AS input_native,
  total(c.output_usd) AS output_usd, total(c.output_native) AS output_native, total(c.fee_usd) AS fee_usd, total(c.fee_native) AS fee_native,
  total(c.pnl_usd) AS pnl_usd, total(c.pnl_native) AS pnl_native,
  count(*) FILTER (WHERE c.pnl_usd <> 0) AS results_usd, count(*) FILTER (WHERE c.pnl_native <> 0) AS results_native,
  count(*) FILTER (WHERE c.pnl_usd > 0) AS wins_usd, count(*) FILTER (WHERE c.pnl_native > 0) AS wins_native,
  coalesce(avg(c.closed_at - c.opened_at) / 3600000.0, 0.0) AS age_hours
FROM period LEFT JOIN closed c ON c.closed_at >= period.since GROUP BY period.place ORDER BY period.place`;

/** Averages over the calendar months (UTC) in which something was closed. */
const PER_MONTH = `
WITH month AS (
  SELECT total(input_usd) AS input_usd, total(input_native) AS input_native, total(pnl_usd) AS pnl_usd, total(pnl_native) AS pnl_native
  FROM (${CLOSED}) GROUP BY strftime('%Y-%m', closed_at / 1000, 'unixepoch')
)
SELECT coalesce(avg(input_usd), 0.0) AS input_usd, coalesce(avg(input_native), 0.0) AS input_native,
  coalesce(avg(pnl_usd), 0.0) AS pnl_usd, coalesce(avg(pnl_native), 0.0) AS pnl_native,
  coalesce(avg(pnl_usd / nullif(input_usd, 0.0)), 0.0) AS rate_usd, coalesce(avg(pnl_native / nullif(input_native, 0.0)), 0.0) AS rate_native
FROM month`;

/** Open and closed ones. What landed and is not indexed yet counts as it was before: as open, or not at all. */
const ALL = `
SELECT count(*) AS total, count(*) FILTER (WHERE l.record IS NOT NULL OR p.closed_at IS NULL) AS open, count(DISTINCT p.pool) AS pools,
  min(p.opened_at) AS first_at, max(p.updated_at) AS last_at
FROM position p LEFT JOIN lagging_record l ON l.position = p.address AND l.until > ?3
WHERE p.owner = ?1 AND p.type = ?2 AND NOT (l.position IS NOT NULL AND l.record IS NULL)`;

const figure = z.number();
const PeriodRow = z.object({
  name: z.enum(PERIODS),
  closed: z.int(),
  input_usd: figure,
  input_native: figure,
  output_usd: figure,
  output_native: figure,
  fee_usd: figure,
  fee_native: figure,
  pnl_usd: figure,
  pnl_native: figure,
  results_usd: z.int(),
  results_native: z.int(),
  wins_usd: z.int(),
  wins_native: z.int(),
  age_hours: figure,
});
type PeriodRow = z.output<typeof PeriodRow>;
const MonthRow = z.object({
  input_usd: figure,
  input_native: figure,
  pnl_usd: figure,
  pnl_native: figure,
  rate_usd: figure,
  rate_native: figure,
});
const AllRow = z.object({ total: z.int(), open: z.int(), pools: z.int(), first_at: z.number().nullable(), last_at: z.number().nullable() });

/** How the owner has done over all with that protocol; `undefined` where there is no position of theirs. Money: closed positions alone. */
export function overviewRecord(reading: RecordContext, owner: Address, protocol: string): WireOverview | undefined {
  const { database, market } = reading;
  const type = poolTypeNamed(reading, protocol);
  const of = [owner, type ?? '', market.now] as const;
  const all = type === undefined ? undefined : database.get(AllRow, ALL, ...of);
  const months = database.get(MonthRow, PER_MONTH, ...of);
  if (all === undefined || all.first_at === null || all.last_at === null || months === undefined) {
    return undefined;
  }
  const rows = database.all(PeriodRow, PER_PERIOD, ...of, ...PERIODS.map((period) => startOf(period, market.now)));
  const perPeriod = (figureOf: (row: PeriodRow) => number): WirePerPeriod =>
    Object.fromEntries(rows.map((row) => [row.name, figureOf(row)])) as WirePerPeriod;
  const closed = perPeriod((row) => row.closed);
  const ageHours = perPeriod((row) => row.age_hours).ALL;
  const figures = (unit: 'usd' | 'native'): Figures => ({
    inflow: perPeriod((row) => row[`input_${unit}`]).ALL,
    outflow: perPeriod((row) => row[`output_${unit}`]).ALL,
    wins: perPeriod((row) => row[`wins_${unit}`]).ALL,
    averageInflow: perPeriod((row) => ratio(row[`input_${unit}`], row.closed)),
    fee: perPeriod((row) => row[`fee_${unit}`]),
    profit: perPeriod((row) => row[`pnl_${unit}`]),
    winRate: perPeriod((row) => ratio(row[`wins_${unit}`], row[`results_${unit}`])),
    expected: perPeriod((row) => ratio(row[`pnl_${unit}`], row[`results_${unit}`])),
  });
  const usd = figures('usd');
  const native = figures('native');
  const roi = ratio(usd.profit.ALL, usd.inflow);
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
    closed_lp: { ...closed, ALL: String(closed.ALL) },
    avg_age_hour: ageHours,
    fee_percent: ratio(usd.fee.ALL, usd.inflow),
    fee_percent_native: ratio(native.fee.ALL, native.inflow),
    apr: 100 * roi * ratio(HOURS_A_YEAR, ageHours),
    roi,
    roi_avg_inflow: ratio(usd.expected.ALL, usd.averageInflow.ALL),
    roi_avg_inflow_native: ratio(native.expected.ALL, native.averageInflow.ALL),
    total_lp: String(all.total),
    win_lp: String(usd.wins),
    win_lp_native: String(native.wins),
    opening_lp: String(all.open),
    total_pool: String(all.pools),
    first_activity: plainDate(all.first_at),
    last_activity: plainDate(all.last_at),
    updated_at: plainDate(market.now).slice(0, 'YYYY-MM-DD HH:MM:SS'.length),
    avg_pos_profit: usd.expected.ALL,
    avg_pos_profit_native: native.expected.ALL,
    avg_monthly_profit_percent: months.rate_usd,
    avg_monthly_profit_percent_native: months.rate_native,
    avg_monthly_pnl: months.pnl_usd,
    avg_monthly_pnl_native: months.pnl_native,
    avg_monthly_inflow: months.input_usd,
    avg_monthly_inflow_native: months.input_native,
  };
}

/** All figures in both currencies. */
interface Figures {
  readonly inflow: number;
  readonly outflow: number;
  readonly wins: number;
  readonly averageInflow: WirePerPeriod;
  readonly fee: WirePerPeriod;
  readonly profit: WirePerPeriod;
  readonly winRate: WirePerPeriod;
  readonly expected: WirePerPeriod;
}
