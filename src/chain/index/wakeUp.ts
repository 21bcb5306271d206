import type { Clock } from '../../base/async/clock';

/** Lets others wait for something to happen. What happens while nobody waits is not remembered. */
export class WakeUp {
  readonly #clock: Clock;
  #waiting: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  fire(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    waiting.forEach((resolve) => resolve());
  }

  /** Resolves at the next {@link fire}, or after so many milliseconds. */
  wait(limitMs = Infinity): Promise<void> {
    return new Promise((resolve) => {
      const timer = limitMs === Infinity ? undefined : this.#clock.after(limitMs, resolve);
      this.#waiting.push(() => {
        timer?.dispose();
        resolve();
      });
    });
  }
}
