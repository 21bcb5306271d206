import type { BaseUrl } from '../../service/baseUrl';
import type { RequestBudget } from '../../service/requestBudget';
import type { LiquidityService } from '../../service/service';
import type { LogFunction } from '../shell/log';

/**
 * Creates the client of a service.
 * @param budget shared by all clients of the same service; without it each call waits on its own after a 429
 */
export type CreateService = (baseUrl: BaseUrl, apiKey: string, budget?: RequestBudget) => Promise<LiquidityService>;

/** Returns the factory of clients. The first call loads their code (zod, node-fetch). */
export function serviceCreator(log: LogFunction): CreateService {
  return async (baseUrl, apiKey, budget) => {
    const { createLiquidityService } = await import('../../service/client');
    return createLiquidityService({
      baseUrl,
      apiKey,
      budget,
      onOddities: (endpoint, oddities) => {
        for (const { path, message } of oddities) {
          log('debug', `${endpoint}: ${path}: ${message}`);
        }
      },
    });
  };
}
