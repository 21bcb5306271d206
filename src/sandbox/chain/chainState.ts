import bs58 from 'bs58';
import * as z from 'zod';
import { RentRate } from '../../base/solana/rent';
import { StoreError, StoreUseError } from '../../engine/store/sqliteStore';
import type { Database } from '../store/database';
import { putMeta, readMeta, Whole } from '../store/meta';
import { type Participant, WorkingSet } from '../store/workingSet';
import type { BlockhashLease } from './types';

const META_KEY = 'chain';

/** State of the chain besides its accounts: the value `chain` of the table `meta`. */
const ChainState = z.object({
  slot: z.int().nonnegative(),
  /** Start of the slot, milliseconds since 1970. */
  slotBegan: z.number(),
  feesBurntLamports: Whole,
  genesisLamports: Whole,
  genesisHash: z.string(),
  transactionCount: z.int().nonnegative(),
  rentLamportsPerByte: Whole,
});

export type ChainState = z.output<typeof ChainState>;

/** The rent that the chain of the database charges for as long as it exists. @param ofNew the rent of a chain that is still to be made */
export function chainRent(database: Database, ofNew: RentRate = RentRate.highest): RentRate {
  const state = readMeta(database, META_KEY, ChainState);
  return state === undefined ? ofNew : RentRate.ofLamportsPerByte(state.rentLamportsPerByte);
}

/** The state as a working set of one row, so that it is committed and rolled back with everything else. */
export class ChainStateCell {
  readonly set: WorkingSet<typeof META_KEY, ChainState>;

  /** @param initial the state of a new chain */
  constructor(database: Database, initial: () => ChainState) {
    this.set = new WorkingSet({
      load: () => readMeta(database, META_KEY, ChainState),
      save: (_, state) => putMeta(database, META_KEY, z.encode(ChainState, state)),
      remove: () => {
        throw new StoreUseError('The state of the chain is never removed');
      },
      copy: (state) => ({ ...state }),
    });
    if (this.set.get(META_KEY) === undefined) {
      this.set.put(META_KEY, initial());
    }
  }

  get value(): Readonly<ChainState> {
    return present(this.set.get(META_KEY));
  }

  /** The state, to be changed in place. */
  edit(): ChainState {
    return present(this.set.edit(META_KEY));
  }
}

function present<State>(state: State | undefined): State {
  if (state === undefined) {
    throw new StoreError('The state of the chain is not there');
  }
  return state;
}

/** Number of blocks for which a blockhash is valid (runtime: MAX_PROCESSING_AGE). */
const BLOCKHASH_LIFE_BLOCKS = 150;

/** Further blocks for which an expired blockhash is kept, so that a late transaction is refused as expired, not as unknown. */
const REMEMBERED_BLOCKS = 1_500;

const BLOCKHASH_BYTES = 32;

const BlockhashRow = z.object({ blockhash: z.string(), last_valid_block_height: z.number() });

/** Recently issued blockhashes: the table `blockhash`, held in memory. */
export class Blockhashes implements Participant {
  /** Last valid block height by blockhash, in order of issue. */
  readonly #lastValid = new Map<string, number>();
  readonly #unsaved: BlockhashLease[] = [];
  #newest: BlockhashLease | undefined;

  readonly #database: Database;
  readonly #random: (byteCount: number) => Uint8Array;

  constructor(database: Database, random: (byteCount: number) => Uint8Array) {
    this.#database = database;
    this.#random = random;

    for (const row of database.all(
      BlockhashRow,
      'SELECT blockhash, last_valid_block_height FROM blockhash ORDER BY last_valid_block_height',
    )) {
      this.#lastValid.set(row.blockhash, row.last_valid_block_height);
      this.#newest = { blockhash: row.blockhash, lastValidBlockHeight: row.last_valid_block_height };
    }
  }

  /** The blockhash of the block at this height; created on first request. */
  latest(blockHeight: number): BlockhashLease {
    const lastValidBlockHeight = blockHeight + BLOCKHASH_LIFE_BLOCKS;
    if (this.#newest?.lastValidBlockHeight !== lastValidBlockHeight) {
      this.#newest = { blockhash: bs58.encode(this.#random(BLOCKHASH_BYTES)), lastValidBlockHeight };
      this.#lastValid.set(this.#newest.blockhash, lastValidBlockHeight);
      this.#unsaved.push(this.#newest);
      this.#forget(blockHeight);
    }
    return this.#newest;
  }

  /** The last block height at which a transaction with this blockhash lands; `undefined` if the blockhash is unknown. */
  lastValidBlockHeight(blockhash: string): number | undefined {
    return this.#lastValid.get(blockhash);
  }

  /** Blockhashes are not rolled back: an issued one stays valid. */
  begin(): void {
    // See above.
  }

  release(): void {
    // See above.
  }

  rollBack(): void {
    // See above.
  }

  flush(): void {
    const last = this.#unsaved.at(-1);
    if (last === undefined) {
      return;
    }
    for (const { blockhash, lastValidBlockHeight } of this.#unsaved) {
      this.#database.run('INSERT INTO blockhash (blockhash, last_valid_block_height) VALUES (?, ?)', blockhash, lastValidBlockHeight);
    }
    this.#database.run(
      'DELETE FROM blockhash WHERE last_valid_block_height < ?',
      oldestRemembered(last.lastValidBlockHeight - BLOCKHASH_LIFE_BLOCKS),
    );
    this.#unsaved.length = 0;
  }

  #forget(blockHeight: number): void {
    const oldest = oldestRemembered(blockHeight);
    for (const [blockhash, lastValidBlockHeight] of this.#lastValid) {
      if (lastValidBlockHeight >= oldest) {
        return; // the map is in the order of issue
      }
      this.#lastValid.delete(blockhash);
    }
  }
}

/** The lowest `lastValidBlockHeight` that is still kept. */
function oldestRemembered(blockHeight: number): number {
  return blockHeight - REMEMBERED_BLOCKS;
}
