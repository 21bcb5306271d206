import { MarketApis } from './marketApis';
import { type ChainService, useChainService } from './useChainService';

/** Like {@link useChainService}, with a price API and Meteora's data API, as the service is started by default. The data API lists the pools with bins. */
export function useChainWithMarketData(recording: string): () => ChainService {
  let apis: MarketApis | undefined;
  const service = useChainService(
    async (mainnet) => {
      apis ??= await MarketApis.start(mainnet);
      const { dlmm, prices } = apis.servers;
      return ['--data-api', dlmm.url, '--price-api', prices.url];
    },
    { recording },
  );
  after(() => apis?.close());
  return service;
}
