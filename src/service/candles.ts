import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../base/time';
import { decimal, integer, needed, wireRecord } from './parsing/fields';
import { type ParseContext, readRecords } from './parsing/records';

/** The lengths of candles, shortest first, in milliseconds. */
const LENGTHS = [
  ['5m', 5 * MINUTE_MS],
  ['30m', 30 * MINUTE_MS],
  ['1h', HOUR_MS],
  ['4h', 4 * HOUR_MS],
  ['24h', DAY_MS],
] as const;
export type CandleLength = (typeof LENGTHS)[number][0];

/** Milliseconds. */
export const CANDLE_MS = Object.fromEntries(LENGTHS) as Readonly<Record<CandleLength, number>>;

/** Prices of a pool in one interval: whole token Y for one whole token X. */
export interface PoolCandle {
  /** Start and end, milliseconds since 1970. The newest one may end in the future. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volumeUsd: number | undefined;
}

/** Candles that start in a span of time; both ends are inclusive, seconds since 1970. */
export interface CandlesSpan {
  readonly length: CandleLength;
  readonly fromS: number;
  readonly toS: number;
}

const candleRecord = wireRecord({
  time: needed(integer),
  open: needed(decimal),
  high: needed(decimal),
  low: needed(decimal),
  close: needed(decimal),
  volume: decimal,
});

/** Candles up to now of the shortest length of which so many are enough; the oldest are left out where even a day each is too short. */
const MOST_CANDLES = 300;

/** The candles since a time. @param sinceMs milliseconds since 1970 */
export function candlesSince(sinceMs: number, nowMs: number): CandlesSpan {
  const [length, ms] = LENGTHS.find(([, each]) => (nowMs - sinceMs) / each <= MOST_CANDLES) ?? (['24h', DAY_MS] as const);
  const fromMs = Math.max(sinceMs, nowMs - MOST_CANDLES * ms);
  return { length, fromS: Math.floor(fromMs / SECOND_MS), toS: Math.floor(nowMs / SECOND_MS) };
}

/** The last price of each candle, at its end; the newest candle may not have ended. */
export function closingPrices(candles: readonly PoolCandle[], nowMs: number): readonly { readonly atMs: number; readonly price: number }[] {
  return candles.map(({ toMs, close }) => ({ atMs: Math.min(toMs, nowMs), price: close }));
}

/**
 * Reads candles, ascending by time. What is outside the span, has no positive prices or contradicts itself is left out; of two with one time the
 * later one counts.
 */
export function readCandles(
  list: readonly unknown[],
  path: string,
  reading: ParseContext,
  { length, fromS, toS }: CandlesSpan,
): readonly PoolCandle[] {
  const lengthMs = CANDLE_MS[length];
  const read = readRecords(candleRecord, list, path, reading, ({ time, volume, ...prices }): PoolCandle => ({
    fromMs: time * SECOND_MS,
    toMs: time * SECOND_MS + lengthMs,
    ...prices,
    volumeUsd: volume,
  }));
  const sound = read.filter(
    ({ fromMs, open, high, low, close }) =>
      fromMs >= fromS * SECOND_MS && fromMs <= toS * SECOND_MS && low > 0 && low <= Math.min(open, close) && high >= Math.max(open, close),
  );
  return [...new Map(sound.map((candle) => [candle.fromMs, candle])).values()].sort((one, other) => one.fromMs - other.fromMs);
}
