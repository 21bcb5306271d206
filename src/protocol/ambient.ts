import * as z from 'zod/mini';
import { currency, maybeText } from './schemas';

/** What all panels know of where they are shown. */
export const ambient = z.object({
  /** BCP 47, of the editor. */
  locale: z.string(),
  /** What the settings prefer; a panel's own choice goes before it. */
  currency,
  /** "Sandbox", or the service's host. */
  serviceName: z.string(),
  /** All money is pretend. */
  isSandbox: z.boolean(),
  /** The wallet that is looked at; absent: none. */
  owner: maybeText,
  /** Whether its key is here, so that it can zap in and out. */
  canSign: z.boolean(),
});
export type Ambient = z.output<typeof ambient>;
