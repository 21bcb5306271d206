import type { Call } from './transport';
import { ServiceError } from '../errors';
import { type Overview, percent, readOverview } from '../overview';
import { dataOf, hasFields, listOf, pageOf, readPagination, unreadable } from '../parsing/envelope';
import { readIncomplete } from '../parsing/incomplete';
import { decimal, instant, wireRecord } from '../parsing/fields';
import { type ParseContext, readRecords } from '../parsing/records';
import { readPositionLogs } from '../positionLogs';
import { readAllOpenPositions, readClosedPositions } from '../positions';
import { checkHistorical, checkRevenue } from './requestChecks';
import type { LiquidityService, RevenueRow } from '../service';
import { money } from '../tokens';

/** A row of /lp-positions/revenue. `pnl_percent` is sum ÷ max_invested, a fraction: 1500.5 ÷ 50000 is 0.03 in the contract's example. */
const revenueRecord = wireRecord({
  close_day: instant,
  sum: decimal,
  sum_native: decimal,
  total_invested: decimal,
  total_invested_native: decimal,
  cumulative_pnl: decimal,
  cumulative_pnl_native: decimal,
  pnl_percent: decimal,
  pnl_percent_native: decimal,
});

/** Reads the revenue of each period. */
function readRevenue(list: readonly unknown[], path: string, reading: ParseContext): RevenueRow[] {
  return readRecords(revenueRecord, list, path, reading, (wire) => ({
    day: wire.close_day,
    pnl: money(wire.sum, wire.sum_native),
    invested: money(wire.total_invested, wire.total_invested_native),
    cumulativePnl: money(wire.cumulative_pnl, wire.cumulative_pnl_native),
    pnlPercent: money(percent(wire.pnl_percent), percent(wire.pnl_percent_native)),
  }));
}

/** The service's default protocol, by the published contract. */
const DEFAULT_PROTOCOL = 'meteora';

/**
 * Maximum size of the list of open positions, which has no pages. A position takes 2 to 2.3 kB, so this is enough for about 30,000. Reading
 * temporarily takes about six times as much memory.
 */
const LONGEST_OPENING = 64 * 1024 * 1024;

/** The endpoints under /lp-positions. */
export type PositionCalls = Pick<LiquidityService, 'openPositions' | 'closedPositions' | 'overview' | 'positionLogs' | 'revenue'>;

/** Creates the methods that read a wallet's positions. */
export function positionCalls(call: Call): PositionCalls {
  return {
    openPositions: async (owner, options) => {
      const endpoint = 'GET /lp-positions/opening';
      return call({ endpoint, query: { owner }, longestAnswerBytes: LONGEST_OPENING, ...options }, async (body, reading) => {
        const items = await readAllOpenPositions(listOf(dataOf(body, endpoint), endpoint, 'data'), 'data', reading);
        const incomplete = readIncomplete(body);
        return { items, warnings: reading.warnings.all(), ...(incomplete === undefined ? {} : { incomplete }) };
      });
    },

    closedPositions: async (query, options) => {
      const endpoint = 'GET /lp-positions/historical';
      checkHistorical(endpoint, query);
      const { owner, from, to, page, pageSize } = query;
      const parameters = { owner, from_date: from?.toISOString(), to_date: to?.toISOString(), page, limit: pageSize };
      return call({ endpoint, query: parameters, ...options }, (body, reading) => {
        const data = dataOf(body, endpoint);
        const { list, path } = pageOf(data, endpoint, ['data', 'positions']);
        const items = readClosedPositions(list, path, reading);
        const pagination = readPagination(body, data, reading, { page, pageSize, received: list.length });
        return { items, ...pagination, warnings: reading.warnings.all() };
      });
    },

    overview: async ({ owner, protocol }, options) => {
      const endpoint = 'GET /lp-positions/overview';
      try {
        return await call({ endpoint, query: { owner, protocol }, ...options }, (body, reading) => {
          return chooseOverview(dataOf(body, endpoint), protocol, endpoint, reading);
        });
      } catch (error) {
        if (error instanceof ServiceError && error.kind === 'notFound') {
          return undefined;
        }
        throw error;
      }
    },

    positionLogs: async (query, options) => {
      const endpoint = 'GET /lp-positions/logs';
      const parameters = 'owner' in query ? query : { position: query.position, ...(query.reported === true ? { reported: 'true' } : {}) };
      return call({ endpoint, query: parameters, ...options }, (body, reading) => {
        const items = readPositionLogs(listOf(dataOf(body, endpoint), endpoint, 'data'), 'data', reading);
        return { items, warnings: reading.warnings.all() };
      });
    },

    revenue: async (query, options) => {
      const endpoint = 'GET /lp-positions/revenue/{owner}';
      checkRevenue(endpoint, query);
      const { owner, period, range, protocols } = query;
      const path = `/lp-positions/revenue/${encodeURIComponent(owner)}`;
      return call({ endpoint, path, query: { period, range, protocol: protocols?.join(',') }, ...options }, (body, reading) => {
        const items = readRevenue(listOf(dataOf(body, endpoint), endpoint, 'data'), 'data', reading);
        return { items, warnings: reading.warnings.all() };
      });
    },
  };
}

/** The data of overview is a record, or a list with at most one record per protocol. */
function chooseOverview(data: unknown, protocol: string | undefined, endpoint: string, reading: ParseContext): Overview | undefined {
  const list = Array.isArray(data) ? (data as readonly unknown[]) : undefined;
  const named = (name: unknown) => list?.findIndex((record) => hasFields(record) && (record.protocol ?? undefined) === name) ?? -1;
  // A record of another protocol doesn't answer a request for a named one; a record without a name may.
  const index = protocol === undefined ? Math.max(0, named(DEFAULT_PROTOCOL)) : named(protocol) === -1 ? named(undefined) : named(protocol);
  const chosen = list === undefined ? data : list[index];
  if (chosen === undefined || chosen === null) {
    return undefined;
  }
  const path = list === undefined ? 'data' : `data[${index}]`;
  const overview = readOverview(chosen, path, reading);
  if (overview === undefined) {
    throw unreadable(endpoint, path, reading.warnings.all());
  }
  return overview;
}
