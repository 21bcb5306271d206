import type { RequestPace } from './requestBudget';
import type { CallOptions, LiquidityService } from './service';

/** Wraps a service so that its calls have this pace, unless a call names its own. */
export function rateLimitedService(service: LiquidityService, pace: RequestPace): LiquidityService {
  const paced = (options?: CallOptions): CallOptions => ({ pace, ...options });
  return {
    openPositions: (owner, options) => service.openPositions(owner, paced(options)),
    closedPositions: (query, options) => service.closedPositions(query, paced(options)),
    overview: (query, options) => service.overview(query, paced(options)),
    positionLogs: (query, options) => service.positionLogs(query, paced(options)),
    revenue: (query, options) => service.revenue(query, paced(options)),
    discoverPools: (query, options) => service.discoverPools(query, paced(options)),
    poolInfo: (pool, options) => service.poolInfo(pool, paced(options)),
    poolPositions: (query, options) => service.poolPositions(query, paced(options)),
    onchainStats: (pool, options) => service.onchainStats(pool, paced(options)),
    topLpers: (query, options) => service.topLpers(query, paced(options)),
    tokenBalances: (query, options) => service.tokenBalances(query, paced(options)),
    decreaseQuote: (query, options) => service.decreaseQuote(query, paced(options)),
    buildDecrease: (request, options) => service.buildDecrease(request, paced(options)),
    landDecrease: (landing, options) => service.landDecrease(landing, paced(options)),
    buildAdd: (request, options) => service.buildAdd(request, paced(options)),
    landAdd: (landing, options) => service.landAdd(landing, paced(options)),
  };
}
