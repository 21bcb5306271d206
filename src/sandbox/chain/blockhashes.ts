import bs58 from 'bs58';
import type { BlockhashLease } from './types';

/** For how many blocks a blockhash counts (runtime: MAX_PROCESSING_AGE). */
const BLOCKHASH_LIFE_BLOCKS = 150;

/** For how many blocks more it is remembered, so that a late transaction hears that it is late and not that it is unknown. */
const REMEMBERED_BLOCKS = 1_500;

const BLOCKHASH_BYTES = 32;

/** The blockhashes that were issued of late. */
export class Blockhashes {
  private readonly lastValid = new Map<string, number>();
  private newest: BlockhashLease | undefined;

  constructor(
    private readonly random: (byteCount: number) => Uint8Array,
    issued: readonly BlockhashLease[],
  ) {
    for (const { blockhash, lastValidBlockHeight } of issued) {
      this.lastValid.set(blockhash, lastValidBlockHeight);
    }
  }

  /** The blockhash of the block at this height; made when it is first asked for. */
  latest(blockHeight: number): BlockhashLease {
    const lastValidBlockHeight = blockHeight + BLOCKHASH_LIFE_BLOCKS;
    if (this.newest?.lastValidBlockHeight !== lastValidBlockHeight) {
      this.newest = { blockhash: bs58.encode(this.random(BLOCKHASH_BYTES)), lastValidBlockHeight };
      this.lastValid.set(this.newest.blockhash, lastValidBlockHeight);
      this.forget(blockHeight);
    }
    return this.newest;
  }

  /** The last height at which a transaction with this blockhash lands; `undefined` where it is not known. */
  lastValidBlockHeight(blockhash: string): number | undefined {
    return this.lastValid.get(blockhash);
  }

  /** All that are remembered, the oldest first. */
  save(): readonly BlockhashLease[] {
    return [...this.lastValid].map(([blockhash, lastValidBlockHeight]) => ({ blockhash, lastValidBlockHeight }));
  }

  private forget(blockHeight: number): void {
    for (const [blockhash, lastValidBlockHeight] of this.lastValid) {
      if (lastValidBlockHeight + REMEMBERED_BLOCKS >= blockHeight) {
        return; // the map is in the order of issue
      }
      this.lastValid.delete(blockhash);
    }
  }
}
