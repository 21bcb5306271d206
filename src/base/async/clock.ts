/** Ends a subscription. */
export interface Subscription {
  dispose(): void;
}

/** Source of time. Tests replace it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `run` once after `ms` milliseconds, unless it is disposed before. */
  after(ms: number, run: () => void): Subscription;
}

/** The system's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return { dispose: () => clearTimeout(timer) };
  },
};

/** A clock for lengths of time, which never goes back: the system's may be set. Its times are not since 1970. */
export const steadyClock: Clock = { now: () => performance.now(), after: (ms, run) => systemClock.after(ms, run) };

/**
 * Milliseconds from `fromMs` to `nowMs`. Infinity if `fromMs` is in the future: then the clock was set back, and what waits for the end of a period
 * must not wait until the clock has caught up.
 */
export function elapsedMs(fromMs: number, nowMs: number): number {
  return nowMs < fromMs ? Infinity : nowMs - fromMs;
}

/** The part of a clock that waiting needs; `undefined`: the system's timers. */
export type Timers = Pick<Clock, 'after'> | undefined;

/** Resolves after `ms` milliseconds, or as soon as `signal` is aborted. Never rejects. */
export function pause(ms: number, signal: AbortSignal, clock: Timers): Promise<void> {
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

/** Calls `run` once after `ms` milliseconds, unless it is disposed before. */
export function startTimer(ms: number, run: () => void, clock: Timers): Subscription {
  return (clock ?? systemClock).after(ms, run);
}
