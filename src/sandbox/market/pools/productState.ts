import * as z from 'zod';
import type { Address } from '../../../base/solana/address';
import type { Database } from '../../store/database';
import { readJson, Whole } from '../../store/meta';
import { WorkingSet } from '../../store/workingSet';
import type { PoolType } from '../types';

const SAVE = 'INSERT INTO pool (address, key, type, state) VALUES (?, ?, ?, ?) ON CONFLICT (address) DO UPDATE SET state = excluded.state';

/**
 * The row of one pool in the table `pool`, as a working set. A state is copied one level deep: what lies deeper is replaced, never
 * changed in place. `key`: of the catalogue.
 */
export function poolStates<Schema extends z.ZodType<object>>(
  database: Database,
  type: PoolType,
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

/** A state that was put in when its pool was opened, and that nothing removes. */
export function present<State>(state: State | undefined): State {
  if (state === undefined) {
    throw new RangeError('The pool has no state');
  }
  return state;
}

/** What changes about a constant-product pool. Raw amounts; flat, so that a copy is one level deep. */
const ProductState = z.object({
  sqrtPriceQ64: Whole,
  /** Of all positions. */
  liquidity: Whole,
  /** Fees so far for one unit of liquidity, Q128. Only ever grow. */
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

/** The row of one pool in the table `pool`. */
export function productStates(database: Database, key: string): WorkingSet<Address, ProductState> {
  return poolStates(database, 'product', key, ProductState);
}
