import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { SqlValue } from '../../store/database';
import { putMeta, readMeta } from '../../store/meta';
import type { Market, Pool } from '../types';
import { percentOf } from './common';
import { binStepOf, contentsOf, feeTvlRatio, poolsOf, tradedIn } from './poolFigures';
import type { RecordContext } from './reading';

/** The row of `meta` that says what the list was computed from. */
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

/** Brings the table `pool_listing` up to the market's present; does nothing where it is there already. */
export function refreshListing({ database, market }: RecordContext): void {
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

/** What figures depend on: the time, prices and what lies in the pools. */
function basisOf(market: Market): string {
  const parts = market.pools.map((pool) => `${pool.liquidity.x} ${pool.liquidity.y} ${market.usd(pool.tokenX)} ${market.usd(pool.tokenY)}`);
  return createHash('sha256')
    .update([String(market.now), ...parts].join('\n'))
    .digest('hex');
}

function listed(market: Market, pool: Pool): Readonly<Record<(typeof COLUMNS)[number], SqlValue>> {
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

/** Names in lower case, one a line; the pair also as other services write it. */
function searchText({ pairName, tokenX, tokenY }: Pool): string {
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
