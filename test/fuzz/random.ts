/** A pseudorandom generator with a seed (xorshift32, Marsaglia 2003). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  }

  /** An integer from 0 to `bound`, without `bound`. */
  below(bound: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    this.#state >>>= 0;
    return bound <= 0 ? 0 : this.#state % bound;
  }

  /** True with probability 1 / `times`. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  /** A random element of a list. @throws RangeError if the list is empty. */
  of<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) {
      throw new RangeError('The list is empty');
    }
    return item;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }
}
