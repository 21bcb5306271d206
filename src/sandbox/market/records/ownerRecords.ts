import * as z from 'zod';
import type { Address } from '../../../base/solana/address';
import type { RevenueParameters } from '../../../engine/engine';
import type { WireTokenBalance } from '../../../engine/wire/positions';
import { NO_WORTH } from '../../../engine/records/figures';
import { balanceRecord } from '../../../engine/records/balanceRecord';
import { type OwnerTotals, overviewOf, type PeriodFigures, periodStart, revenueRow } from '../../../engine/records/overviewRecord';
import { PERIODS, type WireOverview, type WireRevenue } from '../../../engine/wire/results';
import { isIndexed, poolTypeNamed, type RecordContext, recordToken } from './recordContext';

/** The owner (1), the type (2), the time (3). */
const CLOSED = `SELECT * FROM position p WHERE p.owner = ?1 AND p.type = ?2 AND p.closed_at IS NOT NULL AND ${isIndexed('?3')}`;

/** One row for each period; parameters 4 to 9 are their starts. Results are positions with a profit or loss other than zero. */
const PER_PERIOD = `
WITH period (place, name, since) AS (VALUES ${PERIODS.map((name, index) => `(${index}, '${name}', ?${4 + index})`).join(', ')}), closed AS MATERIALIZED (${CLOSED})
SELECT period.name, count(c.address) AS closed, total(c.input_usd) AS input_usd, total(c.input_native) AS input_native,
  total(c.output_usd) AS output_usd, total(c.output_native) AS output_native, total(c.fee_usd) AS fee_usd, total(c.fee_native) AS fee_native,
  total(c.pnl_usd) AS pnl_usd, total(c.pnl_native) AS pnl_native,
  count(*) FILTER (WHERE c.pnl_usd <> 0) AS results_usd, count(*) FILTER (WHERE c.pnl_native <> 0) AS results_native,
  count(*) FILTER (WHERE c.pnl_usd > 0) AS wins_usd, count(*) FILTER (WHERE c.pnl_native > 0) AS wins_native,
  coalesce(avg(c.closed_at - c.opened_at) / 3600000.0, 0.0) AS age_hours
FROM period LEFT JOIN closed c ON c.closed_at >= period.since GROUP BY period.place ORDER BY period.place`;

/** Averages over the calendar months (UTC) with closed positions. */
const PER_MONTH = `
WITH month AS (
  SELECT total(input_usd) AS input_usd, total(input_native) AS input_native, total(pnl_usd) AS pnl_usd, total(pnl_native) AS pnl_native
  FROM (${CLOSED}) GROUP BY strftime('%Y-%m', closed_at / 1000, 'unixepoch')
)
SELECT coalesce(avg(input_usd), 0.0) AS input_usd, coalesce(avg(input_native), 0.0) AS input_native,
  coalesce(avg(pnl_usd), 0.0) AS pnl_usd, coalesce(avg(pnl_native), 0.0) AS pnl_native,
  coalesce(avg(pnl_usd / nullif(input_usd, 0.0)), 0.0) AS rate_usd, coalesce(avg(pnl_native / nullif(input_native, 0.0)), 0.0) AS rate_native
FROM month`;

/** Open and closed positions. A position whose index lags counts as before the landing. */
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

/** Results of an owner with a protocol; `undefined` without positions. Amounts are those of closed positions. */
export function overviewRecord(context: RecordContext, owner: Address, protocol: string): WireOverview | undefined {
  const { database, market } = context;
  const type = poolTypeNamed(context, protocol);
  const of = [owner, type ?? '', market.now] as const;
  const all = type === undefined ? undefined : database.get(AllRow, ALL, ...of);
  const months = database.get(MonthRow, PER_MONTH, ...of);
  if (all === undefined || all.first_at === null || all.last_at === null || months === undefined) {
    return undefined;
  }
  const rows = database.all(PeriodRow, PER_PERIOD, ...of, ...PERIODS.map((period) => periodStart(period, market.now)));
  const periods = Object.fromEntries(rows.map((row) => [row.name, periodFigures(row)])) as OwnerTotals['periods'];
  return overviewOf({
    owner,
    protocol,
    periods,
    months: {
      input: { usd: months.input_usd, native: months.input_native },
      pnl: { usd: months.pnl_usd, native: months.pnl_native },
      rate: { usd: months.rate_usd, native: months.rate_native },
    },
    reward: NO_WORTH,
    total: all.total,
    open: all.open,
    pools: all.pools,
    firstAt: all.first_at,
    lastAt: all.last_at,
    now: market.now,
  });
}

function periodFigures(row: PeriodRow): PeriodFigures {
  return {
    closed: row.closed,
    input: { usd: row.input_usd, native: row.input_native },
    output: { usd: row.output_usd, native: row.output_native },
    fee: { usd: row.fee_usd, native: row.fee_native },
    pnl: { usd: row.pnl_usd, native: row.pnl_native },
    results: { usd: row.results_usd, native: row.results_native },
    wins: { usd: row.wins_usd, native: row.wins_native },
    ageHours: row.age_hours,
  };
}

/** SQL expressions of the start of the day, week or month (UTC). The first Monday of 1970 was January 5. */
const BUCKETS = {
  day: 'at / 86400000 * 86400000',
  week: '(at - 345600000) / 604800000 * 604800000 + 345600000',
  month: `unixepoch(at / 1000, 'unixepoch', 'start of month') * 1000`,
} as const satisfies Readonly<Record<RevenueParameters['period'], string>>;

/**
 * Parameters: owner (1), types as a JSON list (2), time (3), start of the range (4). The invested amount rises by a position's whole
 * input when it is opened, and falls when it is closed; at equal times closings come first. Sums are rounded, so that closed
 * positions leave exactly nothing.
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

/** Profit of an owner's closed positions by day, week or month, oldest first. */
export function revenueRecords(context: RecordContext, { owner, period, range, protocols }: RevenueParameters): WireRevenue {
  const { database, market } = context;
  const types = protocols === undefined ? ['bins', 'product'] : protocols.flatMap((name) => poolTypeNamed(context, name) ?? []);
  const rows = database.all(Row, SQL[period], owner, JSON.stringify(types), market.now, periodStart(range ?? 'ALL', market.now));
  return {
    data: rows.map((row) =>
      revenueRow({
        startsAt: row.bucket,
        profit: { usd: row.usd, native: row.native },
        profitSoFar: { usd: row.total_usd, native: row.total_native },
        mostInvested: { usd: row.max_usd, native: row.max_native },
        invested: { usd: row.end_usd, native: row.end_native },
      }),
    ),
  };
}

/** Balances of an owner: always SOL (native and wrapped together, under the mint of wrapped SOL), other tokens if not zero. Unknown mints are left out. */
export function tokenBalances(
  { market, chain }: RecordContext,
  owner: Address,
  mints: readonly string[] | undefined,
): readonly WireTokenBalance[] {
  return market.tokens
    .filter(({ mint }) => mints === undefined || mints.includes(mint))
    .map((token) => {
      const tokens = chain.tokenBalance(owner, token.mint);
      return { token, raw: token.mint === market.sol.mint ? chain.lamports(owner) + tokens : tokens };
    })
    .filter(({ token, raw }) => raw > 0n || token.mint === market.sol.mint)
    .map(({ token, raw }) => balanceRecord(recordToken(token), raw, market.usd(token)));
}
