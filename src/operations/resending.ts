import { ServiceError } from '../api/errors';
import { MAY_LAND_MS } from './signedAttempts';

// A landing that is answered 429 is sent again, with the same bytes. Each transaction has one signature, and the network takes it once: to
// send it twice cannot make anything happen twice. New bytes could, so that nothing is built anew before it is proven that these did not
// land (proof.ts).

const TOO_MANY_REQUESTS = 429;
/** Where the service does not say how long to wait: its plans count by the minute. Doubled with each further time. */
const FIRST_WAIT_MS = 5_000;
/** A service that asks for no wait at all is not asked at once again. */
const LEAST_WAIT_MS = 1_000;
/** What sending and landing take: what is sent later than that before its end comes too late. */
const LANDING_TAKES_MS = 2_000;

/**
 * How long to wait before the same signed transactions are sent again, milliseconds; `undefined`: they are not, since that was not why
 * the landing failed, or they could not land any more after the wait.
 * @param failures how often the landing was answered with a failure, from 1
 * @param ageMs how long ago the transactions were built; less than 0 on a clock that was set back
 */
export function waitBeforeResending(cause: unknown, failures: number, ageMs: number): number | undefined {
  if (!(cause instanceof ServiceError) || cause.status !== TOO_MANY_REQUESTS) {
    return undefined;
  }
  const waitMs = Math.max(LEAST_WAIT_MS, cause.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (failures - 1));
  return isWorthSending(Math.max(0, ageMs) + waitMs) ? waitMs : undefined;
}

/** Whether transactions of this age, milliseconds, can still land when they are sent now. Which is for the chain to say: this only saves a request. */
export function isWorthSending(ageMs: number): boolean {
  return ageMs + LANDING_TAKES_MS < MAY_LAND_MS;
}
