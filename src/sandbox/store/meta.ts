import * as z from 'zod';
import { readJson } from './codecs';
import type { Database } from './database';

const Row = z.object({ value: z.string() });

/** A single value of the table `meta`; `undefined` where there is none. @throws StoreError where it is something else */
export function readMeta<Schema extends z.ZodType>(database: Database, key: string, schema: Schema): z.output<Schema> | undefined {
  const row = database.get(Row, 'SELECT value FROM meta WHERE key = ?', key);
  return row === undefined ? undefined : readJson(schema, row.value, `The value "${key}" of the store`);
}

/** Keeps a single value of the table `meta`, within a transaction. `value`: as JSON has it. */
export function putMeta(database: Database, key: string, value: unknown): void {
  database.run('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value', key, JSON.stringify(value));
}

/** The same at once, in a transaction of its own. */
export function writeMeta(database: Database, key: string, value: unknown): void {
  database.transaction(() => putMeta(database, key, value));
}
