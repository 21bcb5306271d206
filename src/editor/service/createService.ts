import type { BaseUrl } from '../../api/baseUrl';
import type { LiquidityService } from '../../api/service';
import type { LogFunction } from '../log/log';

/** Makes the client of a service. */
export type CreateService = (baseUrl: BaseUrl, apiKey: string) => Promise<LiquidityService>;

/** Gives what makes clients; their code (zod, node-fetch) is loaded with the first one. */
export function serviceCreator(log: LogFunction): CreateService {
  return async (baseUrl, apiKey) => {
    const { createLiquidityService } = await import('../../api/client');
    return createLiquidityService({
      baseUrl,
      apiKey,
      onOddities: (endpoint, oddities) => {
        for (const { path, message } of oddities) {
          log('debug', `${endpoint}: ${path}: ${message}`);
        }
      },
    });
  };
}
