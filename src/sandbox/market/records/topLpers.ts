import * as z from 'zod';
import type { TopLpersParameters } from '../../../server/engine';
import type { LPER_FIGURES, WireTopLpers } from '../../../server/wire/pools';
import type { Pool } from '../types';
import { isoDate, pageCount } from './common';
import { CountRow } from './historical';
import { PRESENT, presentIn } from './present';
import type { RecordContext } from './reading';

/** What open positions are worth (1), the pool (2), the time (3). One row for each owner; fees count when they are earned, profit with what is still in. */
const LPERS = `
WITH ${PRESENT}, result AS (
  SELECT p.owner, p.input_usd, p.input_native, p.output_usd, p.output_native, p.opened_at, p.updated_at,
    p.fee_usd + coalesce(v.due_usd, 0.0) AS fee_usd, p.fee_native + coalesce(v.due_native, 0.0) AS fee_native,
    p.pnl_usd + coalesce(v.value_usd + v.due_usd, 0.0) AS pnl_usd, p.pnl_native + coalesce(v.value_native + v.due_native, 0.0) AS pnl_native,
    (coalesce(p.closed_at, ?3) - p.opened_at) / 3600000.0 AS age_hours
  FROM position p LEFT JOIN present v ON v.position = p.address WHERE p.pool = ?2
),
lper AS (
  SELECT owner, total(input_usd) AS total_inflow, avg(input_usd) AS avg_inflow, total(output_usd) AS total_outflow, total(fee_usd) AS total_fee,
    total(pnl_usd) AS total_pnl, total(input_native) AS total_inflow_native, avg(input_native) AS avg_inflow_native,
    total(output_native) AS total_outflow_native, 0.0 AS total_reward, total(fee_native) AS total_fee_native, 0.0 AS total_reward_native,
    total(pnl_native) AS total_pnl_native, count(*) AS total_lp, avg(age_hours) AS avg_age_hour,
    count(*) FILTER (WHERE pnl_usd > 0) AS win_lp, count(*) FILTER (WHERE pnl_native > 0) AS win_lp_native,
    min(opened_at) AS first_activity, max(updated_at) AS last_activity
  FROM result GROUP BY owner
),
rated AS (
  SELECT *, 1.0 * win_lp / total_lp AS win_rate, 1.0 * win_lp_native / total_lp AS win_rate_native,
    coalesce(total_fee / nullif(total_inflow, 0.0), 0.0) AS fee_percent, coalesce(total_fee_native / nullif(total_inflow_native, 0.0), 0.0) AS fee_percent_native,
    coalesce(total_pnl / nullif(total_inflow, 0.0), 0.0) AS roi
  FROM lper
)
SELECT *, coalesce(100.0 * roi * 8760.0 / nullif(avg_age_hour, 0.0), 0.0) AS apr FROM rated`;
const COUNT = 'SELECT count(DISTINCT owner) AS count FROM position WHERE pool = ?';

const figure = z.number();
const Figures = z.object({
  total_inflow: figure,
  avg_inflow: figure,
  total_outflow: figure,
  total_fee: figure,
  total_pnl: figure,
  total_inflow_native: figure,
  avg_inflow_native: figure,
  total_outflow_native: figure,
  total_reward: figure,
  total_fee_native: figure,
  total_reward_native: figure,
  total_pnl_native: figure,
  total_lp: figure,
  avg_age_hour: figure,
  win_lp: figure,
  win_lp_native: figure,
  win_rate: figure,
  win_rate_native: figure,
  fee_percent: figure,
  fee_percent_native: figure,
  apr: figure,
  roi: figure,
} satisfies Record<(typeof LPER_FIGURES)[number], typeof figure>);
const LperRow = Figures.extend({ owner: z.string(), first_activity: z.number(), last_activity: z.number() });

/** The liquidity providers of a pool, in the order asked for; equals by address. */
export function topLperRecords(
  { database, market, protocols }: RecordContext,
  pool: Pool,
  parameters: Omit<TopLpersParameters, 'pool'>,
): WireTopLpers {
  const { page, pageSize } = parameters;
  const totalCount = database.get(CountRow, COUNT, pool.address) ?? 0;
  const rows = database.all(
    LperRow,
    pageSql(parameters),
    presentIn(market, pool),
    pool.address,
    market.now,
    pageSize,
    (page - 1) * pageSize,
  );
  const totalPages = pageCount(totalCount, pageSize);
  const data = rows.map(({ owner, first_activity, last_activity, ...figures }) => ({
    pool: pool.address,
    owner,
    protocol: protocols[pool.type],
    token0: pool.tokenX.mint,
    token1: pool.tokenY.mint,
    ...figures,
    first_activity: isoDate(first_activity),
    last_activity: isoDate(last_activity),
  }));
  return { data, pagination: { page, pageSize, totalCount, totalPages, hasNextPage: page < totalPages } };
}

/** The statement that gives one page: parameters of {@link LPERS}, how many (4), after how many (5). */
export function pageSql({ orderBy, sortOrder }: Pick<TopLpersParameters, 'orderBy' | 'sortOrder'>): string {
  return `${LPERS} ORDER BY ${orderBy} ${sortOrder}, owner LIMIT ?4 OFFSET ?5`;
}
