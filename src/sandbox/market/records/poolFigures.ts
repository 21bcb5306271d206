import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/time';
import { ratio } from '../../../engine/records/figures';
import type { BinPriceScale } from '../../../engine/records/binRecords';
import type { WithoutNulls } from '../../../engine/wire/known';
import type { WireTokenStats, WireVolumeStats } from '../../../engine/wire/pools';
import type { Interval } from '../../../service/pools';
import type { BinPool, Market, MarketPool, PoolToken, VolumeAndFees } from '../types';
import { wholeTokens } from '../units';
import {} from './recordContext';

/** Lengths of the service's intervals, milliseconds. */
const SPANS: Readonly<Record<Interval, number>> = { '5m': 5 * MINUTE_MS, '1h': HOUR_MS, '6h': 6 * HOUR_MS, '24h': DAY_MS };

/** Liquidity of a pool: whole tokens, and their value in US dollars. */
export interface PoolContents {
  readonly x: number;
  readonly y: number;
  readonly usd: number;
}

/** Liquidity of all positions in a pool, without uncollected fees. */
export function contentsOf(market: Market, pool: MarketPool): PoolContents {
  const { liquidity, tokenX, tokenY } = pool;
  return { x: wholeTokens(liquidity.x, tokenX), y: wholeTokens(liquidity.y, tokenY), usd: market.books.worthOf(pool, liquidity).usd };
}

/** Volume and fees of a pool in an interval that ends now. */
export function tradedIn(market: Market, pool: MarketPool, interval: Interval): VolumeAndFees {
  return market.turnoverOf(pool).within(market.now, SPANS[interval]);
}

/** Fees of an interval divided by the liquidity: a fraction. */
export function feeTvlRatio(market: Market, pool: MarketPool, interval: Interval): number {
  return ratio(tradedIn(market, pool, interval).feeUsd, contentsOf(market, pool).usd);
}

/** Price change of token X over an interval, percent. */
export function priceChange(market: Market, pool: MarketPool, interval: Interval): number {
  const before = market.turnoverOf(pool).priceAgo(market.now, SPANS[interval]);
  return before === undefined ? 0 : 100 * (market.usd(pool.tokenX) / before - 1);
}

/** The pools that exist at the market's time. */
export function poolsOf(market: Market): readonly MarketPool[] {
  return market.pools.filter((pool) => pool.createdAt <= market.now);
}

/** Existing pools that trade a token. */
export function poolsWith(market: Market, { mint }: PoolToken): readonly MarketPool[] {
  return poolsOf(market).filter(({ tokenX, tokenY }) => tokenX.mint === mint || tokenY.mint === mint);
}

/** Volume of a token in all its pools, and its holders. */
export function tokenStats(market: Market, token: PoolToken): WithoutNulls<WireTokenStats> {
  const books = poolsWith(market, token).map((pool) => market.turnoverOf(pool));
  const stats = (interval: Interval): WithoutNulls<WireVolumeStats> => {
    const volume = books.reduce((sum, book) => sum + book.within(market.now, SPANS[interval]).volumeUsd, 0);
    const before = books.reduce((sum, book) => sum + book.before(market.now, SPANS[interval]).volumeUsd, 0);
    return { volume, volume_change: 100 * ratio(volume - before, before) };
  };
  return { volume: { stats1h: stats('1h'), stats6h: stats('6h'), stats24h: stats('24h') }, holders: token.spec.holders };
}

/** Bin step in basis points; 0 in pools without bins. */
export function binStepOf(pool: MarketPool): number {
  return pool.type === 'bins' ? pool.spec.binStepBps : 0;
}

/** What the prices of the pool's bins depend on. */
export function scaleOf({ spec, tokenX, tokenY }: BinPool): BinPriceScale {
  return { binStepBps: spec.binStepBps, token0: tokenX.spec, token1: tokenY.spec };
}
