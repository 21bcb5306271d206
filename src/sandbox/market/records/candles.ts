import { SECOND_MS } from '../../../base/time';
import type { CandlesParameters } from '../../../engine/engine';
import type { WireCandle } from '../../../engine/wire/candles';
import { CANDLE_SECONDS } from '../../../engine/records/candles';
import type { Market, MarketPool } from '../types';

/**
 * Candles from the prices that the market recorded at the first trade of each minute of the last hour, ten minutes of the last day, and hour of
 * the last eight days. An interval closes at the price of a trade soon after the last one in it, or else at that one's own.
 */
export function recordedCandles(
  market: Pick<Market, 'now' | 'pools' | 'turnoverOf' | 'usd'>,
  pool: MarketPool,
  { timeframe, fromS, toS }: Omit<CandlesParameters, 'pool'>,
): readonly WireCandle[] {
  const lengthMs = CANDLE_SECONDS[timeframe] * SECOND_MS;
  const usdY = quoteAt(market, pool);
  const points = market
    .turnoverOf(pool)
    .recorded(lengthMs)
    .map(({ startsAt, priceUsd, volumeUsd }) => ({ atMs: startsAt, price: priceUsd / usdY(startsAt), volumeUsd }));
  const present = { atMs: market.now, price: market.usd(pool.tokenX) / market.usd(pool.tokenY) };
  const candles = new Map<number, WireCandle>();
  points.forEach(({ atMs, price, volumeUsd }, place) => {
    const time = (Math.floor(atMs / lengthMs) * lengthMs) / SECOND_MS;
    const next = points[place + 1] ?? present;
    const close = next.atMs - atMs <= lengthMs ? next.price : price;
    const before = candles.get(time);
    candles.set(time, {
      time,
      open: before?.open ?? price,
      high: Math.max(before?.high ?? price, price, close),
      low: Math.min(before?.low ?? price, price, close),
      close,
      volume: (before?.volume ?? 0) + volumeUsd,
    });
  });
  return [...candles.values()].filter(({ time }) => time >= fromS && time <= toS);
}

/** US dollars for one whole Y at a time: from the first pool that trades it for something else; a token without one is pegged to the dollar. */
function quoteAt(market: Pick<Market, 'now' | 'pools' | 'turnoverOf' | 'usd'>, { tokenY }: MarketPool): (atMs: number) => number {
  const trading = market.pools.find(({ tokenX }) => tokenX.mint === tokenY.mint);
  const book = trading === undefined ? undefined : market.turnoverOf(trading);
  return (atMs) => book?.priceAgo(market.now, market.now - atMs) ?? market.usd(tokenY);
}
