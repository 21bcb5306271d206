import { HOUR_S } from '../time';
import type { Estimate, FeesBand } from './outlook';

// How good the forecasts of a user's own positions were. A position ends when its owner wants, not after the horizon of an outlook: so the
// forecast is one of several horizons, and the position is compared with what these say of the time that it lived.

/** The horizons of a forecast, seconds. Positions that lived shorter than the first or longer than the last are not compared. */
export const FORECAST_HORIZONS_S = [1, 2, 4, 8, 16, 24, 48, 96, 168, 336, 720].map((hours) => hours * HOUR_S);

/** The fees that were expected within a horizon, in any unit. */
export interface ForecastFees {
  readonly horizonS: number;
  readonly fees: Estimate;
}

/** A position that has ended, with what was expected of it at its beginning. Fees are all in the same unit. */
export interface EndedForecast {
  readonly forecast: readonly ForecastFees[];
  readonly livedS: number;
  /** What it really earned. */
  readonly fees: number;
}

/** What ended positions earned, in times of the estimate. */
export interface ForecastRecord {
  /** Positions that were compared. */
  readonly count: number;
  /** How many of them earned what lies inside the band of their estimate. */
  readonly inside: number;
  readonly median: number;
  /** The quartiles: half of the positions lie between them. */
  readonly band: FeesBand;
}

/** With fewer, nothing is said: their quartiles would be those of single positions. */
export const FEWEST_ENDED = 8;
/** The ones that ended last are compared. */
const MOST_COMPARED = 20;

/**
 * Compares forecasts with what the positions earned.
 * @param ended the one that ended last first
 * @returns `undefined` for fewer than {@link FEWEST_ENDED} that can be compared
 */
export function forecastRecord(ended: readonly EndedForecast[]): ForecastRecord | undefined {
  const compared = ended
    .flatMap(({ forecast, livedS, fees }) => {
      const expected = feesExpected(forecast, livedS);
      const times = fees / (expected?.value ?? NaN);
      return expected === undefined || !(times >= 0) || !Number.isFinite(times)
        ? []
        : [{ times, isInside: fees >= expected.low && fees <= expected.high }];
    })
    .slice(0, MOST_COMPARED);
  if (compared.length < FEWEST_ENDED) {
    return undefined;
  }
  const times = compared.map((one) => one.times).sort((one, other) => one - other);
  return {
    count: compared.length,
    inside: compared.filter(({ isInside }) => isInside).length,
    median: quantile(times, 0.5),
    band: { low: quantile(times, 0.25), high: quantile(times, 0.75) },
  };
}

/**
 * The fees that were expected within a time, between those of the next horizons. They grow like a power of the time (like the time itself while the
 * price stays in the range, and more slowly later), so they are a line on logarithmic scales.
 * @returns `undefined` for a time beyond the horizons
 */
function feesExpected(forecast: readonly ForecastFees[], withinS: number): Estimate | undefined {
  const inOrder = forecast.toSorted((one, other) => one.horizonS - other.horizonS);
  const before = inOrder.findLast(({ horizonS }) => horizonS <= withinS);
  const after = inOrder.find(({ horizonS }) => horizonS >= withinS);
  if (before === undefined || after === undefined) {
    return undefined;
  }
  const between = (from: number, to: number): number => {
    if (before.horizonS === after.horizonS) {
      return from;
    }
    return from > 0 && to > 0
      ? from * (to / from) ** (Math.log(withinS / before.horizonS) / Math.log(after.horizonS / before.horizonS))
      : from + ((to - from) * (withinS - before.horizonS)) / (after.horizonS - before.horizonS);
  };
  return {
    value: between(before.fees.value, after.fees.value),
    low: between(before.fees.low, after.fees.low),
    high: between(before.fees.high, after.fees.high),
  };
}

/** @param values ascending, one at least */
function quantile(values: readonly number[], share: number): number {
  const place = share * (values.length - 1);
  const [from = 0, to = from] = values.slice(Math.floor(place), Math.floor(place) + 2);
  return from + (to - from) * (place - Math.floor(place));
}
