/** The lengths of candles. */
export const CANDLE_TIMEFRAMES = ['5m', '30m', '1h', '4h', '24h'] as const;
/** One of {@link CANDLE_TIMEFRAMES}. */
export type CandleTimeframe = (typeof CANDLE_TIMEFRAMES)[number];

/** Prices in one interval: whole token1 for one whole token0. */
export interface WireCandle {
  /** Start of the interval, seconds since 1970. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** US dollars. Null: not known. */
  readonly volume: number | null;
}

/** The answer to candles: oldest first; intervals of which nothing is known are missing. */
export interface WireCandles {
  readonly timeframe: CandleTimeframe;
  readonly candles: readonly WireCandle[];
}
