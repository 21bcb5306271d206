import type { Pool, PoolInfo } from '../../../api/records/pool';
import type { LiquidityService } from '../../../api/service';
import type { Address } from '../../../solana/address';

/** As many as discover gives at once (spec §4.4). */
const LARGEST_PAGE = 100;

/**
 * Finds a pool's record in discover, which has no parameter for one pool: the text search is documented for names and token addresses, and
 * services take a pool's own address, too. So the pool's address is searched for first; where that finds nothing, its token X, within the
 * pools that trade it against token Y.
 * @returns `undefined` where the service does not list it.
 */
export async function findPoolRecord(service: Pick<LiquidityService, 'discoverPools'>, address: Address, info: PoolInfo | undefined, signal: AbortSignal): Promise<Pool | undefined> {
  const isIt = (pool: Pool): boolean => pool.address === address;
  const byAddress = await service.discoverPools({ search: address, pageSize: 10 }, { signal });
  const found = byAddress.items.find(isIt);
  const [x, y] = info?.tokens ?? [];
  if (found !== undefined || x?.address === undefined || signal.aborted) {
    return found;
  }
  const byToken = await service.discoverPools({ search: x.address, ...(y?.address === undefined ? {} : { quoteToken: y.address }), pageSize: LARGEST_PAGE }, { signal });
  return byToken.items.find(isIt);
}
