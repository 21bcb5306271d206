/** A source of chance that is the same for the same seed (xorshift32, Marsaglia 2003). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  }

  /** A whole number from 0 up to, not including, `bound`. */
  below(bound: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    this.#state >>>= 0;
    return bound <= 0 ? 0 : this.#state % bound;
  }

  /** True once in `times` times. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  /** One of a list. @throws RangeError where it is empty. */
  of<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) {
      throw new RangeError('Nothing to choose from');
    }
    return item;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }
}
