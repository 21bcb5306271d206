import type { RevenueRow } from '../service';
import { percent } from './overview';
import { readRecords, type ParseContext } from './reading';
import { decimal, instant, wireRecord } from './scalars';
import { money } from './token';

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

/** Reads what each period earned. */
export function readRevenue(list: readonly unknown[], path: string, reading: ParseContext): RevenueRow[] {
  return readRecords(revenueRecord, list, path, reading, (wire) => ({
    day: wire.close_day,
    pnl: money(wire.sum, wire.sum_native),
    invested: money(wire.total_invested, wire.total_invested_native),
    cumulativePnl: money(wire.cumulative_pnl, wire.cumulative_pnl_native),
    pnlPercent: money(percent(wire.pnl_percent), percent(wire.pnl_percent_native)),
  }));
}
