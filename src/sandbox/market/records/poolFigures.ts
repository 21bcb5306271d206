import type { Interval } from '../../../api/records/pool';
import { othersAmounts, othersRange } from '../background';
import type { Market } from '../market';
import { wholeTokens, type Pool, type PoolToken } from '../pool';
import { amountsOf } from '../position';
import { priceAgo, turnoverBefore, turnoverOf, type Turnover } from '../series';
import type { WireTokenStats, WireVolumeStats } from '../../wire/pools';
import { DAY, HOUR, MINUTE } from '../spans';
import { ratio } from './common';

/** Lengths of the spans over which the service sums up. */
const SPANS: Readonly<Record<Interval, number>> = { '5m': 5 * MINUTE, '1h': HOUR, '6h': 6 * HOUR, '24h': DAY };

/** What is in a pool: whole tokens, other people's and that of the positions kept books of. */
export interface Contents {
  readonly x: number;
  readonly y: number;
  readonly usd: number;
}

/** Counts a pool's money. */
export function contentsOf(market: Market, pool: Pool): Contents {
  const usdY = market.usd(pool.tokenY);
  const { from, to } = othersRange(pool);
  let rawX = 0;
  let rawY = 0;
  for (let binId = from; binId <= to; binId += 1) {
    const others = othersAmounts(pool, binId, usdY);
    rawX += others.x;
    rawY += others.y;
  }
  let x = rawX / 10 ** pool.tokenX.spec.decimals;
  let y = rawY / 10 ** pool.tokenY.spec.decimals;
  for (const position of openIn(market, pool)) {
    const amounts = amountsOf(pool, position);
    x += wholeTokens(amounts.x, pool.tokenX);
    y += wholeTokens(amounts.y, pool.tokenY);
  }
  return { x, y, usd: x * market.usd(pool.tokenX) + y * usdY };
}

/** The open positions in a pool. */
export function openIn(market: Market, pool: Pool): Market['positions'] {
  return market.positions.filter((position) => position.pool === pool.address && position.closed === null);
}

/** What a pool has traded and earned in a span that ends now. */
export function tradedIn(market: Market, pool: Pool, interval: Interval): Turnover {
  return turnoverOf(pool.state.series, market.now, SPANS[interval]);
}

/** How much the price of token X has changed over a span, percent. */
export function priceChange(market: Market, pool: Pool, interval: Interval): number {
  const before = priceAgo(pool.state.series, market.now, SPANS[interval]);
  return before === undefined ? 0 : 100 * (market.usd(pool.tokenX) / before - 1);
}

/** The trade of a token in all its pools, and its holders. */
export function tokenStats(market: Market, token: PoolToken): WireTokenStats {
  const pools = market.pools.filter(({ tokenX, tokenY }) => tokenX.mint === token.mint || tokenY.mint === token.mint);
  const stats = (interval: Interval): WireVolumeStats => {
    const volume = pools.reduce((sum, pool) => sum + tradedIn(market, pool, interval).volumeUsd, 0);
    const before = pools.reduce((sum, pool) => sum + turnoverBefore(pool.state.series, market.now, SPANS[interval]).volumeUsd, 0);
    return { volume, volume_change: 100 * ratio(volume - before, before) };
  };
  return { volume: { stats1h: stats('1h'), stats6h: stats('6h'), stats24h: stats('24h') }, holders: token.spec.holders };
}

/** Percent, of a rate over 1e9. */
export function percentOf(numerator: bigint): number {
  return Number(numerator) / 1e7;
}
