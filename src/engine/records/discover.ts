import { HOUR_MS } from '../../base/time';
import type { DiscoverBound, DiscoverParameters, ProtocolNames } from '../engine';
import type { WireDiscovered } from '../wire/pools';
import { type KnownOrNull, mapped } from '../state/figures';
import { inOrder, onPage, pageCount } from './lists';
import { poolRecord } from '../wire/poolRecord';
import type { ListedPoolState } from '../state/poolState';
import { CHAIN_NAME } from '../wire/text';

/** Whether there can be pools of that chain and protocol. */
export function hasPools({ chain, protocol }: Pick<DiscoverParameters, 'chain' | 'protocol'>, { bins, product }: ProtocolNames): boolean {
  return isChain(chain) && (protocol === undefined || protocol === bins || protocol === product);
}

/** The pools of a chain, a protocol and a quote token that a search finds: by its text in their names, or by an address. */
export function matchingPools(
  pools: readonly ListedPoolState[],
  { chain, protocol, quoteToken, search }: Pick<DiscoverParameters, 'chain' | 'protocol' | 'quoteToken' | 'search'>,
): readonly ListedPoolState[] {
  const text = search?.trim() ?? '';
  return pools.filter(
    (pool) =>
      isChain(chain) &&
      (protocol === undefined || pool.protocol === protocol) &&
      (quoteToken === undefined || pool.token1.mint === quoteToken) &&
      (searchText(pool).includes(text.toLowerCase()) || [pool.address, pool.token0.mint, pool.token1.mint].includes(text)),
  );
}

/**
 * One page of the pools within the bounds. Pools whose figure is unknown come last in its order and match no bound of it. Ties are ordered by
 * address, in the same direction.
 * @param now milliseconds since 1970
 */
export function discoveredRecord(pools: readonly ListedPoolState[], parameters: DiscoverParameters, now: number): WireDiscovered {
  const sorted = orderedPools(pools, parameters, now);
  return discoveredPage(onPage(sorted, parameters), sorted.length, parameters);
}

/** The pools within the bounds, in their order. @param now milliseconds since 1970 */
export function orderedPools(pools: readonly ListedPoolState[], parameters: DiscoverParameters, now: number): readonly ListedPoolState[] {
  const { bounds, sortBy, sortOrder, feeTvlInterval } = parameters;
  const fitting = pools.filter((pool) => bounds.every(({ of, min, max }) => isWithin(BOUNDED[of](pool, now), min, max)));
  const figureOf = (pool: ListedPoolState): KnownOrNull =>
    sortBy === 'fee_tvl_ratio' ? (pool.feesOverTvl[feeTvlInterval] ?? null) : SORTED[sortBy](pool);
  return inOrder(fitting, figureOf, sortOrder, (one, other) => (one.address < other.address ? -1 : 1));
}

/** A page that is filtered and ordered. @param totalCount of all pages */
export function discoveredPage(shown: readonly ListedPoolState[], totalCount: number, parameters: DiscoverParameters): WireDiscovered {
  const { page, pageSize, feeTvlInterval } = parameters;
  const totalPages = pageCount(totalCount, pageSize);
  return {
    data: shown.map((pool) => poolRecord(pool, feeTvlInterval)),
    pagination: { currentPage: page, pageSize, totalCount, totalPages, hasNextPage: page < totalPages, hasPreviousPage: page > 1 },
  };
}

const BOUNDED: Readonly<Record<DiscoverBound, (pool: ListedPoolState, now: number) => KnownOrNull>> = {
  market_cap: ({ token0 }) => token0.marketCapUsd ?? null,
  bin_step: ({ binStepBps }) => binStepBps ?? 0,
  organic_score: ({ token0 }) => token0.organicScore ?? null,
  base_fee: ({ baseFeePercent }) => baseFeePercent,
  age_hr: ({ createdAt }, now) => mapped(createdAt, (at) => (now - at) / HOUR_MS),
  liquidity: ({ tvlUsd }) => tvlUsd,
  '24h_fees': ({ feesUsd }) => feesUsd['24h'] ?? null,
  '24h_vol': ({ volumeUsd }) => volumeUsd['24h'] ?? null,
  '1h_vol': ({ volumeUsd }) => volumeUsd['1h'] ?? null,
};

const SORTED: Readonly<Record<Exclude<DiscoverParameters['sortBy'], 'fee_tvl_ratio'>, (pool: ListedPoolState) => KnownOrNull>> = {
  mcap: ({ token0 }) => token0.marketCapUsd ?? null,
  created_at: ({ createdAt }) => createdAt,
  vol_24h: ({ volumeUsd }) => volumeUsd['24h'] ?? null,
  tvl: ({ tvlUsd }) => tvlUsd,
  volatility: ({ volatility }) => volatility,
};

function isChain(name: string): boolean {
  return name.toUpperCase() === CHAIN_NAME;
}

function isWithin(figure: KnownOrNull, min: number | undefined, max: number | undefined): boolean {
  return (min === undefined && max === undefined) || (figure !== null && figure >= (min ?? -Infinity) && figure <= (max ?? Infinity));
}

/** Names in lower case, one per line, and the usual notations of the pair. */
function searchText({ pairName, token0, token1 }: ListedPoolState): string {
  const pairs = [pairName, pairName.replace('/', '-'), pairName.replace('/', ' ')];
  return [...pairs, token0.symbol, token0.name, token1.symbol, token1.name].join('\n').toLowerCase();
}
