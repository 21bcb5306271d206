import type { ServiceError } from './errors';

/** How often, and how long apart, a call is repeated. Few: the service's plans allow 5 to 20 requests a minute. */
export interface RetryPolicy {
  /** In all, with the first. */
  readonly attempts: number;
  /** The wait before the second attempt is random up to this; it doubles with each further one. */
  readonly baseMs: number;
  /** The same after 429 without a word on how long to wait; here at least half of it is waited, since the budget is per minute. */
  readonly rateLimitBaseMs: number;
  /** Nothing waits longer: a service that asks for more is left alone, and the failure says how long. */
  readonly longestWaitMs: number;
}

/** What the client does unless it is told otherwise. */
export const DEFAULT_RETRIES: RetryPolicy = { attempts: 3, baseMs: 500, rateLimitBaseMs: 5_000, longestWaitMs: 30_000 };

/**
 * Gives how long to wait after failure number `failures` (from 1), with full jitter, or `undefined` where another attempt is not
 * worth it: there were enough, or the service asks for a longer wait than anybody sits through.
 * @param random gives numbers from 0 up to 1.
 */
export function waitBeforeRetry(failures: number, error: ServiceError, policy: RetryPolicy, random: () => number): number | undefined {
  if (failures >= policy.attempts) {
    return undefined;
  }
  const doubled = 2 ** (failures - 1);
  const jitterMs = random() * policy.baseMs * doubled;
  if (error.retryAfterMs !== undefined) {
    const waitMs = error.retryAfterMs + jitterMs;
    return error.retryAfterMs > policy.longestWaitMs ? undefined : Math.min(waitMs, policy.longestWaitMs);
  }
  const waitMs = error.kind === 'rateLimited' ? (0.5 + random() / 2) * policy.rateLimitBaseMs * doubled : jitterMs;
  return Math.min(waitMs, policy.longestWaitMs);
}

/**
 * Gives how long a service asks to wait: the header Retry-After in seconds or as an HTTP date (RFC 9110 §10.2.3), else
 * "retry-after N" (seconds) in the text of the body.
 */
export function retryAfterMs(header: string | null, body: string, nowMs: number): number | undefined {
  const named = header?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(named)) {
    return Number(named) * 1_000;
  }
  const date = named === '' ? Number.NaN : Date.parse(named);
  if (!Number.isNaN(date)) {
    return Math.max(0, date - nowMs);
  }
  const said = /retry[-_ ]after\W{0,4}(\d{1,6}(?:\.\d+)?)/i.exec(body)?.[1];
  return said === undefined ? undefined : Number(said) * 1_000;
}
