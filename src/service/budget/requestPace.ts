import { OperationRequests } from './operationRequests';

/**
 * The priority of a request, which decides the order and the longest wait:
 * - an operation's ({@link OperationRequests}): before all others, for as long as it takes;
 * - `user`: the user has just asked for it. It is sent even during a pause, to probe whether that is over;
 * - `panel`: a panel is waiting for it, for up to 30 s;
 * - `poll`: sent at once or not at all.
 */
export type RequestPace = OperationRequests | 'user' | 'panel' | 'poll';

/** Longest wait of a panel for its turn. */
const PATIENCE_MS = 30_000;

/** Returns whether a request may be sent during a pause, to find out whether that is over. */
export function mayProbe(pace: RequestPace): boolean {
  return pace === 'user' || (pace instanceof OperationRequests && pace.mayProbe);
}

/** Returns the longest wait for a turn, milliseconds: 0 does not wait at all, Infinity waits as long as it takes. */
export function patienceMsOf(pace: RequestPace): number {
  return pace instanceof OperationRequests ? Number.POSITIVE_INFINITY : pace === 'poll' ? 0 : PATIENCE_MS;
}
