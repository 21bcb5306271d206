import type { Subscription } from './types';

/**
 * The request limit of the service in use, for those who read without being asked: they wait instead of sending what would be refused. The
 * limit and its pauses belong to one service with one key (src/api/requestBudget.ts); this follows the service in use.
 */
export interface RequestLimit {
  /** How long until something that nobody waits for may be sent, by what is known now; milliseconds, 0: at once. */
  waitMs(): number;
  /** Calls `listener` when a pause begins or ends early, when the limit becomes known, and when another service is in use. */
  onDidChange(listener: () => void): Subscription;
}

/** No limit is known, and none becomes known. */
export const NO_LIMIT: RequestLimit = { waitMs: () => 0, onDidChange: () => ({ dispose: () => undefined }) };
