import { uiPriceOfBin } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import type { PoolFact } from '../../review/facts/facts';
import type { RpcCallOptions, SolanaRpc } from '../../rpc/types';
import { POOL_PREFIX_BYTES, poolFact } from './chainFacts';

/** Pools by their accounts on the chain, by address. */
export type PoolsOnChain = ReadonlyMap<Address, PoolFact>;

/** Reads pools. An address without a Meteora pool is a fact, too. @throws RpcError if the RPC does not answer */
export async function readPools(addresses: readonly Address[], rpc: SolanaRpc, options?: RpcCallOptions): Promise<PoolsOnChain> {
  const pools = [...new Set(addresses)];
  if (pools.length === 0) {
    return new Map();
  }
  const { value: accounts } = await rpc.accounts({ addresses: pools, firstBytes: POOL_PREFIX_BYTES }, options);
  return new Map(pools.map((pool, index) => [pool, poolFact(accounts[index])]));
}

/** 2 to the power of 64: the scale of a square root of a price. */
const Q64 = 2 ** 64;

/** The price of a whole token X in whole tokens Y; `undefined` for a bin, step or square root that no pool has. */
export function priceOnChain(pool: Exclude<PoolFact, { kind: 'none' }>, decimalsX: number, decimalsY: number): number | undefined {
  try {
    const price =
      pool.kind === 'dlmm'
        ? uiPriceOfBin(pool.activeBinId, pool.binStepBps, decimalsX, decimalsY)
        : (Number(pool.sqrtPriceQ64) / Q64) ** 2 * 10 ** (decimalsX - decimalsY);
    return price > 0 && Number.isFinite(price) ? price : undefined;
  } catch {
    return undefined;
  }
}
