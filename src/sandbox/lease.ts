/** Tells when nobody wants the process any more. */
export class Leases {
  /** Resolves when nobody came. */
  readonly abandoned: Promise<void>;
  readonly #abandon: () => void;
  #held = 0;
  #timer: NodeJS.Timeout | undefined;

  readonly #graceMs: number;

  /**
   * @param graceMs how long the process waits for another lease after the last one has gone
   * @param firstMs how long it waits for the first one
   */
  constructor(graceMs: number, firstMs: number) {
    this.#graceMs = graceMs;

    let abandon = (): void => undefined;
    this.abandoned = new Promise((resolve) => (abandon = resolve));
    this.#abandon = abandon;
    this.#wait(firstMs);
  }

  /** Takes a lease; the function that is returned gives it back. */
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

  /** Ends nothing any more. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#held = Number.POSITIVE_INFINITY;
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#abandon, ms);
  }
}
