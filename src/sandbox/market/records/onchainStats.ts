import * as z from 'zod';
import type { WireOnchainStats } from '../../../server/wire/pools';
import type { Pool } from '../types';
import type { RecordContext } from './reading';

const STATS =
  'SELECT count(*) AS positions, count(DISTINCT owner) AS owners, total(input_usd) AS usd, total(input_native) AS native FROM position WHERE pool = ? AND closed_at IS NULL';
const StatsRow = z.object({ positions: z.int(), owners: z.int(), usd: z.number(), native: z.number() });

/** How many positions are open in a pool, whose, and what was put into them. */
export function onchainStatsRecord({ database }: RecordContext, pool: Pool): WireOnchainStats {
  const { positions, owners, usd, native } = database.get(StatsRow, STATS, pool.address) ?? { positions: 0, owners: 0, usd: 0, native: 0 };
  return {
    poolStats: [
      { pool: pool.address, total_open_positions: positions, unique_owners: owners, total_input_value: usd, total_input_native: native },
    ],
  };
}
