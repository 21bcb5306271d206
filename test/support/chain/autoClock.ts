import type { Clock, Subscription } from '../../../src/base/async/clock';

/** A clock that jumps to the next timer as soon as nothing else is to do, so that no test waits. */
export class AutoClock implements Clock {
  #nowMs = 0;
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  now(): number {
    return this.#nowMs;
  }

  after(ms: number, run: () => void): Subscription {
    const timer = { at: this.#nowMs + ms, run };
    this.#timers.add(timer);
    setImmediate(() => this.#jump());
    return { dispose: () => this.#timers.delete(timer) };
  }

  #jump(): void {
    const [next] = [...this.#timers].sort((one, other) => one.at - other.at);
    if (next !== undefined) {
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.at);
      next.run();
      setImmediate(() => this.#jump());
    }
  }
}
