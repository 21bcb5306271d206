import type { Address } from '../../base/solana/address';
import type { Call } from './transport';
import { PROTOCOL_OF } from '../common';
import { dataOf, fieldsOf, hasFields, listOf, pageOf, readPagination, unreadable } from '../parsing/envelope';
import { parseNumber } from '../parsing/scalars';
import { readCandles } from '../candles';
import { readCounters } from '../counters';
import { ServiceError } from '../errors';
import { readPoolInfo } from '../poolInfo';
import { readPoolLpers } from '../poolLpers';
import { readPools } from '../pools';
import { type OpenPosition, readOpenPositions } from '../positions';
import { checkDiscover, checkPaging, LARGEST_POSITIONS_PAGE } from './requestChecks';
import type { Bounds, DiscoverQuery, LiquidityService } from '../service';

/** The endpoints under /pools that read. */
export type PoolCalls = Pick<
  LiquidityService,
  'discoverPools' | 'poolInfo' | 'candles' | 'counters' | 'poolPositions' | 'onchainStats' | 'topLpers'
>;

export function poolCalls(call: Call): PoolCalls {
  return {
    discoverPools: async (query, options) => {
      const endpoint = 'GET /pools/discover';
      checkDiscover(endpoint, query);
      return call({ endpoint, query: discoverParameters(query), ...options }, (body, reading) => {
        const data = dataOf(body, endpoint);
        const { list, path } = pageOf(data, endpoint, ['data', 'pools']);
        const items = readPools(list, path, reading, query.feeTvlInterval ?? '24h');
        const pagination = readPagination(body, data, reading, { ...pagingOf(query), received: list.length });
        return { items, ...pagination, warnings: reading.warnings.all() };
      });
    },

    poolInfo: async (pool, options) => {
      const endpoint = 'GET /pools/{id}/info';
      return call({ endpoint, path: poolPath(pool, 'info'), ...options }, (body, reading) => {
        const info = readPoolInfo(fieldsOf(dataOf(body, endpoint), endpoint, 'data'), 'data', reading);
        if (info === undefined) {
          throw unreadable(endpoint, 'data', reading.warnings.all());
        }
        return info;
      });
    },

    candles: async (pool, span, options) => {
      const endpoint = 'GET /pools/{id}/candles';
      const query = { timeframe: span.length, from: span.fromS, to: span.toS };
      return unlessNotFound(
        call({ endpoint, path: poolPath(pool, 'candles'), query, ...options }, (body, reading) => {
          const { candles } = fieldsOf(dataOf(body, endpoint), endpoint, 'data');
          return readCandles(listOf(candles, endpoint, 'data.candles'), 'data.candles', reading, span);
        }),
      );
    },

    counters: async ({ pool, range, position, fromS }, options) => {
      const endpoint = 'GET /pools/{id}/counters';
      const query = { fromBinId: range?.fromBinId, toBinId: range?.toBinId, position, from: fromS };
      return unlessNotFound(
        call({ endpoint, path: poolPath(pool, 'counters'), query, ...options }, (body, reading) => {
          const data = fieldsOf(dataOf(body, endpoint), endpoint, 'data');
          const lists = {
            snapshots: listOf(data.snapshots, endpoint, 'data.snapshots'),
            position: listOf(data.position ?? [], endpoint, 'data.position'),
          };
          return readCounters(lists, 'data', reading);
        }),
      );
    },

    poolPositions: async (query, options) => {
      const endpoint = 'GET /pools/{id}/positions';
      checkPaging(endpoint, query, LARGEST_POSITIONS_PAGE);
      const { pool, owner, status, page, pageSize, orderBy, sortOrder } = query;
      const parameters = { owner, status, page, pageSize, order_by: orderBy, sort_order: sortOrder };
      return call({ endpoint, path: poolPath(pool, 'positions'), query: parameters, ...options }, (body, reading) => {
        const data = dataOf(body, endpoint);
        const { list, path } = pageOf(data, endpoint, ['positions', 'data']);
        const items = readOpenPositions(list, path, reading).map((position) =>
          hasFields(data) ? withPoolFigures(position, data) : position,
        );
        const pagination = readPagination(body, data, reading, { ...pagingOf(query), received: list.length });
        return { items, ...pagination, warnings: reading.warnings.all() };
      });
    },

    onchainStats: async (pool, options) => {
      const endpoint = 'GET /pools/{id}/onchain-stats';
      return call({ endpoint, path: poolPath(pool, 'onchain-stats'), ...options }, (body) =>
        fieldsOf(dataOf(body, endpoint), endpoint, 'data'),
      );
    },

    topLpers: async (query, options) => {
      const endpoint = 'GET /pools/{id}/top-lpers';
      checkPaging(endpoint, query);
      const { pool, orderBy, sortOrder, page, pageSize } = query;
      const parameters = { order_by: orderBy, sort_order: sortOrder, page, limit: pageSize };
      return call({ endpoint, path: poolPath(pool, 'top-lpers'), query: parameters, ...options }, (body, reading) => {
        const data = dataOf(body, endpoint);
        const { list, path } = pageOf(data, endpoint, ['data', 'lpers']);
        const items = readPoolLpers(list, path, reading);
        const pagination = readPagination(body, data, reading, { ...pagingOf(query), received: list.length });
        return { items, ...pagination, warnings: reading.warnings.all() };
      });
    },
  };
}

/** `undefined` for an endpoint that the service does not have (404). */
async function unlessNotFound<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'notFound') {
      return undefined;
    }
    throw error;
  }
}

/** The parameters of discover by their wire names. */
function discoverParameters(query: DiscoverQuery): Record<string, string | number | undefined> {
  const search = query.search?.trim();
  return {
    chain: query.chain,
    sortBy: query.sortBy,
    sortOrder: query.sortOrder,
    page: query.page,
    pageSize: query.pageSize,
    feeTVLInterval: query.feeTvlInterval,
    quote_token: query.quoteToken,
    ...between('market_cap', query.marketCapUsd),
    ...between('bin_step', query.binStepBps),
    ...between('organic_score', query.organicScore),
    ...between('base_fee', query.baseFeePercent),
    ...between('age_hr', query.ageHours),
    ...between('liquidity', query.liquidityUsd),
    ...between('24h_fees', query.fees24hUsd),
    ...between('24h_vol', query.volume24hUsd),
    ...between('1h_vol', query.volume1hUsd),
    type: query.poolType === undefined || query.poolType === 'all' ? query.poolType : PROTOCOL_OF[query.poolType],
    search: search === '' ? undefined : search,
  };
}

function between(name: string, bounds: Bounds | undefined): Record<string, number | undefined> {
  return { [`min_${name}`]: bounds?.min, [`max_${name}`]: bounds?.max };
}

/** Fills in the active bin and token prices, which the answer has once for all positions. */
function withPoolFigures(position: OpenPosition, { activeBin, prices }: Readonly<Record<string, unknown>>): OpenPosition {
  const priceOf = (token: Address | undefined): number | undefined =>
    token !== undefined && hasFields(prices) ? parseNumber(prices[token]) : undefined;
  const binId = hasFields(activeBin) ? parseNumber(activeBin.binId) : undefined;
  return {
    ...position,
    activeBinId: position.activeBinId ?? (Number.isSafeInteger(binId) ? binId : undefined),
    price0Usd: position.price0Usd ?? priceOf(position.token0.address),
    price1Usd: position.price1Usd ?? priceOf(position.token1.address),
  };
}

function pagingOf({ page, pageSize }: { readonly page?: number; readonly pageSize?: number }): {
  readonly page: number | undefined;
  readonly pageSize: number | undefined;
} {
  return { page, pageSize };
}

function poolPath(pool: Address, what: string): string {
  return `/pools/${encodeURIComponent(pool)}/${what}`;
}
