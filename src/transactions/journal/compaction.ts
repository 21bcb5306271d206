import { isEnd } from './states';
import type { OperationRecord } from './types';

const DAY_MS = 86_400_000;
/** How long finished operations are kept. */
export const KEPT_MS = 30 * DAY_MS;
/** How many of them, the newest. */
export const MOST_KEPT = 500;
/** Limits by the day count what happened (automation/history.ts): however much that was, two days of it are kept. */
export const ALWAYS_KEPT_MS = 2 * DAY_MS;

/**
 * Which operations go: those that have ended and are older than 30 days, or older than two and of which 500 newer ones have
 * ended. What has not ended never goes, nor what is a part of it.
 * @param records newest first
 */
export function expiredRecords(records: readonly OperationRecord[], nowMs: number): readonly OperationRecord[] {
  if (!records.some(({ state, updatedAtMs }) => isEnd(state) && nowMs - updatedAtMs > ALWAYS_KEPT_MS)) {
    return [];
  }
  const unfinished = new Set(records.filter(({ state }) => !isEnd(state)).map(({ id }) => id));
  const finished = records.filter(({ id, created }) => !unfinished.has(id) && !unfinished.has(created.parent ?? ''));
  return finished.filter(({ updatedAtMs }, index) => nowMs - updatedAtMs > (index >= MOST_KEPT ? ALWAYS_KEPT_MS : KEPT_MS));
}
