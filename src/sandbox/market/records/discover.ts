import type { PoolSort } from '../../../api/service';
import type { DiscoverBound, DiscoverParameters } from '../../engine';
import type { WireDiscovered, WirePool } from '../../wire/pools';
import type { Market } from '../market';
import type { Pool } from '../pool';
import { HOUR } from '../spans';
import { CHAIN_NAME, isoDate, pageOf, PROTOCOL, ratio } from './common';
import { contentsOf, percentOf, priceChange, tokenStats, tradedIn } from './poolFigures';

/** The pools that fit the filters, in order, one page of them. */
export function discoverRecords(market: Market, parameters: DiscoverParameters): WireDiscovered {
  const { page, pageSize } = parameters;
  const candidates = market.pools
    .filter((pool) => pool.createdAt <= market.now && fits(pool, parameters))
    .map((pool) => ({ pool, record: poolRecord(market, pool, parameters) }))
    .filter(({ record }) => parameters.bounds.every(({ of, least, most }) => isBetween(bounded(market, record, of), least, most)));
  const direction = parameters.sortOrder === 'asc' ? 1 : -1;
  const sorted = candidates.sort((a, b) => direction * (rank(market, a, parameters.sortBy) - rank(market, b, parameters.sortBy))).map(({ record }) => record);
  const { items, totalPages } = pageOf(sorted, page, pageSize);
  return {
    data: items,
    pagination: { currentPage: page, pageSize, totalCount: sorted.length, totalPages, hasNextPage: page < totalPages, hasPreviousPage: page > 1 },
  };
}

function fits(pool: Pool, { chain, protocol, quoteToken, search }: DiscoverParameters): boolean {
  const { tokenX, tokenY } = pool;
  const wanted = search?.trim().toLowerCase() ?? '';
  const names = [pool.pairName, tokenX.spec.symbol, tokenX.spec.name, tokenY.spec.symbol, tokenY.spec.name];
  return (
    chain.toUpperCase() === CHAIN_NAME &&
    (protocol === undefined || protocol === PROTOCOL) &&
    (quoteToken === undefined || tokenY.mint === quoteToken) &&
    (names.some((name) => name.toLowerCase().includes(wanted)) || [tokenX.mint, tokenY.mint, pool.address].some((address) => address === search?.trim()))
  );
}

function poolRecord(market: Market, pool: Pool, { feeTvlInterval }: DiscoverParameters): WirePool {
  const { tokenX, tokenY, spec } = pool;
  const contents = contentsOf(market, pool);
  const usdX = market.usd(tokenX);
  const createdAt = isoDate(pool.createdAt);
  return {
    pool: pool.address,
    protocol: PROTOCOL,
    chain: CHAIN_NAME,
    token0: tokenX.mint,
    token1: tokenY.mint,
    tvl: contents.usd,
    fee: percentOf(pool.feeRates().base),
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
    bin_step: spec.binStepBps,
    liquidity_token0: contents.x,
    liquidity_token1: contents.y,
    mint_freeze: tokenX.spec.mintOrFreeze,
    created_at: createdAt,
    updated_at: isoDate(market.now),
    first_pool_created_at: createdAt,
    token0_symbol: tokenX.spec.symbol,
    token0_name: tokenX.spec.name,
    token1_symbol: tokenY.spec.symbol,
    token1_name: tokenY.spec.name,
    token0_decimals: tokenX.spec.decimals,
    token1_decimals: tokenY.spec.decimals,
    token0_stats: tokenStats(market, tokenX),
    token1_stats: tokenStats(market, tokenY),
    fee_tvl_ratio: ratio(tradedIn(market, pool, feeTvlInterval).feeUsd, contents.usd),
    pairName: pool.pairName,
  };
}

function rank(market: Market, { pool, record }: { readonly pool: Pool; readonly record: WirePool }, by: PoolSort): number {
  switch (by) {
    case 'created_at':
      return pool.createdAt;
    case 'volatility':
      return market.volatilityOf(pool.tokenX);
    default:
      return record[by];
  }
}

function bounded(market: Market, record: WirePool, of: DiscoverBound): number {
  switch (of) {
    case 'market_cap':
      return record.mcap;
    case 'bin_step':
      return record.bin_step;
    case 'organic_score':
      return record.organic_score;
    case 'base_fee':
      return record.fee;
    case 'age_hr':
      return (market.now - Date.parse(record.created_at)) / HOUR;
    case 'liquidity':
      return record.tvl;
    case '24h_fees':
      return (record.vol_24h * record.fee) / 100;
    case '24h_vol':
      return record.vol_24h;
    case '1h_vol':
      return record.vol_1h;
  }
}

function isBetween(value: number, least: number | undefined, most: number | undefined): boolean {
  return (least === undefined || value >= least) && (most === undefined || value <= most);
}
