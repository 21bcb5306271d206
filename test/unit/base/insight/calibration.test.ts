import assert from 'node:assert/strict';
import { priceOfBin } from '../../../../src/base/dlmm/bins';
import { STRATEGIES } from '../../../../src/base/dlmm/strategy';
import { binnedOutlook, plannedBins } from '../../../../src/base/insight/outlook';
import { estimateVolatility, type PriceCandle } from '../../../../src/base/insight/volatility';
import { evenPool, normalFrom, randomFrom } from '../../../support/base/insight';

// Forecasts of a day from the candles of the eight days before it, compared with what the day then was, in simulated markets.

const DAY_S = 86_400;
const MOVE_S = 300;
const MOVES_A_DAY = DAY_S / MOVE_S;
const MOVES_A_CANDLE = 6;
const PAST_DAYS = 8;
const FORECASTS = 252;

/** A volatility that changes returns to its mean so fast, a day, and moves so much. */
const RETURNS = 3;
const MOVES = 0.9;
const JUMPS_A_DAY = 2;

interface Market {
  readonly binStepBps: number;
  readonly sigma: number;
  readonly isChanging: boolean;
}

/** Logarithms of prices, every five minutes of nine days. A market that changes also jumps. */
function pricesOf({ sigma, isChanging }: Market, normal: () => number, random: () => number): readonly number[] {
  const days = 1 / MOVES_A_DAY;
  const prices = [0];
  let logSigma = Math.log(sigma);
  for (let move = 0; move < (PAST_DAYS + 1) * MOVES_A_DAY; move += 1) {
    logSigma += isChanging ? RETURNS * days * (Math.log(sigma) - logSigma) + MOVES * Math.sqrt(days) * normal() : 0;
    const now = Math.exp(logSigma);
    const jump = isChanging && random() < JUMPS_A_DAY * days ? 0.8 * sigma * normal() : 0;
    prices.push((prices.at(-1) ?? 0) - (now * now * days) / 2 + now * Math.sqrt(days) * normal() + jump);
  }
  return prices;
}

/** Half hours, of prices that are rounded to bins. */
function candlesOf(prices: readonly number[], step: number): readonly PriceCandle[] {
  return Array.from({ length: (PAST_DAYS * MOVES_A_DAY) / MOVES_A_CANDLE }, (_, index): PriceCandle => {
    const seen = prices
      .slice(index * MOVES_A_CANDLE, (index + 1) * MOVES_A_CANDLE + 1)
      .map((one) => Math.exp(Math.floor(one / step) * step));
    return [index * MOVES_A_CANDLE * MOVE_S, seen[0] ?? 1, Math.max(...seen), Math.min(...seen), seen.at(-1) ?? 1];
  });
}

/** One forecast and the day that followed; the loss in shares of the deposit. */
function forecastDay(market: Market, number: number, normal: () => number, random: () => number) {
  const { binStepBps, sigma } = market;
  const step = Math.log1p(binStepBps / 10_000);
  const prices = pricesOf(market, normal, random);
  const estimate = estimateVolatility({ candles: candlesOf(prices, step), intervalS: MOVES_A_CANDLE * MOVE_S, binStepBps });
  assert.ok(estimate.known);
  const { sigmaPerDay: value, low, high } = estimate;
  const day = prices.slice(PAST_DAYS * MOVES_A_DAY);
  const activeBinId = Math.floor((day[0] ?? 0) / step);
  const half = Math.max(2, Math.round(sigma / step));
  const fromBinId = activeBinId - half + Math.round((random() - 0.5) * half);
  const range = { fromBinId, toBinId: fromBinId + 2 * half };
  const own = plannedBins({
    ...{ ...range, activeBinId, binStepBps, amountX: 10n ** 9n, amountY: 10n ** 9n },
    strategy: STRATEGIES[number % STRATEGIES.length] ?? 'Spot',
  });
  const outlook = binnedOutlook({
    ...{ binStepBps, activeBinId, own, range, horizonS: DAY_S, sigma: { value, low, high } },
    ...{ others: evenPool(activeBinId, binStepBps, 140, 1e10), lpFeesPerDayY: undefined },
  });
  assert.ok(outlook.known);
  const end = Math.exp(day.at(-1) ?? 0);
  const worth = own.map(({ binId, x, y }) => {
    const price = priceOfBin(binId, binStepBps);
    return (price * x + y) * Math.min(end / price, 1) - (x * end + y);
  });
  const bins = day.slice(1).map((one) => Math.floor(one / step));
  const squares = day.slice(1).map((one, index) => (one - (day[index] ?? one)) ** 2);
  const actualSigma = Math.sqrt(squares.reduce((sum, one) => sum + one, 0));
  return {
    expectedTime: outlook.timeInRange.value,
    time: bins.filter((binId) => binId >= range.fromBinId && binId <= range.toBinId).length / bins.length,
    expectedLoss: outlook.loss.value / outlook.depositY,
    loss: worth.reduce((sum, one) => sum + one, 0) / outlook.depositY,
    isSigmaInBand: actualSigma >= low && actualSigma <= high,
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

describe('Insight: forecasts of a day', () => {
  for (const { what, isChanging, bias, worstFifth, lossWithin, leastInBand } of [
    { what: 'as volatile as before', isChanging: false, bias: 0.03, worstFifth: 0.1, lossWithin: 0.15, leastInBand: 0.68 },
    { what: 'that change and jump', isChanging: true, bias: 0.06, worstFifth: 0.2, lossWithin: 0.4, leastInBand: 0.5 },
  ]) {
    it(`In markets ${what}, time in range and loss are right on average, and the volatility is mostly within its band`, () => {
      const [normal, random] = [normalFrom(7), randomFrom(8)];
      const days = [
        { binStepBps: 10, sigma: 0.04 },
        { binStepBps: 20, sigma: 0.02 },
        { binStepBps: 100, sigma: 0.05 },
      ].flatMap((market) =>
        Array.from({ length: FORECASTS }, (_, number) => forecastDay({ ...market, isChanging }, number, normal, random)),
      );
      const apart = (some: typeof days): number => mean(some.map(({ expectedTime, time }) => expectedTime - time));
      assert.ok(Math.abs(apart(days)) < bias, `time in range: ${apart(days)}`);
      const inOrder = days.toSorted((one, other) => one.expectedTime - other.expectedTime);
      const fifth = Math.ceil(days.length / 5);
      const fifths = Array.from({ length: 5 }, (_, place) => Math.abs(apart(inOrder.slice(place * fifth, (place + 1) * fifth))));
      assert.ok(Math.max(...fifths) < worstFifth, `time in range, by fifths of the forecast: ${fifths.join()}`);
      const ratio = mean(days.map(({ expectedLoss }) => expectedLoss)) / mean(days.map(({ loss }) => loss));
      assert.ok(Math.abs(ratio - 1) < lossWithin, `loss: ${ratio} times the actual one`);
      const inBand = mean(days.map(({ isSigmaInBand }) => (isSigmaInBand ? 1 : 0)));
      assert.ok(inBand > leastInBand, `volatility in its band: ${inBand}`);
    }).timeout(20_000);
  }
});
