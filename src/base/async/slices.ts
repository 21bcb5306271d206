import { setImmediate as nextTurn } from 'node:timers/promises';

/** Users do not notice a pause of this length. */
const LONGEST_MS = 8;

/** Divides long work into slices, so that the event loop stays responsive. */
export class Slices {
  #fromMs = performance.now();

  /** Call between two pieces of work: yields to the event loop when the current slice is used up. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#fromMs > LONGEST_MS) {
      await nextTurn();
      this.#fromMs = performance.now();
    }
  }
}
