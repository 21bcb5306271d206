import * as z from 'zod';
import type { Address } from '../../../solana/address';
import type { Database } from '../../store/database';
import { StoreError } from '../../store/storeError';
import { WorkingSet } from '../../store/workingSet';
import { Whole } from '../codecs';

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

const ROW = z.object({ type: z.literal('product'), state: z.string() });

/** The row of one pool in the table `pool`. */
export function productStates(database: Database, key: string): WorkingSet<Address, ProductState> {
  return new WorkingSet<Address, ProductState>({
    load: (address) => {
      const row = database.get(ROW, 'SELECT type, state FROM pool WHERE address = ?', address);
      return row === undefined ? undefined : stateOf(row.state, key);
    },
    save: (address, state) => {
      const json = JSON.stringify(z.encode(ProductState, state));
      database.run("INSERT INTO pool (address, key, type, state) VALUES (?, ?, 'product', ?) ON CONFLICT (address) DO UPDATE SET state = excluded.state", address, key, json);
    },
    remove: (address) => database.run('DELETE FROM pool WHERE address = ?', address),
    copy: (state) => ({ ...state }),
  });
}

function stateOf(json: string, key: string): ProductState {
  try {
    return z.decode(ProductState, JSON.parse(json) as z.input<typeof ProductState>);
  } catch (error) {
    throw new StoreError(`The state of pool ${key} cannot be read`, { cause: error });
  }
}
