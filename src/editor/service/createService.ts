import type { BaseUrl } from '../../api/baseUrl';
import type { RequestBudget } from '../../api/requestBudget';
import type { LiquidityService } from '../../api/service';
import type { LogFunction } from '../log/log';

/** Makes the client of a service. @param budget shared with all who ask the same service; without it each call waits for itself after a 429 */
export type CreateService = (baseUrl: BaseUrl, apiKey: string, budget?: RequestBudget) => Promise<LiquidityService>;

/** Gives what makes clients; their code (zod, node-fetch) is loaded with the first one. */
export function serviceCreator(log: LogFunction): CreateService {
  return async (baseUrl, apiKey, budget) => {
    const { createLiquidityService } = await import('../../api/client');
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
