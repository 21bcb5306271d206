import { DAY_S, HOUR_S } from '../time';

/** A candle: time of its beginning (seconds since 1970), and prices. `null` where a source wrote no number. */
export type PriceCandle = readonly (number | null)[];

/** Candles of a pool's price. */
export interface VolatilityInput {
  readonly candles: readonly PriceCandle[];
  readonly intervalS: number;
  readonly binStepBps: number;
  /** `undefined`: the end of the last candle. */
  readonly nowS?: number | undefined;
}

/** Volatility per square root of a day, with the band in which tomorrow's is expected. */
export type VolatilityEstimate =
  | { readonly known: false; readonly why: 'tooFewCandles' | 'noMovement' }
  | {
      readonly known: true;
      readonly sigmaPerDay: number;
      readonly low: number;
      readonly high: number;
      /** From returns, or roughly from the ranges of a few candles. */
      readonly source: 'realized' | 'range';
      /** How much of the last day and week the candles cover. */
      readonly covered24S: number;
      readonly covered7dS: number;
      /** Candles that were left out, because the price was somewhere else in them alone. */
      readonly glitches: number;
    };

const RETURN_S = HOUR_S / 2;
const WEEK_DAYS = 7;
/** A longer time without trades says nothing about the price in it. */
const LONGEST_PAUSE_S = 6 * HOUR_S;
/** Returns of less time are too few. */
const LEAST_COVERED_S = 6 * HOUR_S;
const LEAST_CANDLES = 6;
/** Of the correction for bins: at least this share of the squared returns stays. */
const LEAST_LEFT = 1 / 4;
/** Bounds of the band, as deviations of ln σ. */
const NARROWEST_BAND = 0.15;
const WIDEST_BAND = 0.8;
const UNKNOWN_BAND = 0.5;
const ROUGH_BAND = Math.LN2;
const LEAST_DAYS_FOR_BAND = 3;
/** A day counts for the band if half of it is covered. */
const LEAST_OF_DAY_S = DAY_S / 2;
/** "Up or down by half." */
const GLITCH_UP = Math.log(1.5);
const GLITCH_DOWN = Math.log(0.5);
/** How much of a glitch the next candle takes back, at least. */
const GLITCH_BACK = 0.5;
/** In a pool that moves as much all the time nothing is a glitch. In typical moves from candle to candle. */
const GLITCH_TYPICAL_MOVES = 5;
/** 4·ln 2, of Parkinson's estimator. */
const PARKINSON = 4 * Math.LN2;

interface Range {
  readonly endS: number;
  readonly logClose: number;
  /** ln(high / low) */
  readonly logRange: number;
}

/** The price at a time, as a logarithm. */
interface Seen {
  readonly timeS: number;
  readonly logPrice: number;
}

/**
 * Estimates the volatility of the next days.
 *
 * Returns of 30 minutes at all offsets, with the last price until the next trade. A price that is rounded to bins of ℓ moves by ℓ²/6 more a return
 * than the unrounded one (two errors that are uniform over ±ℓ/2, each with the variance ℓ²/12). σ² is the mean of the last day's and the last
 * week's: volatility changes, and returns to its mean. A pool younger than six hours: Parkinson's estimator from highs and lows (J. Business 53, 1980).
 * @example
 * // Start in seconds, open, high, low and close of each candle.
 * const candles = [[0, 1, 1.02, 0.99, 1.01]] as const;
 * const estimate = estimateVolatility({ candles, intervalS: 1_800, binStepBps: 100 });
 */
export function estimateVolatility(input: VolatilityInput): VolatilityEstimate {
  const { intervalS, binStepBps } = input;
  const read = readCandles(input);
  const nowS = input.nowS ?? read.at(-1)?.endS ?? 0;
  const recent = read.filter(({ endS }) => endS > nowS - (WEEK_DAYS + 1) * DAY_S && endS - intervalS < nowS);
  const { kept, glitches } = withoutGlitches(recent);
  if (kept.length < LEAST_CANDLES) {
    return { known: false, why: 'tooFewCandles' };
  }
  const segments = seenPrices(kept, intervalS);
  const rounding = Math.log1p(binStepBps / 10_000) ** 2 / 6;
  const within = (fromS: number, toS: number): Window => windowOf(segments, { fromS, toS, intervalS, rounding });
  const day = within(nowS - DAY_S, nowS);
  const week = within(nowS - WEEK_DAYS * DAY_S, nowS);
  if (week.coveredS < LEAST_COVERED_S || week.variancePerDay === undefined) {
    return roughly(kept, intervalS, nowS, glitches);
  }
  const sigmaPerDay = Math.sqrt(((day.variancePerDay ?? week.variancePerDay) + week.variancePerDay) / 2);
  if (!(sigmaPerDay > 0)) {
    return { known: false, why: 'noMovement' };
  }
  const days = Array.from({ length: WEEK_DAYS }, (_, index) => within(nowS - (index + 1) * DAY_S, nowS - index * DAY_S));
  const band = Math.exp(bandOf(days));
  return {
    known: true,
    sigmaPerDay,
    low: sigmaPerDay / band,
    high: sigmaPerDay * band,
    source: 'realized',
    covered24S: day.coveredS,
    covered7dS: week.coveredS,
    glitches,
  };
}

/** In order of time, each time once; without candles that have no prices. */
function readCandles({ candles, intervalS }: VolatilityInput): readonly Range[] {
  const byEnd = new Map<number, Range>();
  for (const [timeS, open, high, low, close] of candles) {
    if (isTime(timeS) && isPrice(open) && isPrice(high) && isPrice(low) && isPrice(close) && !byEnd.has(timeS + intervalS)) {
      const endS = timeS + intervalS;
      byEnd.set(endS, { endS, logClose: Math.log(close), logRange: Math.abs(Math.log(high) - Math.log(low)) });
    }
  }
  return [...byEnd.values()].sort((first, second) => first.endS - second.endS);
}

function isTime(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isPrice(value: number | null | undefined): value is number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value);
}

function withoutGlitches(candles: readonly Range[]): { readonly kept: readonly Range[]; readonly glitches: number } {
  const moves = candles.slice(1).map(({ logClose }, index) => Math.abs(logClose - (candles[index]?.logClose ?? logClose)));
  const typical = moves.toSorted((first, second) => first - second)[Math.floor(moves.length / 2)] ?? 0;
  const kept: Range[] = [];
  for (const [index, candle] of candles.entries()) {
    const before = kept.at(-1);
    const after = candles[index + 1];
    if (before === undefined || after === undefined || !isGlitch(before, candle, after, typical)) {
      kept.push(candle);
    }
  }
  return { kept, glitches: candles.length - kept.length };
}

function isGlitch(before: Range, candle: Range, after: Range, typical: number): boolean {
  const move = candle.logClose - before.logClose;
  const left = after.logClose - before.logClose;
  return (
    (move > GLITCH_UP || move < GLITCH_DOWN) &&
    Math.abs(move) > GLITCH_TYPICAL_MOVES * typical &&
    Math.abs(left) < (1 - GLITCH_BACK) * Math.abs(move)
  );
}

/** Prices at every interval, in stretches without long pauses. */
function seenPrices(candles: readonly Range[], intervalS: number): readonly (readonly Seen[])[] {
  const segments: Seen[][] = [];
  let segment: Seen[] = [];
  let last: Range | undefined;
  for (const candle of candles) {
    if (last === undefined || candle.endS - last.endS > Math.max(LONGEST_PAUSE_S, intervalS)) {
      segment = [];
      segments.push(segment);
    } else {
      for (let timeS = last.endS + intervalS; timeS < candle.endS; timeS += intervalS) {
        segment.push({ timeS, logPrice: last.logClose });
      }
    }
    segment.push({ timeS: candle.endS, logPrice: candle.logClose });
    last = candle;
  }
  return segments;
}

interface Window {
  readonly coveredS: number;
  /** `undefined`: no return lies in it. */
  readonly variancePerDay: number | undefined;
}

function windowOf(
  segments: readonly (readonly Seen[])[],
  { fromS, toS, intervalS, rounding }: { fromS: number; toS: number; intervalS: number; rounding: number },
): Window {
  const steps = Math.max(Math.round(RETURN_S / intervalS), 1);
  let [coveredS, squares, count] = [0, 0, 0];
  for (const segment of segments) {
    const prices = segment.filter(({ timeS }) => timeS >= fromS && timeS <= toS);
    coveredS += (prices.at(-1)?.timeS ?? 0) - (prices[0]?.timeS ?? 0);
    for (const [index, { logPrice }] of prices.entries()) {
      const later = prices[index + steps];
      if (later !== undefined) {
        squares += (later.logPrice - logPrice) ** 2;
        count += 1;
      }
    }
  }
  const left = Math.max(squares - count * rounding, squares * LEAST_LEFT);
  return { coveredS, variancePerDay: count === 0 ? undefined : ((left / count) * DAY_S) / (steps * intervalS) };
}

/** The deviation of ln σ from day to day, within bounds. */
function bandOf(days: readonly Window[]): number {
  const logs = days.flatMap(({ coveredS, variancePerDay }) =>
    coveredS >= LEAST_OF_DAY_S && variancePerDay !== undefined && variancePerDay > 0 ? [Math.log(variancePerDay) / 2] : [],
  );
  if (logs.length < LEAST_DAYS_FOR_BAND) {
    return UNKNOWN_BAND;
  }
  const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length;
  const deviation = Math.sqrt(logs.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (logs.length - 1));
  return Math.min(Math.max(deviation, NARROWEST_BAND), WIDEST_BAND);
}

function roughly(candles: readonly Range[], intervalS: number, nowS: number, glitches: number): VolatilityEstimate {
  const squares = candles.reduce((sum, { logRange }) => sum + logRange ** 2, 0);
  const sigmaPerDay = Math.sqrt(((squares / PARKINSON / candles.length) * DAY_S) / intervalS);
  if (!(sigmaPerDay > 0)) {
    return { known: false, why: 'noMovement' };
  }
  const band = Math.exp(ROUGH_BAND);
  const covered24S = candles.filter(({ endS }) => endS > nowS - DAY_S).length * intervalS;
  return {
    known: true,
    sigmaPerDay,
    low: sigmaPerDay / band,
    high: sigmaPerDay * band,
    source: 'range',
    covered24S,
    covered7dS: 0,
    glitches,
  };
}
