import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import type { BlockhashLease } from '../../../../src/sandbox/chain/types';

/** For how many blocks a blockhash is good. */
const LIFETIME_BLOCKS = 150;

/** Blockhashes, one a block. They follow from the seed and the height. */
export class Blockhashes {
  readonly #seed: string;
  readonly #byHeight = new Map<number, string>();

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** The blockhash of a block. */
  of(height: number): BlockhashLease {
    return { blockhash: this.#hash(height), lastValidBlockHeight: height + LIFETIME_BLOCKS };
  }

  /** Whether a block of this height takes a transaction with the blockhash. */
  isValid(blockhash: string, height: number): boolean {
    return Array.from({ length: LIFETIME_BLOCKS + 1 }, (_, age) => height - age).some((made) => this.#hash(made) === blockhash);
  }

  #hash(height: number): string {
    const hash = this.#byHeight.get(height) ?? bs58.encode(createHash('sha256').update(`${this.#seed} block ${height}`).digest());
    this.#byHeight.set(height, hash);
    this.#byHeight.delete(height - 1_000);
    return hash;
  }
}
