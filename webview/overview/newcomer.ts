import { PERIODS, type OverviewView } from '../../src/protocol/overview';
import type { MoneyView } from '../../src/protocol/schemas';

/** Nothing was closed, and there is nothing that figures could be made of: then dashes are not written all over. */
export function hasNoHistory({ closedPositions, totalPnl, totalFee }: Pick<OverviewView, 'closedPositions' | 'totalPnl' | 'totalFee'>): boolean {
  const isNothing = ({ usd = 0, native = 0 }: MoneyView): boolean => usd === 0 && native === 0;
  return (closedPositions.ALL ?? 0) === 0 && PERIODS.every((period) => isNothing(totalPnl[period]) && isNothing(totalFee[period]));
}
