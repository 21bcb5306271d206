import * as z from 'zod';
import type { Address } from '../../../solana/address';
import { Whole } from '../../store/codecs';
import type { Database } from '../../store/database';
import type { WorkingSet } from '../../store/workingSet';
import { poolStates } from './poolStates';

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
