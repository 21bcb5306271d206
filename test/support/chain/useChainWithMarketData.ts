import { TOKENS } from '../mainnet/world/tokens';
import type { LittlePool } from '../mainnet/world/pool';
import { dataPool, dataToken } from './dataPools';
import { DataApiServer, type WireDataPool } from './dataApiServer';
import { PriceServer } from './priceServer';
import { type ChainService, useChainService } from './useChainService';

/** US dollars for one whole token of the little mainnet, about as its pools have it. */
const USD = { sol: 150, usdc: 1, meme: 0.15, toll: 1 } as const;

/**
 * Like {@link useChainService}, with a price API and Meteora's data API, as the service is started by default. The data API lists the pools with
 * bins of the little mainnet.
 */
export function useChainWithMarketData(recording: string): () => ChainService {
  let dataApi: DataApiServer | undefined;
  let prices: PriceServer | undefined;
  before(async () => {
    dataApi = await DataApiServer.start();
    prices = await PriceServer.start(
      Object.fromEntries(Object.entries(USD).map(([name, usd]) => [TOKENS[name as keyof typeof USD].mint, usd])),
    );
  });
  const service = useChainService(() => ['--data-api', dataApi?.url ?? '', '--price-api', prices?.url ?? ''], { recording });
  before(() => {
    if (dataApi !== undefined) {
      const pools = Object.values(service().mainnet.pools).filter(({ program }) => program === 'dlmm');
      dataApi.pools = pools.map((pool, place) => listed(pool, place + 1));
    }
  });
  after(async () => {
    await Promise.all([dataApi?.close(), prices?.close()]);
  });
  return service;
}

function listed({ address, x, y }: LittlePool, place: number): WireDataPool {
  return dataPool(address, place, {
    name: `${x.symbol}-${y.symbol}`,
    token_x: dataToken(x.mint, x.symbol, { decimals: x.decimals }),
    token_y: dataToken(y.mint, y.symbol, { decimals: y.decimals }),
  });
}
