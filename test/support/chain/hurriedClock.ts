import type { Clock, Subscription } from '../../../src/base/async/clock';

/** Longer timers are limits, not intervals of polling. They run in real time: real connections and a busy machine take real time. */
const LONGEST_INTERVAL_MS = 10_000;

/** A clock that is many times faster than real time: for polling over real connections. */
export class HurriedClock implements Clock {
  readonly #times: number;
  readonly #longestMs: number;

  constructor(times = 50, longestMs = LONGEST_INTERVAL_MS) {
    this.#times = times;
    this.#longestMs = longestMs;
  }

  now(): number {
    return Math.floor(performance.now() * this.#times);
  }

  after(ms: number, run: () => void): Subscription {
    const timer = setTimeout(run, ms > this.#longestMs ? ms : ms / this.#times);
    return { dispose: () => clearTimeout(timer) };
  }
}
