import type { Clock, Subscription } from '../../../src/base/async/clock';

/** A clock on which so many milliseconds pass in one of real time: for polling over real connections. */
export class HurriedClock implements Clock {
  readonly #times: number;

  constructor(times = 50) {
    this.#times = times;
  }

  now(): number {
    return Math.floor(performance.now() * this.#times);
  }

  after(ms: number, run: () => void): Subscription {
    const timer = setTimeout(run, ms / this.#times);
    return { dispose: () => clearTimeout(timer) };
  }
}
