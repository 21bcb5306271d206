import * as z from 'zod';
import { type Address, parseAddress } from '../../base/solana/address';

/** An address as nodes write it. */
export const AddressText = z.string().transform((text, context): Address => {
  const parsed = parseAddress(text);
  if (parsed === undefined) {
    context.addIssue({ code: 'custom', message: 'is not a Solana address' });
    return z.NEVER;
  }
  return parsed;
});
