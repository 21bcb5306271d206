import type { Page } from '../../../../../src/service/common';
import type { Overview } from '../../../../../src/service/overview';
import type { ClosedPosition } from '../../../../../src/service/positions';
import { type HistoryRequest, MOST_HISTORY_ROWS } from '../../../../../src/protocol/overview';
import type { HistoricalQuery } from '../../../../../src/service/service';
import { addressOf, IN_POOL, OWNER } from '../../../portfolio/fixtures';

const HOUR_MS = 3_600_000;
const NEWEST_MS = Date.UTC(2026, 10, 19);

/** The first rows, last closed first. */
export const NEWEST_ROWS: HistoryRequest = {
  id: 1,
  query: { search: '', result: 'all', sort: { column: 'closedAtMs', order: 'desc' } },
  from: 0,
  count: MOST_HISTORY_ROWS,
};

/** A closed position; a higher number was closed later. */
export function closedPosition(number: number, part: Partial<ClosedPosition> = {}): ClosedPosition {
  const at = addressOf(10_000 + number);
  const closedAt = new Date(NEWEST_MS - (5_000 - number) * HOUR_MS);
  return {
    key: at,
    address: at,
    owner: OWNER,
    ...IN_POOL,
    input: { usd: 90 + number / 7, native: 0.6 },
    output: { usd: 95, native: 0.7 },
    collectedFee: { usd: 1, native: 0.01 },
    collectedReward: { usd: 0, native: 0 },
    pnl: { usd: 5 - number / 7, native: 0.1 },
    pnlPercent: { usd: 5.5, native: 16.7 },
    dailyReturn: { usd: 0.05, native: 0.1 },
    ageHours: 5,
    createdAt: new Date(closedAt.getTime() - 5 * HOUR_MS),
    updatedAt: closedAt,
    closedAt,
    fee: { usd: 1, native: 0.01 },
    feePercent: { usd: 1.1, native: 1.6 },
    audited: { solIn: 0.6, solOut: 0.7, pnlNative: 0.1 },
    followed: undefined,
    ...part,
  };
}

/** A page of these, as the service gives it: the last closed first, cut to the dates asked for. */
export function closedPage(all: readonly ClosedPosition[], { from, to, page = 1, pageSize = 20 }: HistoricalQuery): Page<ClosedPosition> {
  const fits = ({ closedAt }: ClosedPosition) =>
    closedAt === undefined || ((from === undefined || closedAt >= from) && (to === undefined || closedAt <= to));
  const sorted = all.filter(fits).toSorted((a, b) => (b.closedAt?.getTime() ?? 0) - (a.closedAt?.getTime() ?? 0));
  const items = sorted.slice((page - 1) * pageSize, page * pageSize);
  return {
    items,
    warnings: [],
    page,
    pageSize,
    totalCount: sorted.length,
    totalPages: Math.ceil(sorted.length / pageSize),
    hasNextPage: page * pageSize < sorted.length,
  };
}

const money = (figure: number) => ({ usd: figure, native: figure / 150 });
const each = <Figure>(figure: Figure) => ({ ALL: figure, '7D': figure, '1M': figure, '3M': figure, '1Y': figure, YTD: figure });

/** An overview. */
export function overviewOf(part: Partial<Overview> = {}): Overview {
  return {
    owner: OWNER,
    chain: 'SOL',
    protocol: 'meteora',
    totalInflow: money(1_000),
    totalOutflow: money(1_100),
    totalReward: money(0),
    averageInflow: each(money(50)),
    totalFee: each(money(30)),
    totalPnl: each(money(100)),
    winRate: each({ usd: 0.6, native: 0.5 }),
    expectedValue: each(money(5)),
    closedPositions: each(20),
    averageAgeHours: 12,
    feeRate: { usd: 0.03, native: 0.02 },
    apr: 1_000,
    roi: 0.1,
    roiOnAverageInflow: { usd: 2, native: 2 },
    totalPositions: 25,
    wonPositions: { usd: 12, native: 10 },
    openPositions: 5,
    totalPools: 7,
    firstActivity: new Date('2026-01-02T03:04:05.678Z'),
    lastActivity: new Date('2026-11-19T00:00:00Z'),
    updatedAt: undefined,
    averagePositionProfit: money(5),
    monthlyProfitPercent: { usd: 10, native: 9 },
    monthlyPnl: money(9),
    monthlyInflow: money(90),
    ...part,
  };
}
