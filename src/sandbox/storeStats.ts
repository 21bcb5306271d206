import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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

/** Above this there is something to give back: what a world needs is about half of it. */
const MARK_HEAP_BYTES = 60_000_000;

/**
 * Gives back what is no longer needed, at once: playing a past leaves more behind than a sandbox needs in all of its life, and
 * the engine would keep that for as long as memory is not short. Takes some tens of milliseconds.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  // The function is there only in contexts that are made from now on.
  runInNewContext('gc()');
}

/**
 * Lets every full collection move together what is left, and give back the pages between. Without it the heap of a sandbox that is busy for
 * long has more and more holes: half of what it holds after some minutes. Costs some tens of milliseconds every few seconds, under load only.
 */
export function keepHeapCompact(): void {
  setFlagsFromString('--compact-on-every-full-gc');
}

/** Collects garbage where there is much of it: called now and then and after long work, it keeps a busy sandbox small and costs an idle one nothing. */
export function collectGarbageWhereMuch(): void {
  if (process.memoryUsage().heapUsed > MARK_HEAP_BYTES) {
    collectGarbage();
  }
}
