import type * as z from 'zod';
import type { Address } from '../base/solana/address';
import type { Money } from './common';
import { fraction } from './overview';
import { decimal, instant, integer, label, needed, solanaAddress, wireRecord } from './parsing/fields';
import { type ParseContext, readRecords, withoutRepeats } from './parsing/records';
import { money } from './tokens';

/** The columns by which top-lpers can be sorted. */
export const LPER_SORTS = [
  'total_inflow',
  'avg_inflow',
  'total_outflow',
  'total_fee',
  'total_pnl',
  'total_reward',
  'total_inflow_native',
  'avg_inflow_native',
  'total_outflow_native',
  'total_fee_native',
  'total_pnl_native',
  'total_reward_native',
  'total_lp',
  'avg_age_hour',
  'win_lp',
  'win_lp_native',
  'win_rate',
  'win_rate_native',
  'fee_percent',
  'fee_percent_native',
  'apr',
  'roi',
  'first_activity',
  'last_activity',
] as const;
export type LperSort = (typeof LPER_SORTS)[number];

/** A liquidity provider of a pool. */
export interface PoolLper {
  readonly owner: Address;
  readonly pool: Address | undefined;
  readonly protocol: string | undefined;
  readonly inflow: Money;
  readonly averageInflow: Money;
  readonly outflow: Money;
  readonly fee: Money;
  readonly reward: Money;
  readonly pnl: Money;
  /** Fractions: 0.6 is 60%. */
  readonly feeRate: Money;
  readonly winRate: Money;
  readonly roi: number | undefined;
  readonly apr: number | undefined;
  readonly positions: number | undefined;
  readonly won: Money;
  readonly averageAgeHours: number | undefined;
  readonly firstActivity: Date | undefined;
  readonly lastActivity: Date | undefined;
}

/** A row of top-lpers. */
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

/** Reads the liquidity providers of a pool. Records without an address are dropped. */
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
