import { pause } from './clock';
import { restAskedFor } from './failure';
import type { Clock, ListState, PortfolioControl, PortfolioSnapshot, WaitOptions } from './types';

/**
 * See `PortfolioControl.waitUntil`. Looks at once, and then every so often until the time is over.
 * @param superseded aborted when the positions are another owner's or come from another service: of those nothing can be
 * concluded, since everything of this one's has "disappeared" there
 */
export async function waitUntil(
  portfolio: PortfolioControl,
  clock: Clock,
  settled: (snapshot: PortfolioSnapshot) => boolean,
  { timeoutMs, everyMs, signal }: WaitOptions,
  superseded: AbortSignal,
): Promise<boolean> {
  const time = new AbortController();
  const timer = clock.after(timeoutMs, () => time.abort());
  const over = AbortSignal.any([time.signal, superseded, ...(signal === undefined ? [] : [signal])]);
  const gaveUp = whenAborted(over).then(() => false);
  try {
    while (!over.aborted) {
      const wasRead = await Promise.race([portfolio.refresh('afterOperation', ['positions']).then(() => true), gaveUp]);
      if (!wasRead || superseded.aborted) {
        return false;
      }
      const { snapshot } = portfolio;
      if (snapshot.positionsState.kind === 'ready' && settled(snapshot)) {
        return true;
      }
      await pause(clock, Math.max(everyMs, restOf(snapshot.positionsState)), over);
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
