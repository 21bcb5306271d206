import { parseApiKey, redactorOf } from './apiKey';
import type { ParseWarning } from './common';
import { poolCalls } from './calls/poolCalls';
import { positionCalls } from './calls/positionCalls';
import type { LiquidityService } from './service';
import { transactionCalls } from './calls/transactionCalls';
import { createCall, createTransport, type TransportOptions } from './calls/transport';

export interface LiquidityServiceOptions extends TransportOptions {
  /** Called with the warnings about an answer; `endpoint` is "GET /lp-positions/opening". They are also in the log (debug). */
  readonly onWarnings?: (endpoint: string, warnings: readonly ParseWarning[]) => void;
}

/**
 * Creates a client of the service. It holds the API key and sends it to `baseUrl` only. This module loads zod and node-fetch, so import it
 * when it is needed, not on activation.
 * @example
 * const service = createLiquidityService({ baseUrl: parseBaseUrl('https://api.example.org/open-api/v1'), apiKey: 'key' });
 * const { items } = await service.openPositions(owner);
 */
export function createLiquidityService(options: LiquidityServiceOptions): LiquidityService {
  const { now = Date.now, log = () => undefined, onWarnings = () => undefined } = options;
  const apiKey = parseApiKey(options.apiKey);
  const redact = apiKey === undefined ? (text: string) => text : redactorOf(apiKey, '[API key]');
  const call = createCall({ transport: createTransport(options), now, redact, log, onWarnings });
  return { ...positionCalls(call), ...poolCalls(call), ...transactionCalls(call) };
}
