import * as z from 'zod';

/** A whole number of any size: `bigint` in the program, decimal text in the store. */
export const Whole = z.codec(z.string().regex(/^-?\d+$/), z.bigint(), {
  decode: (text) => BigInt(text),
  encode: (value) => value.toString(),
});
