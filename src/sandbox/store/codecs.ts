import * as z from 'zod';
import { parseAddress, type Address } from '../../solana/address';
import { StoreError } from './storeError';

/** A whole number of any size: `bigint` in the program, decimal text in the store. */
export const Whole = z.codec(z.string().regex(/^-?\d+$/), z.bigint(), {
  decode: (text) => BigInt(text),
  encode: (value) => value.toString(),
});

/** An address, checked when it is read. */
export const StoredAddress = z.custom<Address>((value) => typeof value === 'string' && parseAddress(value) !== undefined, 'not an address');

/** A row of which only its address is asked for. */
export const AddressRow = z.object({ address: StoredAddress }).transform(({ address }) => address);

/** Reads JSON that the store keeps. `what`: how a message calls it. @throws StoreError where it is not what the schema says */
export function readJson<Schema extends z.ZodType>(schema: Schema, json: string, what: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(json));
  } catch (error) {
    const reason = error instanceof z.ZodError ? error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') : String(error);
    throw new StoreError(`${what} is not what a sandbox writes: ${reason}`, { cause: error });
  }
}
