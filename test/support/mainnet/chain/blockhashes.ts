import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import type { BlockhashLease } from '../../../../src/sandbox/chain/types';

/** For how many blocks a blockhash is good. */
const LIFETIME_BLOCKS = 150;

/** Blockhashes, one a block. They follow from the seed and the height. */
export class Blockhashes {
  readonly #seed: string;
  /** Heights of the blockhashes that were handed out. */
  readonly #heights = new Map<string, number>();

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** The blockhash of a block. */
  of(height: number): BlockhashLease {
    const blockhash = bs58.encode(createHash('sha256').update(`${this.#seed} block ${height}`).digest());
    this.#heights.set(blockhash, height);
    return { blockhash, lastValidBlockHeight: height + LIFETIME_BLOCKS };
  }

  /** Whether a block of this height takes a transaction with the blockhash. */
  isValid(blockhash: string, height: number): boolean {
    const made = this.#heights.get(blockhash);
    return made !== undefined && made <= height && height <= made + LIFETIME_BLOCKS;
  }
}
