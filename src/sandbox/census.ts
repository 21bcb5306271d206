import * as z from 'zod';
import type { Database } from './store/database';

const Count = z.object({ count: z.int() });
const Version = z.object({ user_version: z.int() });

const COUNTED = {
  tokens: 'SELECT count(*) AS count FROM token',
  pools: 'SELECT count(*) AS count FROM pool',
  openPositions: 'SELECT count(*) AS count FROM position WHERE closed_at IS NULL',
  closedPositions: 'SELECT count(*) AS count FROM position WHERE closed_at IS NOT NULL',
  providers: 'SELECT count(*) AS count FROM provider',
  accounts: 'SELECT count(*) AS count FROM account',
  landedTransactions: 'SELECT count(*) AS count FROM landed_transaction',
} as const;

/** How many rows of each kind there are. */
export type StoreStats = Readonly<Record<keyof typeof COUNTED, number>>;

/** Counts what the store holds, as of the last commit. */
export function readStoreStats(database: Database): StoreStats {
  const counts = Object.entries(COUNTED).map(([name, sql]) => [name, database.get(Count, sql)?.count ?? 0]);
  return Object.fromEntries(counts) as StoreStats;
}

/** The version of the store's tables: how often they were changed since the first one. */
export function storeVersion(database: Database): number {
  return database.get(Version, 'PRAGMA user_version')?.user_version ?? 0;
}
