import type { ServiceError } from '../service/errors';
import type { ListState } from './types';

/** The state of a list after a failed read: earlier data stays, marked as stale. */
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

/** Maximum wait after failures, in milliseconds, unless the interval itself is longer. */
const MAX_BACKOFF_MS = 15 * 60_000;

/**
 * Maximum wait after a 429, in milliseconds. A service may name hours by mistake, or because of another program with the same key. One request
 * after this time finds out; at that rate it costs next to nothing of a plan.
 */
const MAX_PAUSE_MS = 15 * 60_000;

/** Minimum wait after a 429, in milliseconds, whatever the service says: a wrong answer must not become a loop. */
export const MIN_PAUSE_MS = 1_000;

/**
 * Wait before the next read after failures in a row: the interval, doubled with each further failure.
 * @param everyMs interval of reads that succeed, milliseconds
 * @param failures failures in a row, from 1
 */
export function backoffMs(everyMs: number, failures: number): number {
  return Math.min(everyMs * 2 ** (failures - 1), Math.max(everyMs, MAX_BACKOFF_MS));
}

/**
 * Wait that the service asks for with a 429, in milliseconds, from {@link MIN_PAUSE_MS} to {@link MAX_PAUSE_MS}; `undefined` for other errors. The error
 * is recognized by its shape: this module imports only types of the service.
 */
export function requestedPauseMs(error: Error): number | undefined {
  const { kind, retryAfterMs } = error as Partial<Pick<ServiceError, 'kind' | 'retryAfterMs'>>;
  return kind === 'rateLimited' && typeof retryAfterMs === 'number' && retryAfterMs > 0
    ? Math.min(Math.max(retryAfterMs, MIN_PAUSE_MS), MAX_PAUSE_MS)
    : undefined;
}
