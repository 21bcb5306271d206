import * as z from 'zod/mini';
import { time } from './schemas';

/** How a part of a panel stands. `stale`: the last try failed, and what is shown is older. */
const standing = z.enum(['loading', 'ready', 'stale', 'failed']);

/**
 * A part of a panel that is read by itself: how it stands, and what is known. `data` is absent until it was read once; while it is read anew
 * it stays, with the standing it had. `words` say what went wrong, and what to do.
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
