import { addressFromBytes, type Address } from '../solana/address';
import { PROGRAMS } from '../solana/programs';
import type { KnownPool, PoolFact } from '../review/facts';
import type { RpcAccount } from '../rpc/types';

// Pool accounts, as far as the review needs them. Offsets count from the start of the account and follow from the programs' IDLs: `LbPair` of
// lb_clmm 0.12.0, `Pool` of cp_amm 0.2.5. All integers are little-endian.

const POOL_KEY_BYTES = 32;
const LB_PAIR = { discriminator: '210b3162b565b10d', activeBinId: 76, binStepBps: 80, tokenX: 88, tokenY: 120, end: 152 } as const;
const DAMM_POOL = { discriminator: 'f19a6d0411b16dbc', tokenX: 168, tokenY: 200, sqrtPrice: 456, end: 472 } as const;
const DISCRIMINATOR_BYTES = 8;
const U64_BYTES = 8;

/** So much of an account has to be read for {@link poolFact}. */
export const POOL_PREFIX_BYTES = Math.max(LB_PAIR.end, DAMM_POOL.end);

/** What an RPC's answer says of the address of a pool. An account that is missing, or is not one of a Meteora pool, is a fact as well. */
export function poolFact(account: RpcAccount | undefined): PoolFact {
  return (account && knownPool(account)) ?? { kind: 'none', program: account?.program };
}

/** The tokens and the price of a pool; `undefined` where the account (or its first {@link POOL_PREFIX_BYTES} bytes) is not one of a Meteora pool. */
function knownPool({ program, data }: RpcAccount): KnownPool | undefined {
  const discriminator = Buffer.from(data.subarray(0, DISCRIMINATOR_BYTES)).toString('hex');
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const key = (offset: number): Address => addressFromBytes(data.slice(offset, offset + POOL_KEY_BYTES));
  if (program === PROGRAMS.dlmm && discriminator === LB_PAIR.discriminator && data.length >= LB_PAIR.end) {
    const { activeBinId, binStepBps, tokenX, tokenY } = LB_PAIR;
    return { kind: 'dlmm', tokenX: key(tokenX), tokenY: key(tokenY), activeBinId: view.getInt32(activeBinId, true), binStepBps: view.getUint16(binStepBps, true) };
  }
  if (program === PROGRAMS.dammV2 && discriminator === DAMM_POOL.discriminator && data.length >= DAMM_POOL.end) {
    const { sqrtPrice, tokenX, tokenY } = DAMM_POOL;
    const [low, high] = [view.getBigUint64(sqrtPrice, true), view.getBigUint64(sqrtPrice + U64_BYTES, true)];
    return { kind: 'dammV2', tokenX: key(tokenX), tokenY: key(tokenY), sqrtPriceQ64: (high << 64n) | low };
  }
  return undefined;
}
