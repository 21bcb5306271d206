import * as z from 'zod';
import { binArrayIndex, binOfUiPrice, BINS_PER_ARRAY, priceQ64OfBin } from '../../../base/dlmm/bins';
import type { Address } from '../../../base/solana/address';
import type { Database } from '../../store/database';
import { readJson, Whole } from '../../store/meta';
import { WorkingSet } from '../../store/workingSet';
import type { BinPoolSpec } from '../catalog';
import type { PoolOptions, PoolKind } from '../types';
import { type BinArray, copyBinArray, decodeBinArray, encodeBinArray } from './binArrays';
import { calmAt } from './binFees';

const SAVE = 'INSERT INTO pool (address, key, type, state) VALUES (?, ?, ?, ?) ON CONFLICT (address) DO UPDATE SET state = excluded.state';

/**
 * The row of a pool in the table `pool`, as a working set. Copies are shallow, so nested values are replaced and never changed in
 * place.
 * @param key key in the catalog
 */
function poolStates<Schema extends z.ZodType<object>>(
  database: Database,
  type: PoolKind,
  key: string,
  schema: Schema,
): WorkingSet<Address, z.output<Schema>> {
  const Row = z.object({ type: z.literal(type), state: z.string() });
  return new WorkingSet<Address, z.output<Schema>>({
    load: (address) => {
      const row = database.get(Row, 'SELECT type, state FROM pool WHERE address = ?', address);
      return row === undefined ? undefined : readJson(schema, row.state, `The state of pool ${key}`);
    },
    save: (address, state) => database.run(SAVE, address, key, type, JSON.stringify(z.encode(schema, state))),
    remove: (address) => database.run('DELETE FROM pool WHERE address = ?', address),
    copy: (state) => ({ ...state }),
  });
}

/** @throws RangeError if there is no state; opening a pool creates it, and nothing removes it */
export function required<State>(state: State | undefined): State {
  if (state === undefined) {
    throw new RangeError('The pool has no state');
  }
  return state;
}

/** State of a constant-product pool. Raw amounts; flat, because copies are shallow. */
const ProductState = z.object({
  sqrtPriceQ64: Whole,
  /** Liquidity of all positions. */
  liquidity: Whole,
  /** Accumulated fees per unit of liquidity, Q128; never decrease. */
  feeX: Whole,
  feeY: Whole,
  protocolFeeX: Whole,
  protocolFeeY: Whole,
  vaultX: Whole,
  vaultY: Whole,
  volatilityAccumulator: Whole,
  volatilityReference: Whole,
  sqrtPriceReference: Whole,
  /** Seconds since 1970. */
  volatilityUpdatedAt: z.number(),
});
export type ProductState = z.output<typeof ProductState>;

/** The row of a constant-product pool in the table `pool`. */
export function productStates(database: Database, key: string): WorkingSet<Address, ProductState> {
  return poolStates(database, 'product', key, ProductState);
}

/** State of a bin pool without its bins. Raw amounts; nested values are replaced and never changed in place. */
const BinPoolState = z.object({
  activeBinId: z.int(),
  volatility: z.readonly(z.object({ accumulator: z.int(), reference: z.int(), referenceBin: z.int(), movedAt: z.int() })),
  /** Sum of all bins. */
  liquidityX: Whole,
  liquidityY: Whole,
  protocolFeeX: Whole,
  protocolFeeY: Whole,
  vaultX: Whole,
  vaultY: Whole,
  /** Indexes of the bin arrays that exist, ascending. */
  binArrays: z.readonly(z.array(z.int())),
});
export type BinPoolState = z.output<typeof BinPoolState>;

const ARRAY_ROW = z.object({ bins: z.instanceof(Uint8Array) });

/** The stored state of a bin pool: its row in the table `pool` and its rows in `bin_array`. Also caches the prices of bins. */
export class BinPoolRows {
  readonly #states: WorkingSet<Address, BinPoolState>;
  readonly #arrays: WorkingSet<number, BinArray>;
  /** Cached prices, by bin array and slot. */
  readonly #prices = new Map<number, (bigint | undefined)[]>();
  readonly #address: Address;
  readonly #binStepBps: number;

  constructor({ spec, address, database, unit, startPrice }: PoolOptions<BinPoolSpec>) {
    this.#address = address;
    this.#binStepBps = spec.binStepBps;
    this.#states = poolStates(database, 'bins', spec.key, BinPoolState);
    this.#arrays = arraysIn(database, address);
    unit.enlist(this.#states, this.#arrays);
    if (this.#states.get(address) === undefined) {
      this.#states.put(address, emptyAt(binOfUiPrice(startPrice, spec.binStepBps, 0, 0, 'down')));
    }
  }

  get state(): Readonly<BinPoolState> {
    return required(this.#states.get(this.#address));
  }

  editState(): BinPoolState {
    return required(this.#states.edit(this.#address));
  }

  array(index: number): Readonly<BinArray> | undefined {
    return this.#arrays.get(index);
  }

  editArray(index: number): BinArray | undefined {
    return this.#arrays.edit(index);
  }

  addArray(index: number, array: BinArray): void {
    this.#arrays.put(index, array);
    const state = this.editState();
    state.binArrays = [...state.binArrays, index].sort((a, b) => a - b);
  }

  /** The first bin array with shares from `index` on, upwards (1) or downwards (-1). */
  nextStocked(index: number, step: 1 | -1): number | undefined {
    const { binArrays } = this.state;
    for (let place = step > 0 ? 0 : binArrays.length - 1; ; place += step) {
      const candidate = binArrays[place];
      if (candidate === undefined) {
        return undefined;
      }
      if ((candidate - index) * step >= 0 && (this.#arrays.get(candidate)?.stocked ?? 0) > 0) {
        return candidate;
      }
    }
  }

  /** Price of a bin, Q64. @throws RangeError if the bin is outside the program's range */
  priceQ64(binId: number): bigint {
    const index = binArrayIndex(binId);
    return this.priceIn(this.pricesOf(index), index, binId - index * BINS_PER_ARRAY);
  }

  /** The price cache of a bin array; read it with {@link priceIn}. */
  pricesOf(index: number): (bigint | undefined)[] {
    let prices = this.#prices.get(index);
    if (prices === undefined) {
      prices = Array.from({ length: BINS_PER_ARRAY }, () => undefined);
      this.#prices.set(index, prices);
    }
    return prices;
  }

  /** Price of the bin in a slot of an array, Q64. @throws RangeError like {@link priceQ64} */
  priceIn(prices: (bigint | undefined)[], index: number, slot: number): bigint {
    return (prices[slot] ??= priceQ64OfBin(index * BINS_PER_ARRAY + slot, this.#binStepBps));
  }
}

function arraysIn(database: Database, pool: Address): WorkingSet<number, BinArray> {
  return new WorkingSet<number, BinArray>({
    load: (index) => {
      const row = database.get(ARRAY_ROW, 'SELECT bins FROM bin_array WHERE pool = ? AND number = ?', pool, index);
      return row === undefined ? undefined : decodeBinArray(row.bins);
    },
    save: (index, array) =>
      database.run('INSERT OR REPLACE INTO bin_array (pool, number, bins) VALUES (?, ?, ?)', pool, index, encodeBinArray(array)),
    remove: (index) => database.run('DELETE FROM bin_array WHERE pool = ? AND number = ?', pool, index),
    copy: copyBinArray,
  });
}

function emptyAt(activeBinId: number): BinPoolState {
  return {
    activeBinId,
    volatility: calmAt(activeBinId),
    liquidityX: 0n,
    liquidityY: 0n,
    protocolFeeX: 0n,
    protocolFeeY: 0n,
    vaultX: 0n,
    vaultY: 0n,
    binArrays: [],
  };
}
