import type { Overview } from '../../../service/overview';
import type { ClosedPosition } from '../../../service/positions';
import type { PortfolioTotals } from '../../../portfolio/types';
import type { ClosedRow, OpenTotals, OverviewFigures } from '../../../protocol/overview';

/** Converts an overview to the panel's format, with every field of the record. */
export function overviewFiguresOf({ firstActivity, lastActivity, updatedAt, ...figures }: Overview): OverviewFigures {
  return {
    ...figures,
    firstActivityMs: firstActivity?.getTime(),
    lastActivityMs: lastActivity?.getTime(),
    updatedAtMs: updatedAt?.getTime(),
  };
}

/** Totals of the open positions, the same as in the status bar. */
export function openTotalsOf(totals: PortfolioTotals): OpenTotals {
  return {
    count: totals.count,
    outOfRange: totals.outOfRange,
    value: { usd: totals.valueUsd, native: totals.valueNative },
    pnl: { usd: totals.pnlUsd, native: totals.pnlNative },
    pnlPercent: { usd: totals.pnlPercent, native: totals.pnlPercentNative },
    uncollectedFee: { usd: totals.uncollectedFeeUsd, native: totals.uncollectedFeeNative },
    leftOut: totals.leftOut,
  };
}

/** A closed position as a row of the history. @param key unique among the rows */
export function closedRowOf(position: ClosedPosition, key: string): ClosedRow {
  const { followed } = position;
  return {
    key,
    address: position.address,
    pool: position.pool,
    pairName: position.pairName,
    poolType: position.poolType,
    strategy: position.strategy,
    openedAtMs: position.createdAt?.getTime(),
    closedAtMs: position.closedAt?.getTime(),
    ageHours: position.ageHours,
    input: position.input,
    output: position.output,
    fee: position.fee,
    feePercent: position.feePercent,
    reward: position.collectedReward,
    pnl: position.pnl,
    pnlPercent: position.pnlPercent,
    dailyReturn: position.dailyReturn,
    audited: position.audited,
    lowerBinId: position.lowerBinId,
    upperBinId: position.upperBinId,
    followed: followed === undefined ? undefined : { owner: followed.owner, label: followed.label },
  };
}
