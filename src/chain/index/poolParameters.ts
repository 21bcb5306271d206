import * as z from 'zod';
import { AddressText } from '../rpc/addressText';
import type { SqliteStore } from '../../engine/store/sqliteStore';
import type { ChainRpc, RpcPriority } from '../rpc/types';
import type { PoolProgram } from './types';

const Row = z.object({ address: AddressText, program: z.enum(['dlmm', 'damm']) });
const Slices = z.object({ value: z.array(z.object({ data: z.tuple([z.string(), z.literal('base64')]) }).nullable()) });

/** Where the accounts of pools have what prices depend on: `bin_step` u16 of LbPair; `sqrt_min_price` and `sqrt_max_price` u128 of DAMM's Pool. */
const SLICES: Readonly<Record<PoolProgram, { readonly offset: number; readonly length: number }>> = {
  dlmm: { offset: 80, length: 2 },
  damm: { offset: 424, length: 32 },
};
/** Limit of getMultipleAccounts. */
const ACCOUNTS_PER_CALL = 100;

/**
 * Reads what prices depend on and never changes, of the pools that positions are in.
 * @returns whether there were any to be read
 */
export async function readPoolParameters(store: SqliteStore, rpc: ChainRpc, priority: RpcPriority, signal: AbortSignal): Promise<boolean> {
  let hasRead = false;
  for (const program of ['dlmm', 'damm'] as const) {
    const unknown = store
      .all(
        Row,
        'SELECT DISTINCT pool AS address, program FROM position WHERE program = ? AND pool NOT IN (SELECT address FROM pool) LIMIT ?',
        program,
        ACCOUNTS_PER_CALL,
      )
      .map(({ address }) => address);
    if (unknown.length > 0) {
      hasRead = true;
      const config = { encoding: 'base64', commitment: 'confirmed', dataSlice: SLICES[program] };
      const { value } = await rpc.call('getMultipleAccounts', [unknown, config], Slices, { priority, signal });
      store.transaction(() => {
        unknown.forEach((pool, index) => {
          const data = Buffer.from(value[index]?.data[0] ?? '', 'base64');
          // What is no pool any more is stored without parameters, so that it is not asked for again.
          const isThere = data.length === SLICES[program].length;
          store.run(
            'INSERT INTO pool (address, bin_step, least_root, most_root) VALUES (?, ?, ?, ?) ON CONFLICT (address) DO NOTHING',
            pool,
            isThere && program === 'dlmm' ? data.readUInt16LE(0) : null,
            isThere && program === 'damm' ? u128(data, 0).toString() : null,
            isThere && program === 'damm' ? u128(data, 16).toString() : null,
          );
        });
      });
    }
  }
  return hasRead;
}

function u128(data: Buffer, offset: number): bigint {
  return data.readBigUInt64LE(offset) + (data.readBigUInt64LE(offset + 8) << 64n);
}
