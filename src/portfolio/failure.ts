import type { ServiceError } from '../service/errors';
import type { ListState } from './types';

/** Whatever was thrown, as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** How a list stands after a read that failed: what was read before stays, marked as stale. */
export function afterFailure(before: ListState, error: Error): ListState {
  switch (before.kind) {
    case 'ready':
    case 'stale':
      return { kind: 'stale', asOf: before.asOf, error };
    case 'idle':
    case 'loading':
    case 'failed':
      return { kind: 'failed', error };
  }
}

/**
 * The longest that a 429 keeps anything waiting, milliseconds. A service may name hours, and be mistaken, or mean another program with the same
 * key. One request after this time finds out; at that rate it costs a plan next to nothing.
 */
const LONGEST_REST_MS = 15 * 60_000;

/**
 * How long the service asks to be left alone (429), milliseconds, at most {@link LONGEST_REST_MS}; `undefined` where it does not. Told by shape:
 * `api` is known by its types only.
 */
export function restAskedFor(error: Error): number | undefined {
  const { kind, retryAfterMs } = error as Partial<Pick<ServiceError, 'kind' | 'retryAfterMs'>>;
  return kind === 'rateLimited' && typeof retryAfterMs === 'number' && retryAfterMs > 0
    ? Math.min(retryAfterMs, LONGEST_REST_MS)
    : undefined;
}
