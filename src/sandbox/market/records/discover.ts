import { createHash } from 'node:crypto';
import * as z from 'zod';
import { HOUR_MS } from '../../../base/time';
import type { DiscoverBound, DiscoverParameters } from '../../../engine/engine';
import { pageCount } from '../../../engine/records/lists';
import { CHAIN_NAME, isoDate } from '../../../engine/records/text';
import type { WithoutNulls } from '../../../engine/wire/known';
import type { WireDiscovered, WirePool, WireTokenStats } from '../../../engine/wire/pools';
import type { Interval } from '../../../service/pools';
import type { PoolSort } from '../../../service/service';
import type { SqlValue } from '../../../engine/store/sqliteStore';
import { putMeta, readMeta } from '../../store/meta';
import type { Market, MarketPool, PoolToken } from '../types';
import { binStepOf, contentsOf, feeTvlRatio, poolsOf, poolsWith, priceChange, tokenStats, tradedIn } from './poolFigures';
import { percentOf, poolTypeNamed, type RecordContext, CountRow } from './recordContext';

/** The row of `meta` with the fingerprint of the list's input. */
const META_KEY = 'pool_listing';

const COLUMNS = [
  'pool',
  'type',
  'token_x',
  'token_y',
  'search',
  'created_at',
  'market_cap',
  'tvl',
  'bin_step',
  'organic_score',
  'base_fee',
  'volatility',
  'vol_1h',
  'vol_24h',
  'fees_24h',
  'fee_tvl_5m',
  'fee_tvl_1h',
  'fee_tvl_6h',
  'fee_tvl_24h',
] as const;
const INSERT = `INSERT INTO pool_listing (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`;

/** Updates the table `pool_listing` if the market has changed since. */
function refreshListing({ database, market }: RecordContext): void {
  const basis = basisOf(market);
  if (readMeta(database, META_KEY, z.string()) === basis) {
    return;
  }
  database.transaction(() => {
    database.run('DELETE FROM pool_listing');
    poolsOf(market).forEach((pool) => {
      const row = listed(market, pool);
      database.run(INSERT, ...COLUMNS.map((column) => row[column]));
    });
    putMeta(database, META_KEY, basis);
  });
}

/** Fingerprint of everything that the list depends on: time, prices and liquidity. */
function basisOf(market: Market): string {
  const parts = market.pools.map((pool) => `${pool.liquidity.x} ${pool.liquidity.y} ${market.usd(pool.tokenX)} ${market.usd(pool.tokenY)}`);
  return createHash('sha256')
    .update([String(market.now), ...parts].join('\n'))
    .digest('hex');
}

function listed(market: Market, pool: MarketPool): Readonly<Record<(typeof COLUMNS)[number], SqlValue>> {
  const { tokenX, tokenY } = pool;
  const day = tradedIn(market, pool, '24h');
  return {
    pool: pool.address,
    type: pool.type,
    token_x: tokenX.mint,
    token_y: tokenY.mint,
    search: searchText(pool),
    created_at: pool.createdAt,
    market_cap: tokenX.spec.circulating * market.usd(tokenX),
    tvl: contentsOf(market, pool).usd,
    bin_step: binStepOf(pool),
    organic_score: tokenX.spec.organicScore,
    base_fee: percentOf(pool.feeRates(market.now).base),
    volatility: market.volatilityOf(tokenX),
    vol_1h: tradedIn(market, pool, '1h').volumeUsd,
    vol_24h: day.volumeUsd,
    fees_24h: day.feeUsd,
    fee_tvl_5m: feeTvlRatio(market, pool, '5m'),
    fee_tvl_1h: feeTvlRatio(market, pool, '1h'),
    fee_tvl_6h: feeTvlRatio(market, pool, '6h'),
    fee_tvl_24h: feeTvlRatio(market, pool, '24h'),
  };
}

/** Searchable names in lower case, one per line; the pair also in the notations of other services. */
function searchText({ pairName, tokenX, tokenY }: MarketPool): string {
  const names = [
    pairName,
    pairName.replace('/', '-'),
    pairName.replace('/', ' '),
    tokenX.spec.symbol,
    tokenX.spec.name,
    tokenY.spec.symbol,
    tokenY.spec.name,
  ];
  return names.join('\n').toLowerCase();
}

/** Columns of bounds; `age_hr` bounds the creation time. */
const BOUNDED = {
  market_cap: 'market_cap',
  bin_step: 'bin_step',
  organic_score: 'organic_score',
  base_fee: 'base_fee',
  age_hr: 'created_at',
  liquidity: 'tvl',
  '24h_fees': 'fees_24h',
  '24h_vol': 'vol_24h',
  '1h_vol': 'vol_1h',
} as const satisfies Readonly<Record<DiscoverBound, string>>;

const SORTED = {
  mcap: 'market_cap',
  created_at: 'created_at',
  vol_24h: 'vol_24h',
  tvl: 'tvl',
  volatility: 'volatility',
} as const satisfies Readonly<Record<Exclude<PoolSort, 'fee_tvl_ratio'>, string>>;
const RATIOS = { '5m': 'fee_tvl_5m', '1h': 'fee_tvl_1h', '6h': 'fee_tvl_6h', '24h': 'fee_tvl_24h' } as const satisfies Readonly<
  Record<Interval, string>
>;

/**
 * Parameters: type (1), quote token (2), name (3), address (4), then lower and upper limit of each bound. All filters share one text,
 * because statements are cached. A unary plus keeps SQLite from using any index but that of `ordered` (sqlite.org, query planner).
 */
const fitting = (ordered: string): string =>
  'FROM pool_listing WHERE (?1 IS NULL OR type = ?1) AND (?2 IS NULL OR token_y = ?2) AND (instr(search, ?3) > 0 OR ?4 IN (pool, token_x, token_y))' +
  Object.values(BOUNDED)
    .map((column, index) => ` AND ${column === ordered ? '' : '+'}${column} BETWEEN ?${5 + 2 * index} AND ?${6 + 2 * index}`)
    .join('');
const COUNT = `SELECT count(*) AS count ${fitting('tvl')}`;

const PoolRow = z.object({ pool: z.string() }).transform(({ pool }) => pool);

/**
 * One page of the pools that match the filters. The default order is descending (the largest or the newest first); ties are ordered
 * by address in the same direction.
 */
export function discoverRecords(context: RecordContext, parameters: DiscoverParameters): WithoutNulls<WireDiscovered> {
  const { database, market } = context;
  const { chain, protocol, page, pageSize } = parameters;
  const type = protocol === undefined ? null : poolTypeNamed(context, protocol);
  if (chain.toUpperCase() !== CHAIN_NAME || type === undefined) {
    return discovered([], 0, parameters);
  }
  refreshListing(context);
  const search = parameters.search?.trim() ?? '';
  const which = [type, parameters.quoteToken ?? null, search.toLowerCase(), search, ...boundValues(parameters, market.now)] as const;
  const totalCount = database.get(CountRow, COUNT, ...which) ?? 0;
  const pools = database
    .all(PoolRow, poolPageSql(parameters), ...which, pageSize, (page - 1) * pageSize)
    .flatMap((address) => market.poolAt(address) ?? []);
  return discovered(poolRecords(context, pools, parameters.feeTvlInterval), totalCount, parameters);
}

/** Statement for one page: parameters of {@link fitting}, limit, offset. */
export function poolPageSql({
  sortBy,
  sortOrder,
  feeTvlInterval,
}: Pick<DiscoverParameters, 'sortBy' | 'sortOrder' | 'feeTvlInterval'>): string {
  const column = sortBy === 'fee_tvl_ratio' ? RATIOS[feeTvlInterval] : SORTED[sortBy];
  const last = 4 + 2 * Object.keys(BOUNDED).length;
  return `SELECT pool ${fitting(column)} ORDER BY ${column} ${sortOrder}, pool ${sortOrder} LIMIT ?${last + 1} OFFSET ?${last + 2}`;
}

function discovered(
  data: readonly WithoutNulls<WirePool>[],
  totalCount: number,
  { page, pageSize }: DiscoverParameters,
): WithoutNulls<WireDiscovered> {
  const totalPages = pageCount(totalCount, pageSize);
  return {
    data,
    pagination: { currentPage: page, pageSize, totalCount, totalPages, hasNextPage: page < totalPages, hasPreviousPage: page > 1 },
  };
}

/** Lower and upper limit of each column of {@link BOUNDED}, in its order. Ages become creation times, which swaps the limits. */
function boundValues({ bounds }: DiscoverParameters, now: number): readonly number[] {
  return (Object.keys(BOUNDED) as DiscoverBound[]).flatMap((name) => {
    const bound = bounds.find(({ of }) => of === name);
    const least = bound?.min ?? -Number.MAX_VALUE;
    const most = bound?.max ?? Number.MAX_VALUE;
    return name === 'age_hr' ? [now - most * HOUR_MS, now - least * HOUR_MS] : [least, most];
  });
}

function poolRecords(context: RecordContext, pools: readonly MarketPool[], interval: Interval): readonly WithoutNulls<WirePool>[] {
  const known = new Map<string, WithoutNulls<WireTokenStats>>();
  const statsOf = (token: PoolToken): WithoutNulls<WireTokenStats> => {
    const stats = known.get(token.mint) ?? tokenStats(context.market, token);
    known.set(token.mint, stats);
    return stats;
  };
  return pools.map((pool) => poolRecord(context, pool, interval, statsOf));
}

function poolRecord(
  { market, protocols }: RecordContext,
  pool: MarketPool,
  interval: Interval,
  statsOf: (token: PoolToken) => WithoutNulls<WireTokenStats>,
): WithoutNulls<WirePool> {
  const { tokenX, tokenY } = pool;
  const contents = contentsOf(market, pool);
  const usdX = market.usd(tokenX);
  return {
    pool: pool.address,
    protocol: protocols[pool.type],
    chain: CHAIN_NAME,
    token0: tokenX.mint,
    token1: tokenY.mint,
    tvl: contents.usd,
    fee: percentOf(pool.feeRates(market.now).base),
    vol_5m: tradedIn(market, pool, '5m').volumeUsd,
    vol_1h: tradedIn(market, pool, '1h').volumeUsd,
    vol_6h: tradedIn(market, pool, '6h').volumeUsd,
    vol_24h: tradedIn(market, pool, '24h').volumeUsd,
    base_price: usdX,
    quote_price: market.usd(tokenY),
    mcap: tokenX.spec.circulating * usdX,
    usd_price: usdX,
    fdv: tokenX.spec.supply * usdX,
    organic_score: tokenX.spec.organicScore,
    top_holder: tokenX.spec.topHolderPercent,
    price_5m_change: priceChange(market, pool, '5m'),
    price_1h_change: priceChange(market, pool, '1h'),
    price_6h_change: priceChange(market, pool, '6h'),
    price_24h_change: priceChange(market, pool, '24h'),
    bin_step: binStepOf(pool),
    liquidity_token0: contents.x,
    liquidity_token1: contents.y,
    mint_freeze: tokenX.spec.mintOrFreeze,
    created_at: isoDate(pool.createdAt),
    updated_at: isoDate(market.now),
    first_pool_created_at: isoDate(Math.min(...poolsWith(market, tokenX).map((other) => other.createdAt))),
    token0_symbol: tokenX.spec.symbol,
    token0_name: tokenX.spec.name,
    token1_symbol: tokenY.spec.symbol,
    token1_name: tokenY.spec.name,
    token0_decimals: tokenX.spec.decimals,
    token1_decimals: tokenY.spec.decimals,
    token0_stats: statsOf(tokenX),
    token1_stats: statsOf(tokenY),
    fee_tvl_ratio: feeTvlRatio(market, pool, interval),
    pairName: pool.pairName,
  };
}
