import * as z from 'zod';
import { parseAddress, type Address } from '../solana/address';

// What files hold that are read again: the journal, and whether automation is on.

/** An address as text. */
export const writtenAddress = z.string().transform((value, context): Address => {
  const parsed = parseAddress(value);
  if (parsed === undefined) {
    context.addIssue({ code: 'custom', message: 'not a Solana address' });
    return z.NEVER;
  }
  return parsed;
});

/** Lamports or raw units as decimal text: JSON has no numbers that large. */
export const writtenAmount = z
  .string()
  .regex(/^-?\d{1,30}$/)
  .transform((value) => BigInt(value));
