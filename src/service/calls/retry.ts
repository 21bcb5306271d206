import type { ServiceError } from '../errors';

/** Number and spacing of retries. Few, since the service's plans allow 5 to 20 requests per minute. */
export interface RetryPolicy {
  /** Attempts including the first. */
  readonly attempts: number;
  /** The wait before the second attempt is random up to this; the maximum doubles with each further attempt. */
  readonly baseMs: number;
  /** The same after a 429 that doesn't say how long to wait. At least half of it is waited, since the limit is per minute. */
  readonly rateLimitBaseMs: number;
  /** Longest wait. If the service asks for more, the call fails, and the error says for how long. */
  readonly longestWaitMs: number;
}

export const DEFAULT_RETRIES: RetryPolicy = { attempts: 3, baseMs: 500, rateLimitBaseMs: 5_000, longestWaitMs: 30_000 };

/**
 * The wait in milliseconds before the next attempt, with full jitter; `undefined`: no further attempt, because there were enough or the
 * service asks for a longer wait than the policy allows.
 * @param failures number of failures so far, from 1
 * @param random returns numbers from 0 up to 1
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
 * The wait in milliseconds that the service asks for: the header Retry-After in seconds or as an HTTP date (RFC 9110 §10.2.3), else
 * "retry-after N" (seconds) in the body.
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
