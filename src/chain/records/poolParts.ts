import { parseAddress } from '../../base/solana/address';
import { oneLine } from '../../base/text';
import { type Engine, EngineError } from '../../engine/engine';
import { type DiscoveryOptions, PoolDiscovery } from './discover';
import { type PoolCandleOptions, PoolCandles } from './poolCandles';
import { PoolInfoRecords } from './poolInfo';
import { type PoolPositionOptions, PoolPositionRecords } from './poolPositions';
import type { ChainPoolReader, PoolDetails } from '../pools/poolReader';

/** The endpoints of pools. */
export type PoolServices = Pick<Engine, 'discover' | 'poolInfo' | 'candles' | 'poolPositions' | 'onchainStats' | 'topLpers'>;

/** What the endpoints of pools need. */
export type PoolPartsOptions = DiscoveryOptions & PoolPositionOptions & PoolCandleOptions & { readonly pools: ChainPoolReader };

const LONGEST_ADDRESS = 44;

/** The endpoints of pools, of one service. */
export function createPoolParts(options: PoolPartsOptions): PoolServices {
  const discovery = new PoolDiscovery(options);
  const info = new PoolInfoRecords(options);
  const candles = new PoolCandles(options);
  const positions = new PoolPositionRecords(options);
  const detailsOf = (pool: string): Promise<PoolDetails> => poolNamed(options.pools, pool);
  return {
    discover: (parameters) => discovery.discover(parameters),
    poolInfo: async (pool) => info.of(await detailsOf(pool)),
    candles: async (parameters) => ({
      timeframe: parameters.timeframe,
      candles: await candles.of(await detailsOf(parameters.pool), parameters),
    }),
    poolPositions: async (parameters) => positions.positions(await detailsOf(parameters.pool), parameters),
    onchainStats: async (pool) => positions.onchainStats(await detailsOf(pool)),
    topLpers: async (parameters) => positions.topLpers(await detailsOf(parameters.pool), parameters),
  };
}

/** Reads the pool of a route. @throws EngineError if there is none */
export async function poolNamed(pools: Pick<ChainPoolReader, 'details'>, name: string): Promise<PoolDetails> {
  const address = parseAddress(name);
  const details = address === undefined ? undefined : await pools.details(address);
  if (details === undefined) {
    throw new EngineError('notFound', `Pool ${oneLine(name, LONGEST_ADDRESS)} not found`);
  }
  return details;
}
