import * as z from 'zod/mini';
import { currency, maybeText } from './schemas';

/** The context that all panels share. */
export const ambient = z.object({
  /** BCP 47, of the editor. */
  locale: z.string(),
  /** The default of the settings; a panel's own choice takes precedence. */
  currency,
  /** "Sandbox", or the service's host. */
  serviceName: z.string(),
  /** All money is pretend. */
  isSandbox: z.boolean(),
  /** The current wallet; absent: none. */
  owner: maybeText,
  /** The wallet's key is stored, so it can zap in and out. */
  canSign: z.boolean(),
});
export type Ambient = z.output<typeof ambient>;
