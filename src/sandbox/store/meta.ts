import * as z from 'zod';
import { type Address, parseAddress } from '../../base/solana/address';
import { StoreError } from '../../engine/store/sqliteStore';
import type { Database } from './database';

/** A whole number of any size: `bigint` in the program, decimal text in the store. */
export const Whole = z.codec(z.string().regex(/^-?\d+$/), z.bigint(), {
  decode: (text) => BigInt(text),
  encode: (value) => value.toString(),
});

/** An address, validated when it is read. */
export const StoredAddress = z.custom<Address>((value) => typeof value === 'string' && parseAddress(value) !== undefined, 'not an address');

/** A row with only an address. */
export const AddressRow = z.object({ address: StoredAddress }).transform(({ address }) => address);

/** Parses stored JSON. @param what name of the value in messages @throws StoreError if it does not match the schema */
export function readJson<Schema extends z.ZodType>(schema: Schema, json: string, what: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(json));
  } catch (error) {
    const reason =
      error instanceof z.ZodError ? error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') : String(error);
    throw new StoreError(`${what} is not what a sandbox writes: ${reason}`, { cause: error });
  }
}

const Row = z.object({ value: z.string() });

/** Reads a value of the table `meta`; `undefined` if there is none. @throws StoreError if it does not match the schema */
export function readMeta<Schema extends z.ZodType>(database: Database, key: string, schema: Schema): z.output<Schema> | undefined {
  const row = database.get(Row, 'SELECT value FROM meta WHERE key = ?', key);
  return row === undefined ? undefined : readJson(schema, row.value, `The value "${key}" of the store`);
}

/** Writes the value of a key, JSON, to the table `meta`. */
export const PUT_META = 'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value';

/** Writes a value to the table `meta`; call it within a transaction. @param value JSON */
export function putMeta(database: Database, key: string, value: unknown): void {
  database.run(PUT_META, key, JSON.stringify(value));
}

/** Like {@link putMeta}, in a transaction of its own. */
export function writeMeta(database: Database, key: string, value: unknown): void {
  database.transaction(() => putMeta(database, key, value));
}
