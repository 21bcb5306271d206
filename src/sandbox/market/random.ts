import { createHash } from 'node:crypto';
import * as z from 'zod';

const word = z.int().min(0).max(0xffff_ffff);

/** The four words of a generator, as stored. */
export const RandomState = z.tuple([word, word, word, word]);
export type RandomState = z.output<typeof RandomState>;

/**
 * Seeded pseudo-random numbers, not for secrets. Algorithm: sfc32 (Chris Doty-Humphrey, PractRand; public domain), state from
 * sha256.
 */
export class Random {
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 0;

  private constructor(state: RandomState) {
    this.restore(state);
  }

  /** A generator for one purpose; each label has an independent sequence. */
  static seeded(seed: number, label: string): Random {
    const digest = Buffer.from(seededBytes(seed, label));
    return new Random([digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8), digest.readUInt32LE(12)]);
  }

  /** Continues from a state of {@link save}. */
  static restored(state: RandomState): Random {
    return new Random(state);
  }

  save(): RandomState {
    return [this.#a, this.#b, this.#c, this.#counter];
  }

  /** Resets this generator to a state of {@link save}. */
  restore([a, b, c, counter]: RandomState): void {
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#counter = counter;
  }

  /** Uniform in [0, 1), with 32 bits. */
  uniform(): number {
    const [a, b, c, counter] = [this.#a, this.#b, this.#c, this.#counter];
    const result = (a + b + counter) >>> 0;
    this.#a = (b ^ (b >>> 9)) >>> 0;
    this.#b = (c + (c << 3)) >>> 0;
    this.#c = (((c << 21) | (c >>> 11)) + result) >>> 0;
    this.#counter = (counter + 1) >>> 0;
    return result / 2 ** 32;
  }

  /** Uniform from `min` to `max`. */
  between(min: number, max: number): number {
    return min + (max - min) * this.uniform();
  }

  /** A uniform integer; both bounds are included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.uniform() * (max - min + 1));
  }

  /** Normally distributed with mean 0 and variance 1 (Box and Muller). */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    return radius * Math.cos(2 * Math.PI * this.uniform());
  }

  /** A number of events with this mean (Poisson; normal approximation above 30). */
  count(mean: number): number {
    if (mean > 30) {
      return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.normal()));
    }
    const limit = Math.exp(-mean);
    let events = 0;
    for (let product = this.uniform(); product > limit; product *= this.uniform()) {
      events += 1;
    }
    return events;
  }
}

/** 32 bytes that depend on seed and label alone. */
export function seededBytes(seed: number, label: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(`binsight sandbox ${seed} ${label}`).digest());
}
