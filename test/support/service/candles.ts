import type { CandlesSpan, PoolCandle } from '../../../src/service/candles';

const HALF_HOUR_S = 1_800;

/** Half hours in which the price rises and falls by 1% in turn; no other candles. */
export function swingingCandles({ length, fromS, toS }: CandlesSpan): readonly PoolCandle[] {
  const count = length === '30m' ? Math.floor((toS - fromS) / HALF_HOUR_S) : 0;
  return Array.from({ length: count }, (_, place) => {
    const [open, close] = place % 2 === 0 ? [1, 1.01] : [1.01, 1];
    const fromMs = (fromS + place * HALF_HOUR_S) * 1_000;
    return { fromMs, toMs: fromMs + HALF_HOUR_S * 1_000, open, close, low: 1, high: 1.01, volumeUsd: undefined };
  });
}
