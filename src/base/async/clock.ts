/** Ends a subscription. */
export interface Subscription {
  dispose(): void;
}

/** Source of time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `run` once after `ms` milliseconds, unless it is disposed before. */
  after(ms: number, run: () => void): Subscription;
}

/** The clock of the system. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return { dispose: () => clearTimeout(timer) };
  },
};

/** By which it is waited. */
export type WaitOptions = Pick<Clock, 'after'> | undefined;

/** Resolves after so many milliseconds, or as soon as `signal` is aborted. `clock`: without one by the system's. */
export function pause(ms: number, signal: AbortSignal, clock: WaitOptions): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      timer.dispose();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = startTimer(ms, done, clock);
    signal.addEventListener('abort', done);
  });
}

/** Calls once, so much later, unless it is disposed before. `clock`: without one by the system's. */
export function startTimer(ms: number, run: () => void, clock: WaitOptions): Subscription {
  if (clock !== undefined) {
    return clock.after(ms, run);
  }
  const timer = setTimeout(run, ms);
  return { dispose: () => clearTimeout(timer) };
}
