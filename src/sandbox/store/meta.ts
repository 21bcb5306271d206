import * as z from 'zod';
import type { Database } from './database';
import { StoreError } from './storeError';

const Row = z.object({ value: z.string() });

/** A single value of the table `meta`; `undefined` where there is none. @throws StoreError where it is something else */
export function readMeta<Schema extends z.ZodType>(database: Database, key: string, schema: Schema): z.output<Schema> | undefined {
  const row = database.get(Row, 'SELECT value FROM meta WHERE key = ?', key);
  if (row === undefined) {
    return undefined;
  }
  const read = schema.safeParse(JSON.parse(row.value));
  if (!read.success) {
    throw new StoreError(`Its ${key} is not what a sandbox writes: ${z.prettifyError(read.error)}`, { cause: read.error });
  }
  return read.data;
}

/** Keeps a single value of the table `meta`, at once. Not within a transaction. */
export function writeMeta(database: Database, key: string, value: object): void {
  database.transaction(() => database.run('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value', key, JSON.stringify(value)));
}
