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
