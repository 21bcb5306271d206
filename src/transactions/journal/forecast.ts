import * as z from 'zod';
import { known, writtenAmount } from '../../base/solana/writtenFields';

// What was expected of the position of a zap-in: as types and as it is in the file.

/** The outlook of a position when it was approved, for several horizons. */
export interface JournalForecast {
  /** Volatility per square root of a day. */
  readonly sigmaPerDay: ForecastShare;
  /** The shortest horizon first. */
  readonly outlooks: readonly ForecastOutlook[];
}

/** What was expected within a horizon, on average over many such periods. */
export interface ForecastOutlook {
  readonly horizonS: number;
  /** Shares of the horizon, 0 to 1. */
  readonly timeInRange: ForecastShare;
  /** Against holding the same tokens; never above 0. */
  readonly loss: ForecastLamports;
  /** `undefined`, like what is left: not known. */
  readonly fees: ForecastLamports | undefined;
  /** Fees and loss. */
  readonly netLamports: bigint | undefined;
}

/** A figure and its band. */
export interface ForecastShare {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** An amount and its band. */
export interface ForecastLamports {
  readonly lamports: bigint;
  readonly lowLamports: bigint;
  readonly highLamports: bigint;
}

/** Far above the horizons that are written. */
const MOST_OUTLOOKS = 100;

const share = z.object({ value: z.number().min(0), low: z.number().min(0), high: z.number().min(0) });
const lamports = z.object({ lamports: writtenAmount, lowLamports: writtenAmount, highLamports: writtenAmount });
const forecast = z.object({
  sigmaPerDay: share,
  outlooks: z
    .array(
      z.object({
        horizonS: z.number().positive(),
        timeInRange: share,
        loss: lamports,
        fees: known(lamports),
        netLamports: known(writtenAmount),
      }),
    )
    .max(MOST_OUTLOOKS),
}) satisfies z.ZodType<JournalForecast>;

/** A forecast as it is in the file. One that cannot be read is none: nothing about the money depends on it. */
export const writtenForecast = known(forecast).catch(undefined);
