import type { BaseUrl } from '../../service/baseUrl';
import type { RequestBudget } from '../../service/requestBudget';
import type { LiquidityService } from '../../service/service';
import type { LogFunction } from '../shell/log';

/** Makes the client of a service. @param budget shared with all who ask the same service; without it each call waits for itself after a 429 */
export type CreateService = (baseUrl: BaseUrl, apiKey: string, budget?: RequestBudget) => Promise<LiquidityService>;

/** Gives what makes clients; their code (zod, node-fetch) is loaded with the first one. */
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
