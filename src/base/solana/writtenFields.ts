import * as z from 'zod';
import { type Address, parseAddress } from './address';

// Schemas of single fields that the journal of operations, its reasons and the consent to auto-rebalance share.

/** An address as text. */
export const writtenAddress = z.string().transform((value, context): Address => {
  const parsed = parseAddress(value);
  if (parsed === undefined) {
    context.addIssue({ code: 'custom', message: 'not a Solana address' });
    return z.NEVER;
  }
  return parsed;
});

/** Lamports or raw units as decimal text: JSON numbers can't hold them. */
export const writtenAmount = z
  .string()
  .regex(/^-?\d{1,30}$/)
  .transform((value) => BigInt(value));

/** Maximum length of a text in characters, far above what this program writes. */
export const LONGEST_TEXT = 10_000;

export const text = z.string().max(LONGEST_TEXT);

/** Unknown values are `null` or missing in the file. */
export function known<Output>(
  schema: z.ZodType<Output>,
): z.ZodPipe<z.ZodOptional<z.ZodNullable<z.ZodType<Output>>>, z.ZodTransform<Output | undefined, Output | null | undefined>> {
  return schema.nullish().transform((value): Output | undefined => value ?? undefined);
}
