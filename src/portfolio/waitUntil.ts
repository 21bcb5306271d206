import { type Clock, pause } from '../base/async/clock';
import { restAskedFor } from './backoff';
import type { ListState, PortfolioControl, PortfolioSnapshot, WaitOptions } from './types';

/** So often an operation looks at least, before its time is over. */
const LEAST_LOOKS = 3;

/**
 * See `PortfolioControl.waitUntil`. Looks at once, and then every so often until the time is over.
 * @param superseded aborted when the positions are another owner's or come from another service: of those nothing can be
 * concluded, since everything of this one's has "disappeared" there
 */
export async function waitUntil(
  portfolio: PortfolioControl,
  clock: Clock,
  settled: (snapshot: PortfolioSnapshot) => boolean,
  { timeoutMs, everyMs, signal, pace }: WaitOptions,
  superseded: AbortSignal,
): Promise<boolean> {
  const time = new AbortController();
  const timer = clock.after(timeoutMs, () => time.abort());
  // An operation's requests wait for the plan's limit as long as it takes: the time says nothing before it has looked a few times.
  const isOfOperation = typeof pace === 'object';
  const over = AbortSignal.any([...(isOfOperation ? [] : [time.signal]), superseded, ...(signal === undefined ? [] : [signal])]);
  let looks = 0;
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
      const restMs = restOf(snapshot.positionsState);
      looks += restMs === 0 ? 1 : 0;
      if (time.signal.aborted && looks >= LEAST_LOOKS) {
        return false;
      }
      await pause(Math.max(everyMs, restMs), over, clock);
    }
    return false;
  } finally {
    timer.dispose();
  }
}

/** How long the service wants to be left alone, as far as the last read tells. */
function restOf(state: ListState): number {
  return state.kind === 'stale' || state.kind === 'failed' ? (restAskedFor(state.error) ?? 0) : 0;
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
