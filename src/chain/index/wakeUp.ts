import type { Clock, Subscription } from '../../base/async/clock';

/** Lets others wait for something to happen. */
export class WakeUp {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How often it has happened. */
  get count(): number {
    return this.#count;
  }

  fire(): void {
    this.#count += 1;
    [...this.#waiting].forEach((wake) => wake());
  }

  /** Resolves at the next {@link fire}, after so many milliseconds, or at once if it has happened more often than `since`. */
  wait(limitMs = Infinity, since = this.#count): Promise<void> {
    if (this.#count > since) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      let timer: Subscription | undefined;
      const wake = (): void => {
        timer?.dispose();
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
      if (limitMs !== Infinity) {
        timer = this.#clock.after(limitMs, wake);
      }
    });
  }
}
