import * as z from 'zod';
import type { RevenueParameters } from '../../../server/engine';
import type { WireRevenue } from '../../../server/wire/revenue';
import { isoDate, ratio } from './common';
import { isIndexed, poolTypeNamed, type RecordContext, startOf } from './reading';

/** Where the day, week or month (UTC) of a moment begins: expressions of SQL. The first Monday since 1970 was its fifth day. */
const BUCKETS = {
  day: 'at / 86400000 * 86400000',
  week: '(at - 345600000) / 604800000 * 604800000 + 345600000',
  month: `unixepoch(at / 1000, 'unixepoch', 'start of month') * 1000`,
} as const satisfies Readonly<Record<RevenueParameters['period'], string>>;

/**
 * The owner (1), types as a JSON list (2), the time (3), where the range begins (4). What is invested rises when a position is
 * opened, by all that was ever put in, and falls when it is closed, closings first where both happen at once. Rounding leaves
 * no crumb of what is gone.
 */
const revenueSql = (period: RevenueParameters['period']): string => `
WITH held AS MATERIALIZED (
  SELECT address, opened_at, CASE WHEN ${isIndexed('?3')} THEN closed_at END AS closed_at, input_usd, input_native, pnl_usd, pnl_native
  FROM position p WHERE p.owner = ?1 AND p.type IN (SELECT value FROM json_each(?2))
),
move (address, at, usd, native) AS (
  SELECT address, opened_at, input_usd, input_native FROM held
  UNION ALL SELECT address, closed_at, -input_usd, -input_native FROM held WHERE closed_at IS NOT NULL
),
level AS (
  SELECT ${BUCKETS[period]} AS bucket, usd, native, row_number() OVER latest AS place,
    max(0.0, round(sum(usd) OVER running, 9)) AS invested_usd, max(0.0, round(sum(native) OVER running, 9)) AS invested_native
  FROM move
  WINDOW running AS (ORDER BY at, usd, address ROWS UNBOUNDED PRECEDING),
    latest AS (PARTITION BY ${BUCKETS[period]} ORDER BY at DESC, usd DESC, address DESC)
),
invested AS (
  SELECT bucket, max(max(invested_usd, invested_usd - usd)) AS max_usd, max(max(invested_native, invested_native - native)) AS max_native,
    total(invested_usd) FILTER (WHERE place = 1) AS end_usd, total(invested_native) FILTER (WHERE place = 1) AS end_native
  FROM level GROUP BY bucket
),
made AS (
  SELECT ${BUCKETS[period]} AS bucket, total(pnl_usd) AS usd, total(pnl_native) AS native
  FROM (SELECT closed_at AS at, pnl_usd, pnl_native FROM held WHERE closed_at >= ?4) GROUP BY bucket
)
SELECT bucket, usd, native, sum(usd) OVER (ORDER BY bucket) AS total_usd, sum(native) OVER (ORDER BY bucket) AS total_native, max_usd, max_native, end_usd, end_native
FROM made JOIN invested USING (bucket) ORDER BY bucket`;

const SQL = { day: revenueSql('day'), week: revenueSql('week'), month: revenueSql('month') };

const figure = z.number();
const Row = z.object({
  bucket: z.number(),
  usd: figure,
  native: figure,
  total_usd: figure,
  total_native: figure,
  max_usd: figure,
  max_native: figure,
  end_usd: figure,
  end_native: figure,
});

/** What an owner's closed positions made by day, week or month, oldest first; none where nothing was closed in the range. */
export function revenueRecords(reading: RecordContext, { owner, period, range, protocols }: RevenueParameters): WireRevenue {
  const { database, market } = reading;
  const types = protocols === undefined ? ['bins', 'product'] : protocols.flatMap((name) => poolTypeNamed(reading, name) ?? []);
  const rows = database.all(Row, SQL[period], owner, JSON.stringify(types), market.now, startOf(range ?? 'ALL', market.now));
  return {
    data: rows.map((row) => ({
      close_day: isoDate(row.bucket),
      sum: row.usd,
      sum_native: row.native,
      total_invested: row.end_usd,
      total_invested_native: row.end_native,
      cumulative_pnl: row.total_usd,
      cumulative_pnl_native: row.total_native,
      max_invested: row.max_usd,
      max_invested_native: row.max_native,
      pnl_percent: ratio(row.usd, row.max_usd),
      pnl_percent_native: ratio(row.native, row.max_native),
    })),
  };
}
