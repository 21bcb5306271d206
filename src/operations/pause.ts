import type { Clock } from '../portfolio/types';

/** By which it is waited. */
export type Waits = Pick<Clock, 'after'> | undefined;

/** Resolves after so many milliseconds, or as soon as `signal` is aborted. `clock`: without one by the system's. */
export function pause(ms: number, signal: AbortSignal, clock: Waits): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      stop();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const stop = started(ms, done, clock);
    signal.addEventListener('abort', done);
  });
}

function started(ms: number, done: () => void, clock: Waits): () => void {
  if (clock !== undefined) {
    const timer = clock.after(ms, done);
    return () => timer.dispose();
  }
  const timer = setTimeout(done, ms);
  return () => clearTimeout(timer);
}
