import { priceOfBin } from '../dlmm/bins';
import { type Spread, spreadOverBins } from '../dlmm/strategy';
import { DAY_S } from '../time';
import { expectedExit, expectedTimeBelow, probabilityToStay, shareOfTime } from './motion';
import { normalBelow } from './normal';

/** What a bin holds, raw units. Not exact from 2^53 on, which no result here depends on. */
export interface OutlookBin {
  readonly binId: number;
  readonly x: number;
  readonly y: number;
}

/** Volatility per square root of a day, and the band in which it is expected. */
export interface Sigma {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** What an outlook needs to know of a pool and its future. Values are in raw units of token Y. */
interface Conditions {
  /** All that liquidity providers get, after the protocol's share; `undefined`: not known. */
  readonly lpFeesPerDayY: number | undefined;
  /** `undefined`: not known. */
  readonly sigma: Sigma | undefined;
  readonly horizonS: number;
  /** What entering costs and is not refunded; `undefined`: not known. */
  readonly costsY?: number | undefined;
  /** By own positions that have ended; `undefined`: that of simulated markets. */
  readonly feesBand?: FeesBand | undefined;
}

/** The band around expected fees, in times of them. */
export interface FeesBand {
  readonly low: number;
  readonly high: number;
}

/** A position in a pool of bins. */
export interface BinnedOutlook extends Conditions {
  readonly binStepBps: number;
  readonly activeBinId: number;
  /** A position that exists or is planned; see {@link plannedBins}. */
  readonly own: readonly OutlookBin[];
  /** The range; `undefined`: from the first bin of `own` to the last one. */
  readonly range?: { readonly fromBinId: number; readonly toBinId: number } | undefined;
  /** Liquidity of all others, in each bin that was reported. */
  readonly others: readonly OutlookBin[];
}

/** A position in a pool with one price curve over all prices (DAMM v2, full range). */
export interface ProductOutlook extends Conditions {
  readonly depositY: number;
  readonly othersY: number;
}

/** A figure and its band. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** What to expect of a position over the horizon, on average over many such periods. Values are in raw units of token Y. */
export type Outlook = { readonly known: false; readonly why: 'noVolatility' | 'noAmount' } | KnownOutlook;

/** What is known without fees, and what fees add to it. */
export type KnownOutlook = OutlookOfPrices & (OutlookOfFees | { readonly fees: null; readonly why: FeesUnknown });

/** Why fees are not known. */
export type FeesUnknown = 'feesNotKnown' | 'binsNotReported';

interface OutlookOfPrices {
  readonly known: true;
  readonly depositY: number;
  /** Shares of the horizon, 0 to 1. */
  readonly timeInRange: Estimate;
  /** The probability that the price never leaves the range. */
  readonly staysInRange: number;
  /** `null`: never. */
  readonly expectedExitS: number | null;
  /** Against holding the same tokens; never above 0. */
  readonly loss: Estimate;
  /** The share of the horizon in which the price is where no liquidity was reported. */
  readonly unknownTime: number;
}

interface OutlookOfFees {
  readonly fees: Estimate;
  /** The share of the liquidity that the price is expected to cross. */
  readonly share: number;
  /** Fees and loss. */
  readonly netY: number;
  /** `null`: without a loss. */
  readonly feesPerLoss: number | null;
  /** `null`: the costs are not known, or nothing is left to cover them. */
  readonly costsCoveredAfterS: number | null;
}

/** Fees of single days differ widely: this band around the expected fees held in simulated markets. */
const FEES_LOW = 0.6;
const FEES_HIGH = 1.6;
/** With more of the time in bins that nobody reported, fees are not known. */
const MOST_UNKNOWN_TIME = 0.2;

/** The break-even volatility is searched for up to this many times above and below the measured one. */
const WIDEST_SEARCH = 50;
const SEARCH_STEPS = 12;
/** Where fees or loss vanish, ln(fees / loss) has no value. */
const MOST_EXCESS = 50;
const MOST_ROUNDS = 30;
const CLOSE_ENOUGH = 1e-6;

/**
 * Returns the bins of a planned deposit, as the program's clients spread it.
 * @throws RangeError like `spreadOverBins`
 */
export function plannedBins(plan: Spread): readonly OutlookBin[] {
  return spreadOverBins(plan).map(({ binId, amountX, amountY }) => ({ binId, x: Number(amountX), y: Number(amountY) }));
}

/**
 * The outlook of a position in a pool of bins.
 *
 * The price is a martingale (motion.ts) that starts in the middle of the active bin. With arbitrage a bin i of liquidity l = P·x + y is worth
 * l·min(p/P, 1), a covered call: so the expected value of any shape at any horizon is a sum of Black–Scholes options, without approximation.
 * At first Spot loses σ²T/(4w) of its value, w half the range as a logarithm; Curve about twice as much, BidAsk almost nothing.
 *
 * Fees are F·T·Σπl / Σπ(L + l) over all reported bins, π the expected share of the time in a bin: a ratio of sums, because a volume passes a thin
 * bin in no time.
 * @throws RangeError if the program has no such bins
 */
export function binnedOutlook(input: BinnedOutlook): Outlook {
  const { sigma } = input;
  if (sigma === undefined) {
    return { known: false, why: 'noVolatility' };
  }
  const market = new BinnedMarket(input);
  const { depositY, ends } = market;
  if (!(depositY > 0)) {
    return { known: false, why: 'noAmount' };
  }
  const days = input.horizonS / DAY_S;
  const middle = market.at(sigma.value);
  const [calm, wild] =
    sigma.low === sigma.value && sigma.high === sigma.value ? [middle, middle] : [market.at(sigma.low), market.at(sigma.high)];
  const timeInRange = sigmasOf(sigma).map((one) => shareOfTime(ends, one, days));
  const prices: OutlookOfPrices = {
    known: true,
    depositY,
    timeInRange: bandOf(timeInRange),
    staysInRange: probabilityToStay(ends, sigma.value, days),
    expectedExitS: expectedExit(ends, sigma.value) * DAY_S,
    loss: bandOf([middle.lossY, calm.lossY, wild.lossY]),
    unknownTime: middle.unknownTime,
  };
  return withFees(prices, input, { value: middle.share, atLowSigma: calm.share, atHighSigma: wild.share });
}

/** The outlook of a position that covers all prices: its value is ∝ √p, so E[V] = deposit·exp(−σ²T/8). */
export function productOutlook(input: ProductOutlook): Outlook {
  const { sigma, depositY, othersY, horizonS } = input;
  if (sigma === undefined) {
    return { known: false, why: 'noVolatility' };
  }
  if (!(depositY > 0)) {
    return { known: false, why: 'noAmount' };
  }
  const days = horizonS / DAY_S;
  const prices: OutlookOfPrices = {
    known: true,
    depositY,
    timeInRange: { value: 1, low: 1, high: 1 },
    staysInRange: 1,
    expectedExitS: null,
    loss: bandOf(sigmasOf(sigma).map((one) => depositY * Math.expm1((-one * one * days) / 8))),
    unknownTime: 0,
  };
  const share = depositY / (depositY + othersY);
  return withFees(prices, input, { value: share, atLowSigma: share, atHighSigma: share });
}

/**
 * The volatility at which fees and loss are equal, with the fees of the pool as they are; below it the position earns more than it loses. It needs
 * no trust in the measured volatility. `null` if there is none within a factor of {@link WIDEST_SEARCH} of the measured one.
 */
export function breakEvenSigma(input: BinnedOutlook | ProductOutlook): number | null {
  const { sigma, lpFeesPerDayY, horizonS } = input;
  if (sigma === undefined || lpFeesPerDayY === undefined) {
    return null;
  }
  const days = horizonS / DAY_S;
  if (!('own' in input)) {
    const lost = (lpFeesPerDayY * days) / (input.depositY + input.othersY);
    return lost > 0 && lost < 1 ? Math.sqrt((-8 * Math.log1p(-lost)) / days) : null;
  }
  const market = new BinnedMarket(input);
  /** ln(fees / loss) by ln σ: nearly a line. */
  const excess = (logSigma: number): number => {
    const { share, lossY } = market.at(Math.exp(logSigma));
    const ratio = Math.log((lpFeesPerDayY * days * share) / -lossY);
    return Number.isNaN(ratio) ? -MOST_EXCESS : Math.min(Math.max(ratio, -MOST_EXCESS), MOST_EXCESS);
  };
  let above = Math.log(sigma.value * WIDEST_SEARCH);
  let excessAbove = excess(above);
  // From above: a range beside the price has a second, lower one, below which neither fees nor losses are to be expected.
  for (let left = SEARCH_STEPS; left > 0 && excessAbove <= 0; left -= 1) {
    const below = above - (2 * Math.log(WIDEST_SEARCH)) / SEARCH_STEPS;
    const excessBelow = excess(below);
    if (excessBelow > 0) {
      return Math.exp(crossing(excess, [below, excessBelow], [above, excessAbove]));
    }
    [above, excessAbove] = [below, excessBelow];
  }
  return null;
}

/** Where a function that falls from a positive to a negative value is 0: false position, with the Illinois rule against an end that stays. */
function crossing(of: (place: number) => number, first: readonly [number, number], last: readonly [number, number]): number {
  let [[from, excess], [to, lack]] = [first, last];
  let side = 0;
  for (let round = 0; round < MOST_ROUNDS && to - from > CLOSE_ENOUGH; round += 1) {
    const place = (from * lack - to * excess) / (lack - excess);
    const value = of(place);
    if (Math.abs(value) < CLOSE_ENOUGH) {
      return place;
    }
    if (value > 0) {
      [from, excess] = [place, value];
      lack = side === 1 ? lack / 2 : lack;
      side = 1;
    } else {
      [to, lack] = [place, value];
      excess = side === -1 ? excess / 2 : excess;
      side = -1;
    }
  }
  return from;
}

function sigmasOf({ value, low, high }: Sigma): readonly number[] {
  return [value, low, high];
}

/** The first value with the smallest and the largest of all: time in range can rise or fall with σ. */
function bandOf(values: readonly number[]): Estimate {
  return { value: values[0] ?? 0, low: Math.min(...values), high: Math.max(...values) };
}

/** Shares of the fees. The band is that of more and of less volatility; where fees rise with it, as those of BidAsk do, {@link FEES_HIGH} covers it. */
interface Shares {
  readonly value: number;
  readonly atLowSigma: number;
  readonly atHighSigma: number;
}

function withFees(prices: OutlookOfPrices, { lpFeesPerDayY, horizonS, costsY, feesBand }: Conditions, shares: Shares): KnownOutlook {
  if (lpFeesPerDayY === undefined) {
    return { ...prices, fees: null, why: 'feesNotKnown' };
  }
  if (prices.unknownTime > MOST_UNKNOWN_TIME) {
    return { ...prices, fees: null, why: 'binsNotReported' };
  }
  const { value: share } = shares;
  const pot = lpFeesPerDayY * (horizonS / DAY_S);
  const netY = pot * share + prices.loss.value;
  return {
    ...prices,
    fees: {
      value: pot * share,
      // What was measured has the error of the volatility in it.
      low: feesBand === undefined ? FEES_LOW * pot * Math.min(share, shares.atHighSigma) : feesBand.low * pot * share,
      high: feesBand === undefined ? FEES_HIGH * pot * Math.max(share, shares.atLowSigma) : feesBand.high * pot * share,
    },
    share,
    netY,
    feesPerLoss: prices.loss.value < 0 ? (pot * share) / -prices.loss.value : null,
    costsCoveredAfterS: costsY !== undefined && netY > 0 ? (costsY / netY) * horizonS : null,
  };
}

/** A bin of the pool with the liquidity of both, by its distance from the price. */
interface PoolBin {
  readonly place: number;
  readonly othersY: number;
  readonly ownY: number;
}

/** An own bin: its liquidity in Y, and ln(price / price of the bin). */
interface OwnBin {
  readonly liquidityY: number;
  readonly logRatio: number;
}

/** A position and its pool, prepared so that another volatility costs little. */
class BinnedMarket {
  /** The value of the position. */
  readonly depositY: number;
  readonly ends: { readonly below: number; readonly above: number };

  /** The logarithm of a step. */
  readonly #step: number;
  readonly #days: number;
  readonly #own: readonly OwnBin[];
  readonly #pool: readonly PoolBin[];
  /** What the position is worth less at once, because some of its bins hold the token that they would already have sold. */
  readonly #mispricedY: number;

  constructor({ binStepBps, activeBinId, own, range, others, horizonS }: BinnedOutlook) {
    this.#step = Math.log(priceOfBin(1, binStepBps));
    this.#days = horizonS / DAY_S;
    const liquidity = liquidityOf(own, binStepBps);
    const price = priceOfBin(activeBinId, binStepBps) * Math.exp(this.#step / 2);
    this.depositY = own.reduce((sum, { x, y }) => sum + x * price + y, 0);
    this.#own = [...liquidity]
      .filter(([, liquidityY]) => liquidityY > 0)
      .map(([binId, liquidityY]) => ({ liquidityY, logRatio: (activeBinId + 0.5 - binId) * this.#step }));
    this.#mispricedY =
      this.#own.reduce((sum, { liquidityY, logRatio }) => sum + liquidityY * Math.exp(Math.min(logRatio, 0)), 0) - this.depositY;
    const ids = own.map(({ binId }) => binId);
    const { fromBinId, toBinId } = range ?? { fromBinId: leastOf(ids), toBinId: mostOf(ids) };
    this.ends = { below: (activeBinId - fromBinId + 0.5) * this.#step, above: (toBinId - activeBinId + 0.5) * this.#step };
    this.#pool = [...liquidityOf(others, binStepBps)]
      .sort(([first], [second]) => first - second)
      .map(([binId, othersY]) => ({ place: binId - activeBinId, othersY, ownY: liquidity.get(binId) ?? 0 }));
  }

  /** Loss and share of the fees at a volatility. */
  at(sigmaPerDay: number): { readonly lossY: number; readonly share: number; readonly unknownTime: number } {
    let [ownTime, allTime, known] = [0, 0, 0];
    let last = NaN;
    let timeBelow = 0;
    for (const { place, othersY, ownY } of this.#pool) {
      if (last !== place - 1) {
        timeBelow = expectedTimeBelow((place - 0.5) * this.#step, sigmaPerDay, this.#days);
      }
      const timeAbove = expectedTimeBelow((place + 0.5) * this.#step, sigmaPerDay, this.#days);
      const time = Math.max(timeAbove - timeBelow, 0) / this.#days;
      ownTime += time * ownY;
      allTime += time * (othersY + ownY);
      known += time;
      [last, timeBelow] = [place, timeAbove];
    }
    return {
      lossY: Math.min(this.#lossY(sigmaPerDay * Math.sqrt(this.#days)), 0),
      share: allTime > 0 ? ownTime / allTime : 0,
      unknownTime: Math.min(Math.max(1 - known, 0), 1),
    };
  }

  /** −Σ of puts below the price and of calls above it: options that are out of the money, so that nothing cancels. */
  #lossY(spread: number): number {
    let sum = this.#mispricedY;
    for (const { liquidityY, logRatio } of this.#own) {
      const first = logRatio / spread + spread / 2;
      const ratio = Math.exp(logRatio);
      const option =
        logRatio >= 0
          ? normalBelow(spread - first) - ratio * normalBelow(-first)
          : ratio * normalBelow(first) - normalBelow(first - spread);
      sum -= liquidityY * Math.max(option, 0);
    }
    return sum;
  }
}

/** Liquidity P·x + y by bin. A bin that is named twice counts as both together. */
function liquidityOf(bins: readonly OutlookBin[], binStepBps: number): ReadonlyMap<number, number> {
  const liquidity = new Map<number, number>();
  for (const { binId, x, y } of bins) {
    liquidity.set(binId, (liquidity.get(binId) ?? 0) + (x === 0 ? 0 : x * priceOfBin(binId, binStepBps)) + y);
  }
  return liquidity;
}

function leastOf(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Infinity);
}

function mostOf(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), -Infinity);
}
