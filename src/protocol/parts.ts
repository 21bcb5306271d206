import * as z from 'zod/mini';
import { time } from './schemas';

/** Load status of a part of a panel. `stale`: the last read failed, and the data is older. */
const standing = z.enum(['loading', 'ready', 'stale', 'failed']);

/**
 * A part of a panel that is loaded on its own. `data` is absent until the first read; during a reload it stays, with its status. `words`
 * is the error message.
 */
export function part<Data extends z.core.$ZodType>(
  data: Data,
): z.ZodMiniObject<{
  standing: typeof standing;
  data: z.ZodMiniOptional<Data>;
  asOfMs: typeof time;
  words: z.ZodMiniOptional<z.ZodMiniString>;
}> {
  return z.object({ standing, data: z.optional(data), asOfMs: time, words: z.optional(z.string()) });
}

/** A part with its data. */
export interface Part<Data> {
  readonly standing: z.output<typeof standing>;
  readonly data?: Data | undefined;
  /** When `data` was read, milliseconds since 1970. */
  readonly asOfMs?: number | undefined;
  readonly words?: string | undefined;
}

/** Nothing is known yet. */
export const LOADING: Part<never> = { standing: 'loading' };
