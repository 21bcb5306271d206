import { type Clock, pause } from '../../../base/async/clock';
import { asError, requestedPauseMs } from '../../../portfolio/failure';

/** Maximum number of consecutive pauses that a service may ask for; then the read fails. */
const MOST_RESTS = 10;

/**
 * Reads; if the service asks for a pause (429), waits and reads again. For reads that the user waits for anyway: many pages may exceed a plan's
 * requests per minute.
 * @throws what `read` throws otherwise; the signal's reason if it is aborted during a pause
 */
export async function retryLater<Result>(clock: Clock, signal: AbortSignal, read: () => Promise<Result>): Promise<Result> {
  for (let rests = 0; ; rests += 1) {
    try {
      return await read();
    } catch (error) {
      const restMs = requestedPauseMs(asError(error));
      if (restMs === undefined || rests === MOST_RESTS) {
        throw error;
      }
      await pause(restMs, signal, clock);
      signal.throwIfAborted();
    }
  }
}
