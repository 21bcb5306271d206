import { estimateVolatility, type VolatilityEstimate } from '../base/insight/volatility';
import type { Address } from '../base/solana/address';
import { DAY_MS, HOUR_S, SECOND_MS } from '../base/time';
import type { CandleLength, PoolCandle } from './candles';
import type { LiquidityService } from './service';

/** The volatility of a pool's price, per square root of a day, with the band in which it is expected; or why it is not known. */
export type PoolVolatility =
  | {
      readonly known: true;
      readonly sigmaPerDay: number;
      readonly low: number;
      readonly high: number;
      /** From few candles. */
      readonly isRough: boolean;
      readonly candles: number;
    }
  | { readonly known: false; readonly why: 'noCandles' | 'tooFewCandles' | 'noMovement' | 'contradicting' };

/** Candles of a week; of a pool too young for them, shorter ones of a day. */
const READS = [
  { length: '30m', intervalS: HOUR_S / 2, days: 7 },
  { length: '5m', intervalS: HOUR_S / 12, days: 1 },
] as const satisfies readonly { readonly length: CandleLength; readonly intervalS: number; readonly days: number }[];

/** With a larger share of candles that contradict the others, no price is trusted. */
const MOST_GLITCHES = 0.02;

/**
 * Reads the candles of a pool and estimates its volatility.
 * @param binStepBps `undefined`: the pool has no bins
 * @throws ServiceError
 */
export async function readVolatility(
  service: Pick<LiquidityService, 'candles'>,
  pool: Address,
  binStepBps: number | undefined,
  nowMs: number,
  signal: AbortSignal,
): Promise<PoolVolatility> {
  let best: PoolVolatility = { known: false, why: 'noCandles' };
  for (const { length, intervalS, days } of READS) {
    const span = { length, fromS: Math.floor((nowMs - days * DAY_MS) / SECOND_MS), toS: Math.floor(nowMs / SECOND_MS) };
    const candles = (await service.candles(pool, span, { signal })) ?? [];
    const view = volatilityOf(candles, intervalS, binStepBps ?? 0, nowMs);
    if (view.known ? !view.isRough : view.why === 'contradicting') {
      return view;
    }
    best = view.known || (!best.known && view.why !== 'noCandles') ? view : best;
  }
  return best;
}

function volatilityOf(candles: readonly PoolCandle[], intervalS: number, binStepBps: number, nowMs: number): PoolVolatility {
  const estimate: VolatilityEstimate = estimateVolatility({
    candles: candles.map(({ fromMs, open, high, low, close }) => [fromMs / SECOND_MS, open, high, low, close]),
    intervalS,
    binStepBps,
    nowS: nowMs / SECOND_MS,
  });
  if (!estimate.known) {
    return { known: false, why: candles.length === 0 ? 'noCandles' : estimate.why };
  }
  const { sigmaPerDay, low, high, source, glitches } = estimate;
  return glitches > MOST_GLITCHES * candles.length
    ? { known: false, why: 'contradicting' }
    : { known: true, sigmaPerDay, low, high, isRough: source === 'range', candles: candles.length };
}
