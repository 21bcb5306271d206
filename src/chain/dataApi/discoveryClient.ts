import { DiscoveredResponse } from './schemas';
import { DataTransport, type DataTransportOptions } from './transport';
import type { DiscoveredPool, DiscoveryApi, DiscoveryWindow } from './types';

/** Client of Meteora's pool discovery, which has no published contract. */
export class DiscoveryClient implements DiscoveryApi {
  readonly #transport: DataTransport;

  /** @throws TypeError if the address is none */
  constructor(options: DataTransportOptions) {
    this.#transport = new DataTransport(options);
  }

  pools(window: DiscoveryWindow, pageSize: number, filters: readonly string[]): Promise<readonly DiscoveredPool[]> {
    const filterBy = filters.length === 0 ? undefined : filters.join('&&');
    return this.#transport.get('pools', DiscoveredResponse, { page_size: pageSize, timeframe: window, filter_by: filterBy });
  }
}
