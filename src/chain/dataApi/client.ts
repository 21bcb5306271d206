import type * as z from 'zod';
import type { Address } from '../../base/solana/address';
import type { PoolProgram } from '../index/types';
import {
  CandlesResponse,
  ClosedPoolsResponse,
  OpenPoolsResponse,
  PositionEventsResponse,
  POOL_RESPONSES,
  POOLS_RESPONSES,
  PositionsResponse,
  VolumesResponse,
} from './schemas';
import {
  type Candle,
  type DataApi,
  DataApiError,
  type DataOpenPool,
  type DataPool,
  type DataPoolsPage,
  type DataPoolsQuery,
  type DataPosition,
  type DataPositionEvent,
  type DataSpan,
  type VolumeBucket,
} from './types';
import { type DataParameters, DataTransport, type DataTransportOptions } from './transport';

/** Where the data API is. */
export interface DataApiOptions extends DataTransportOptions {
  /** Whose pools it has; default: DLMM. */
  readonly program?: PoolProgram;
}

/** Of lists: they are long. */
const LIST_TIMEOUT_MS = 10_000;
/** Largest pages of a wallet's pools, and of its positions in a pool; and most pages of a list. */
const POOLS_PER_PAGE = 50;
const POSITIONS_PER_PAGE = 100;
const MOST_PAGES = 40;
/** As far as closed positions are listed, at most. */
const DAYS_BACK = 365;

/** Client of one of Meteora's public data APIs: that of DLMM and that of DAMM v2 have the same interface for pools. */
export class DataApiClient implements DataApi {
  readonly #transport: DataTransport;
  readonly #program: PoolProgram;

  /** @throws TypeError if the address is none */
  constructor({ program = 'dlmm', ...transport }: DataApiOptions) {
    this.#transport = new DataTransport(transport);
    this.#program = program;
  }

  pools({ page, pageSize, search, sortBy, filters = [] }: DataPoolsQuery): Promise<DataPoolsPage> {
    const parameters = {
      page,
      page_size: pageSize,
      query: search,
      sort_by: sortBy,
      filter_by: filters.length === 0 ? undefined : filters.join(' && '),
    };
    return this.#transport.get('pools', POOLS_RESPONSES[this.#program], parameters, LIST_TIMEOUT_MS);
  }

  async pool(address: Address): Promise<DataPool | undefined> {
    try {
      const pool = await this.#transport.get(`pools/${address}`, POOL_RESPONSES[this.#program], {});
      if (pool.address !== address) {
        throw new DataApiError('unreadable', this.#transport.message('answered with another pool'));
      }
      return pool;
    } catch (error) {
      if (error instanceof DataApiError && error.kind === 'notFound') {
        return undefined;
      }
      throw error;
    }
  }

  candles(pool: Address, { timeframe, startS, endS }: DataSpan): Promise<readonly Candle[]> {
    return this.#transport.get(`pools/${pool}/ohlcv`, CandlesResponse, { timeframe, start_time: startS, end_time: endS });
  }

  volumes(pool: Address, { timeframe, startS, endS }: DataSpan): Promise<readonly VolumeBucket[]> {
    return this.#transport.get(`pools/${pool}/volume/history`, VolumesResponse, { timeframe, start_time: startS, end_time: endS });
  }

  openPools(owner: Address): Promise<readonly DataOpenPool[]> {
    return this.#all('portfolio/open', OpenPoolsResponse, { user: owner, page_size: POOLS_PER_PAGE });
  }

  closedPools(owner: Address): Promise<readonly Address[]> {
    return this.#all('portfolio', ClosedPoolsResponse, { user: owner, page_size: POOLS_PER_PAGE, days_back: DAYS_BACK });
  }

  async positionsIn(pool: Address, owner: Address): Promise<readonly DataPosition[]> {
    const query = { user: owner, status: 'all', page_size: POSITIONS_PER_PAGE };
    const positions = await this.#all(`positions/${pool}/pnl`, PositionsResponse, query);
    return positions.map((position) => ({ ...position, pool }));
  }

  positionEvents(position: Address): Promise<readonly DataPositionEvent[]> {
    return this.#transport.get(`positions/${position}/historical`, PositionEventsResponse, { order_direction: 'asc' });
  }

  /** All pages of a list. @throws DataApiError also if it has too many */
  async #all<Item>(
    path: string,
    schema: z.ZodType<{ readonly hasNext: boolean; readonly items: readonly Item[] }>,
    query: DataParameters,
  ): Promise<readonly Item[]> {
    const all: Item[] = [];
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const { hasNext, items } = await this.#transport.get(path, schema, { ...query, page }, LIST_TIMEOUT_MS);
      all.push(...items);
      if (!hasNext || items.length === 0) {
        return all;
      }
    }
    throw new DataApiError('unreadable', this.#transport.message('gave a list that is too long'));
  }
}
