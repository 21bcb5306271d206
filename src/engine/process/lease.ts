import type { Handler } from 'hono';
import { stream } from 'hono/streaming';

/** Tracks the clients that hold a lease, to end the process after the last one. */
export class Leases {
  /** Resolves when no client has held a lease for the grace period, and no work is left. */
  readonly abandoned: Promise<void>;
  readonly #abandon: () => void;
  #held = 0;
  #timer: NodeJS.Timeout | undefined;

  readonly #graceMs: number;
  readonly #isBusy: () => boolean;

  /**
   * @param graceMs waiting time for another lease after the last one was released
   * @param firstMs waiting time for the first lease
   * @param isBusy work must be finished before the process may end: it is asked again after another `graceMs`
   */
  constructor(graceMs: number, firstMs: number, isBusy: () => boolean = () => false) {
    this.#graceMs = graceMs;
    this.#isBusy = isBusy;

    let abandon = (): void => undefined;
    this.abandoned = new Promise((resolve) => (abandon = resolve));
    this.#abandon = abandon;
    this.#wait(firstMs);
  }

  /** Takes a lease. @returns releases it; further calls do nothing */
  readonly hold = (): (() => void) => {
    this.#held += 1;
    clearTimeout(this.#timer);
    let released = false;
    return () => {
      if (!released) {
        released = true;
        this.#held -= 1;
        if (this.#held === 0) {
          this.#wait(this.#graceMs);
        }
      }
    };
  };

  /** Stops the timer: `abandoned` never resolves from now on. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#held = Number.POSITIVE_INFINITY;
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#isBusy() ? this.#wait(this.#graceMs) : this.#abandon()), ms);
  }
}

/** Answers with one line and holds a lease as long as the connection lasts. @param hold takes a lease, and returns its release */
export function leaseRoute(hold: () => () => void): Handler {
  return (context) =>
    stream(context, async (held) => {
      const release = hold();
      const gone = new Promise<void>((resolve) => held.onAbort(resolve));
      await held.write('{"lease":"held"}\n');
      await gone;
      release();
    });
}
