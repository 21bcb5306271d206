import * as z from 'zod/mini';
import { binNumber, list, rawAmount } from './schemas';

/** The volatility of a pool's price, per square root of a day, with the band in which it is expected; or why it is not known. */
export const volatilityView = z.discriminatedUnion('known', [
  z.object({
    known: z.literal(true),
    sigmaPerDay: z.number(),
    low: z.number(),
    high: z.number(),
    /** From few candles. */
    isRough: z.boolean(),
    candles: z.number(),
  }),
  z.object({ known: z.literal(false), why: z.enum(['noCandles', 'tooFewCandles', 'noMovement', 'contradicting']) }),
]);
export type VolatilityView = z.output<typeof volatilityView>;

/** What the counters of a pool's bins say of positions that were not there (`CounterRecord` of src/base/insight/replay.ts). */
export const counterRecordView = z.object({
  readings: list(z.object({ timeS: z.number(), activeBinId: binNumber })),
  bins: list(z.object({ binId: binNumber, intervals: list(z.object({ supplies: rawAmount, x: rawAmount, y: rawAmount })) })),
});
export type CounterRecordView = z.output<typeof counterRecordView>;

/** What an open position earned by the counters of its bins, or would have earned before it was as it is (`OwnReplay`). */
export const ownReplayView = z.discriminatedUnion('known', [
  z.object({
    known: z.literal(true),
    feeX: rawAmount,
    feeY: rawAmount,
    timeInRange: z.number(),
    seconds: z.number(),
    gaps: z.number(),
    /** The position was there throughout. */
    isExact: z.boolean(),
  }),
  z.object({ known: z.literal(false), why: z.enum(['tooFewSnapshots', 'noAmount', 'binsMissing', 'failed']) }),
]);
export type OwnReplayView = z.output<typeof ownReplayView>;

/** What own positions that have ended earned, in times of what was expected (`ForecastRecord` of src/base/insight/forecasts.ts). */
export const forecastRecordView = z.object({
  count: z.number(),
  inside: z.number(),
  median: z.number(),
  band: z.object({ low: z.number(), high: z.number() }),
});
export type ForecastRecordView = z.output<typeof forecastRecordView>;

/** How far an outlook looks ahead. */
export const horizon = z.enum(['24h', '7d']);
export type Horizon = z.output<typeof horizon>;
