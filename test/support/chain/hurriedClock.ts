import type { Clock, Subscription } from '../../../src/base/async/clock';

/** Longer timers are limits, not intervals of polling. They run in real time: real connections and a busy machine take real time. */
const LONGEST_INTERVAL_MS = 10_000;

/** A clock that is many times faster than real time: for polling over real connections. */
export class HurriedClock implements Clock {
  readonly #times: number;

  constructor(times = 50) {
    this.#times = times;
  }

  now(): number {
    return Math.floor(performance.now() * this.#times);
  }

  after(ms: number, run: () => void): Subscription {
    const timer = setTimeout(run, ms > LONGEST_INTERVAL_MS ? ms : ms / this.#times);
    return { dispose: () => clearTimeout(timer) };
  }
}
