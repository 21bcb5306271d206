import { setImmediate as nextTurn } from 'node:timers/promises';

/** A window does not feel a pause of so long. */
const LONGEST_MS = 8;

/** Divides long work into slices, so that whatever else the process has to do comes in between. */
export class Slices {
  #fromMs = performance.now();

  /** To be called between two pieces of the work: lets others have their turn where this slice has taken long enough. */
  async breathe(): Promise<void> {
    if (performance.now() - this.#fromMs > LONGEST_MS) {
      await nextTurn();
      this.#fromMs = performance.now();
    }
  }
}
