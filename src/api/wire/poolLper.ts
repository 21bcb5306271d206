import type * as z from 'zod';
import type { PoolLper } from '../records/pool';
import { fraction } from './overview';
import { readRecords, withoutRepeats, type ParseContext } from './reading';
import { decimal, instant, integer, label, needed, solanaAddress, wireRecord } from './scalars';
import { money } from './token';

/** A liquidity provider of top-lpers (spec §2.5). */
const poolLperRecord = wireRecord({
  owner: needed(solanaAddress),
  pool: solanaAddress,
  protocol: label,
  total_inflow: decimal,
  total_inflow_native: decimal,
  avg_inflow: decimal,
  avg_inflow_native: decimal,
  total_outflow: decimal,
  total_outflow_native: decimal,
  total_fee: decimal,
  total_fee_native: decimal,
  total_reward: decimal,
  total_reward_native: decimal,
  total_pnl: decimal,
  total_pnl_native: decimal,
  fee_percent: decimal,
  fee_percent_native: decimal,
  win_rate: decimal,
  win_rate_native: decimal,
  roi: decimal,
  apr: decimal,
  total_lp: integer,
  win_lp: integer,
  win_lp_native: integer,
  avg_age_hour: decimal,
  first_activity: instant,
  last_activity: instant,
});

/** Reads the liquidity providers of a pool. One without an address is left out. */
export function readPoolLpers(list: readonly unknown[], path: string, reading: ParseContext): PoolLper[] {
  return withoutRepeats(readRecords(poolLperRecord, list, path, reading, toPoolLper), ({ owner }) => owner, path, reading);
}

function toPoolLper(wire: z.output<typeof poolLperRecord>): PoolLper {
  return {
    owner: wire.owner,
    pool: wire.pool,
    protocol: wire.protocol,
    inflow: money(wire.total_inflow, wire.total_inflow_native),
    averageInflow: money(wire.avg_inflow, wire.avg_inflow_native),
    outflow: money(wire.total_outflow, wire.total_outflow_native),
    fee: money(wire.total_fee, wire.total_fee_native),
    reward: money(wire.total_reward, wire.total_reward_native),
    pnl: money(wire.total_pnl, wire.total_pnl_native),
    feeRate: money(wire.fee_percent, wire.fee_percent_native),
    winRate: money(fraction(wire.win_rate), fraction(wire.win_rate_native)),
    roi: wire.roi,
    apr: wire.apr,
    positions: wire.total_lp,
    won: money(wire.win_lp, wire.win_lp_native),
    averageAgeHours: wire.avg_age_hour,
    firstActivity: wire.first_activity,
    lastActivity: wire.last_activity,
  };
}
