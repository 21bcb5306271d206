import { type Clock, pause } from '../base/async/clock';
import { requestedPauseMs } from './failure';
import type { ListState, PortfolioControl, PortfolioSnapshot, WaitOptions } from './types';

/** Minimum number of reads for an operation before its time limit applies. */
const LEAST_READS = 3;

/**
 * Implements `PortfolioControl.waitUntil`. Reads at once, and then at the interval until the time is over.
 * @param superseded aborted when the owner or service changes. Positions of another one prove nothing: all of this one's are missing there
 */
export async function waitUntil(
  portfolio: PortfolioControl,
  clock: Clock,
  settled: (snapshot: PortfolioSnapshot) => boolean,
  { timeoutMs, everyMs, signal, pace }: WaitOptions,
  superseded: AbortSignal,
): Promise<boolean> {
  const timeout = new AbortController();
  const timer = clock.after(timeoutMs, () => timeout.abort());
  // The requests of an operation wait for the plan's limit as long as it takes. Its time limit applies only after a few reads.
  const isOfOperation = typeof pace === 'object';
  const over = AbortSignal.any([...(isOfOperation ? [] : [timeout.signal]), superseded, ...(signal === undefined ? [] : [signal])]);
  let reads = 0;
  const gaveUp = whenAborted(over).then(() => false);
  try {
    while (!over.aborted) {
      const wasRead = await Promise.race([portfolio.refresh('afterOperation', ['positions'], pace).then(() => true), gaveUp]);
      if (!wasRead || superseded.aborted) {
        return false;
      }
      const { snapshot } = portfolio;
      if (snapshot.positionsState.kind === 'ready' && settled(snapshot)) {
        return true;
      }
      const pauseMs = pauseAfter(snapshot.positionsState);
      reads += pauseMs === 0 ? 1 : 0;
      if (timeout.signal.aborted && reads >= LEAST_READS) {
        return false;
      }
      await pause(Math.max(everyMs, pauseMs), over, clock);
    }
    return false;
  } finally {
    timer.dispose();
  }
}

/** The pause that the service asked for in answer to the last read; milliseconds. */
function pauseAfter(state: ListState): number {
  return state.kind === 'stale' || state.kind === 'failed' ? (requestedPauseMs(state.error) ?? 0) : 0;
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    } else {
      signal.addEventListener('abort', () => resolve(), { once: true });
    }
  });
}
