import type { Clock } from '../../../base/async/clock';
import { pause } from '../../../base/async/pause';
import { asError, restAskedFor } from '../../../portfolio/failure';

/** So often in a row a service may ask to be left alone; then it is a failure. */
const MOST_RESTS = 10;

/**
 * Gives what `read` gives; where the service asks to be left alone for a while (429), waits for as long and reads again. For what the user
 * waits for anyway: many pages take longer than some plans allow within a minute.
 * @throws what `read` throws otherwise; the signal's reason when it was aborted while waiting.
 */
export async function retryLater<Result>(clock: Clock, signal: AbortSignal, read: () => Promise<Result>): Promise<Result> {
  for (let rests = 0; ; rests += 1) {
    try {
      return await read();
    } catch (error) {
      const restMs = restAskedFor(asError(error));
      if (restMs === undefined || rests === MOST_RESTS) {
        throw error;
      }
      await pause(restMs, signal, clock);
      signal.throwIfAborted();
    }
  }
}
