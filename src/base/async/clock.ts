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
