import * as z from 'zod/mini';

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

/** How far an outlook looks ahead. */
export const horizon = z.enum(['24h', '7d']);
export type Horizon = z.output<typeof horizon>;
