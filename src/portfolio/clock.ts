import type { Clock } from './types';

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return { dispose: () => clearTimeout(timer) };
  },
};

/** Resolves after so many milliseconds, or as soon as `signal` is aborted. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = () => {
      timer.dispose();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = clock.after(ms, done);
    signal.addEventListener('abort', done);
  });
}
