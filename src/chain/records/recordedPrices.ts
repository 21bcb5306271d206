import { priceOfBin } from '../../base/dlmm/bins';
import type { CounterReadings } from '../../engine/counters/readings';
import type { WireCandle } from '../../engine/wire/candles';
import type { HistoryIndex } from '../index/types';
import type { OnchainPool } from '../pools/types';
import { uiPriceOf } from './valuation';
import { pricesAtEvents, type TimedPrice } from './nearestPrices';

/** The part of a pool that its recorded prices depend on. */
export type RecordedPool = Pick<OnchainPool, 'address' | 'binStep' | 'rawPrice' | 'x' | 'y'>;

/** What prices were recorded in. */
export interface RecordedPriceOptions {
  readonly index: Pick<HistoryIndex, 'positions'>;
  readonly readings: Pick<CounterReadings, 'activeBins'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Candles of a span from prices that were recorded; both ends in seconds since 1970. */
export type RecordedCandles = (
  pool: RecordedPool,
  span: { readonly startS: number; readonly endS: number },
  lengthS: number,
) => readonly WireCandle[];

/**
 * Makes candles of pools without a data API: of the prices at events of known positions, of the active bins that were recorded, and of the present. What
 * happened between two of them, and how much was traded, is not known.
 */
export function recordedCandles({ index, readings, now }: RecordedPriceOptions): RecordedCandles {
  return (pool, { startS, endS }, lengthS) => {
    const { address, binStep, rawPrice } = pool;
    const atReadings =
      binStep === undefined
        ? []
        : readings
            .activeBins(address, { fromS: startS, toS: endS + lengthS })
            .map(({ timeS, activeBinId }): TimedPrice => ({ timeS, rawPrice: priceOfBin(activeBinId, binStep) }));
    const prices = [...pricesAtEvents(index, address), ...atReadings, { timeS: Math.floor(now() / 1_000), rawPrice }];
    const candles = new Map<number, WireCandle>();
    for (const point of prices.sort((one, other) => one.timeS - other.timeS)) {
      const time = Math.floor(point.timeS / lengthS) * lengthS;
      const price = uiPriceOf(pool, point.rawPrice);
      const before = candles.get(time);
      candles.set(time, {
        time,
        open: before?.open ?? price,
        high: Math.max(before?.high ?? price, price),
        low: Math.min(before?.low ?? price, price),
        close: price,
        volume: null,
      });
    }
    return [...candles.values()].filter(({ time, low }) => time >= startS && time <= endS && low > 0);
  };
}
