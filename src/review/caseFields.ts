import * as z from 'zod';
import { parseAddress, type Address } from '../solana/address';

// What fields of a case have in common, whatever they are about.

const ADDRESS_WORDS = 'is not a Solana address';
const LAMPORTS_WORDS = 'is not a whole number of lamports';
/** More digits than any amount on Solana has. */
const LONGEST_AMOUNT = 40;

/** An address as base58 text. */
export const AddressText = z.string(ADDRESS_WORDS).transform((text, context): Address => {
  const parsed = parseAddress(text);
  if (parsed === undefined) {
    context.addIssue({ code: 'custom', message: ADDRESS_WORDS });
    return z.NEVER;
  }
  return parsed;
});

/** Prices and amounts that follow from listed numbers, which may be as absurd as a double allows: a report of such a case has to be readable. */
const LONGEST_FIGURE = 1_000;
export const WholeFigure = z.union([z.string().max(LONGEST_FIGURE).regex(/^\d+$/), z.int().nonnegative()], LAMPORTS_WORDS).transform((value) => BigInt(value));

/** Raw units or lamports, as text or as a number that is exact. */
export const WholeAmount = z.union([z.string().max(LONGEST_AMOUNT).regex(/^\d+$/), z.int().nonnegative()], LAMPORTS_WORDS).transform((value) => BigInt(value));
