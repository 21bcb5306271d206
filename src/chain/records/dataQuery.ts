import type { DiscoverBound, DiscoverParameters } from '../../engine/engine';
import type { DataPool } from '../dataApi/types';

/** A query for the data API. */
export interface DataQuery {
  readonly search: string | undefined;
  readonly sortBy: string;
  readonly filters: readonly string[];
  /** The API can do all of the requested order and filters; otherwise they have to be applied to its answer. */
  readonly isExact: boolean;
}

/** The names of bounds that the API can filter by. */
const FIELD_OF: Readonly<Partial<Record<DiscoverBound, string>>> = {
  liquidity: 'tvl',
  '24h_fees': 'fee_24h',
  '24h_vol': 'volume_24h',
  '1h_vol': 'volume_1h',
};
/** The order if the API does not have the requested one: then the most traded pools are the candidates. */
const FALLBACK_SORT = 'volume_24h:desc';
/** The API has no window of six hours; the order is that of the nearest one. */
const RATIO_WINDOW = { '5m': '5m', '1h': '1h', '6h': '4h', '24h': '24h' } as const;
/** Windows in its answers: none of five minutes. */
const ANSWERED_WINDOW = { ...RATIO_WINDOW, '5m': '30m' } as const;
const LONGEST_SEARCH = 100;

/** Translates the parameters of discover. @param isAddress the search is for a token or a pool: then warnings of the API do not hide it */
export function dataQuery(parameters: DiscoverParameters, isAddress: boolean): DataQuery {
  const { quoteToken, search, bounds } = parameters;
  const sortBy = sortOf(parameters);
  const filters = bounds.flatMap(({ of, min, max }) => {
    const field = FIELD_OF[of];
    return field === undefined ? [] : [...condition(field, '>=', min), ...condition(field, '<=', max)];
  });
  const isFiltered = bounds.every(
    ({ of, min, max }) => (min === undefined && max === undefined) || (FIELD_OF[of] !== undefined && isPlain(min) && isPlain(max)),
  );
  return {
    search: search === undefined || search.trim() === '' ? undefined : inNamesOfApi(search.trim()).slice(0, LONGEST_SEARCH),
    sortBy: sortBy ?? FALLBACK_SORT,
    filters: [...(isAddress ? [] : ['is_blacklisted=false']), ...(quoteToken === undefined ? [] : [`token_y=${quoteToken}`]), ...filters],
    isExact: isFiltered && sortBy !== undefined,
  };
}

/** The API calls the pair SOL/USDC "SOL-USDC". */
function inNamesOfApi(search: string): string {
  return search.replace(/\s*\/\s*/, '-');
}

function sortOf({ sortBy, sortOrder, feeTvlInterval }: DiscoverParameters): string | undefined {
  switch (sortBy) {
    case 'created_at':
      return `pool_created_at:${sortOrder}`;
    case 'vol_24h':
      return `volume_24h:${sortOrder}`;
    case 'tvl':
      return `tvl:${sortOrder}`;
    case 'fee_tvl_ratio':
      return `fee_tvl_ratio_${RATIO_WINDOW[feeTvlInterval]}:${sortOrder}`;
    case 'mcap':
    case 'volatility':
      return undefined;
  }
}

/**
 * The figure of an order that the API has, to put pools of two lists in this order: that of the nearest window where the answer does not have the
 * requested one.
 */
export function figureOf(pool: DataPool, { sortBy, feeTvlInterval }: DiscoverParameters): number | undefined {
  switch (sortBy) {
    case 'created_at':
      return pool.createdAtMs;
    case 'vol_24h':
      return pool.volumeUsd['24h'];
    case 'tvl':
      return pool.tvlUsd;
    case 'fee_tvl_ratio':
      return pool.feeTvlPercent[ANSWERED_WINDOW[feeTvlInterval]];
    case 'mcap':
    case 'volatility':
      return undefined;
  }
}

function condition(field: string, operator: '>=' | '<=', value: number | undefined): readonly string[] {
  return value === undefined || !isPlain(value) ? [] : [`${field}${operator}${value}`];
}

/** The API's conditions take digits only. */
function isPlain(value: number | undefined): boolean {
  return value === undefined || /^\d+(?:\.\d+)?$/.test(String(value));
}
