import type { Money } from '../service/common';
import type { PerPeriod } from '../service/overview';
import type { ToolContext } from './context';
import { DEFAULT_LIMIT, type OutputOf } from './definitions';
import { type MoneyFigures, moneyFigures, positionFigures, selectedOwner } from './positionTools';

function inBoth(figures: PerPeriod<Money>): Readonly<Record<string, MoneyFigures>> {
  return Object.fromEntries(Object.entries(figures).map(([period, money]) => [period, moneyFigures(money)]));
}

/** Answers binsight_overview. */
export async function showOverview(_: object, context: ToolContext): Promise<OutputOf<'binsight_overview'>> {
  // The sandbox adds its wallet when it is connected.
  await context.reads.positions();
  const wallet = selectedOwner(context);
  const overview = await context.reads.overview(wallet, context.signal);
  if (overview === undefined) {
    return { wallet, hasResults: false };
  }
  return {
    wallet,
    hasResults: true,
    totalInflow: moneyFigures(overview.totalInflow),
    totalOutflow: moneyFigures(overview.totalOutflow),
    totalReward: moneyFigures(overview.totalReward),
    totalPnl: inBoth(overview.totalPnl),
    totalFees: inBoth(overview.totalFee),
    winRate: inBoth(overview.winRate),
    expectedValue: inBoth(overview.expectedValue),
    closedPositions: overview.closedPositions,
    openPositions: overview.openPositions,
    totalPools: overview.totalPools,
    averageAgeHours: overview.averageAgeHours,
    feeRate: moneyFigures(overview.feeRate),
    roi: overview.roi,
    firstActivity: overview.firstActivity?.toISOString(),
    lastActivity: overview.lastActivity?.toISOString(),
  };
}

/** Answers binsight_history. */
export async function listHistory(
  { page = 1, limit = DEFAULT_LIMIT }: { readonly page?: number | undefined; readonly limit?: number | undefined },
  context: ToolContext,
): Promise<OutputOf<'binsight_history'>> {
  await context.reads.positions();
  const wallet = selectedOwner(context);
  const found = await context.reads.closedPositions({ owner: wallet, page, pageSize: limit }, context.signal);
  return {
    wallet,
    page: found.page,
    total: found.totalCount,
    hasNextPage: found.hasNextPage,
    positions: found.items
      .slice(0, limit)
      .map((position) => ({
        ...positionFigures(position),
        closedAt: position.closedAt?.toISOString(),
        createdAt: position.createdAt?.toISOString(),
        input: moneyFigures(position.input),
        output: moneyFigures(position.output),
        fees: moneyFigures(position.fee),
      })),
  };
}
