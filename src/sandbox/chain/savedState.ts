import * as z from 'zod';
import { parseAddress } from '../../solana/address';
import type { ChainState } from './types';

const addressText = z.string().refine((text) => parseAddress(text) !== undefined, 'not a Solana address');
const wholeNumber = z.int().nonnegative();

const CHAIN_STATE = z.object({
  accounts: z.array(
    z.object({
      address: addressText,
      lamports: z.string().regex(/^\d+$/),
      owner: addressText,
      dataBase64: z.base64(),
      executable: z.boolean(),
    }),
  ),
  slot: wholeNumber,
  savedAt: z.number().nonnegative(),
  blockhashes: z.array(z.object({ blockhash: addressText, lastValidBlockHeight: wholeNumber })),
  landed: z.array(z.object({ key: z.string(), signatures: z.array(z.string()) })),
});

/**
 * Reads what `Chain.save` gave and a store has kept since.
 * @throws z.ZodError where it is something else.
 */
export function parseChainState(saved: unknown): ChainState {
  return CHAIN_STATE.parse(saved);
}
