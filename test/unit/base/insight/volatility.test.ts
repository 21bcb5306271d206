import assert from 'node:assert/strict';
import { type PriceCandle, estimateVolatility } from '../../../../src/base/insight/volatility';
import { normalFrom } from '../../../support/base/insight';

const NOW_S = 1_790_691_200;
const DAY_S = 86_400;

interface Market {
  readonly sigma: number;
  readonly binStepBps: number;
  readonly days?: number;
  readonly intervalS?: number;
  readonly seed?: number;
}

/** Candles of a price that moves evenly and is rounded to bins, up to {@link NOW_S}. */
function candlesOf({ sigma, binStepBps, days = 8, intervalS = 1_800, seed = 1 }: Market): readonly PriceCandle[] {
  const [normal, step, perCandle] = [normalFrom(seed), Math.log1p(binStepBps / 1e4), 12];
  let place = 0;
  const rounded = () => Math.exp(Math.round(place / step) * step);
  const count = Math.round((days * DAY_S) / intervalS);
  return Array.from({ length: count }, (_, index) => {
    const prices = [rounded()];
    for (let move = 0; move < perCandle; move += 1) {
      place += sigma * Math.sqrt(intervalS / DAY_S / perCandle) * normal();
      prices.push(rounded());
    }
    return [NOW_S - (count - index) * intervalS, prices[0] ?? 1, Math.max(...prices), Math.min(...prices), prices.at(-1) ?? 1];
  });
}

function estimate(candles: readonly PriceCandle[], binStepBps = 10, intervalS = 1_800) {
  const answer = estimateVolatility({ candles, intervalS, binStepBps, nowS: NOW_S });
  assert.ok(answer.known, JSON.stringify(answer));
  return answer;
}

describe('Insight: volatility', () => {
  for (const binStepBps of [1, 20, 100]) {
    it(`Bins of ${binStepBps} bps bias the estimate by less than 3%, on average of forty markets`, () => {
      const sigma = 0.04;
      const logs = Array.from({ length: 40 }, (_, seed) =>
        Math.log(estimate(candlesOf({ sigma, binStepBps, seed: 100 + seed }), binStepBps).sigmaPerDay / sigma),
      );
      const bias = logs.reduce((sum, one) => sum + one, 0) / logs.length;
      assert.ok(Math.abs(bias) < 0.03, String(bias));
    });
  }

  it('Candles of five minutes and of half an hour give about the same', () => {
    const [fine, coarse] = [300, 1_800].map((intervalS) => estimate(candlesOf({ sigma: 0.05, binStepBps: 10, intervalS }), 10, intervalS));
    assert.ok(Math.abs(Math.log((fine?.sigmaPerDay ?? 0) / (coarse?.sigmaPerDay ?? 1))) < 0.12);
  });

  it('The order of candles, repeated ones and ones without prices change nothing', () => {
    const candles = candlesOf({ sigma: 0.05, binStepBps: 10 });
    const odd = [
      ...candles.toReversed(),
      ...candles.slice(0, 50),
      [NOW_S - 3_600, 1, null, 1, 1],
      [NOW_S - 1_800, 0, 0, 0, 0],
      [],
      [NOW_S],
    ];
    assert.deepEqual(estimate(odd), estimate(candles));
  });

  it('A price that is elsewhere in one candle alone is left out and counted; one that stays there is not', () => {
    const candles = candlesOf({ sigma: 0.05, binStepBps: 10 });
    const far = (from: number, to: number) =>
      candles.map((candle, index) => (index >= from && index < to ? [candle[0] ?? 0, 40, 40, 40, 40] : candle));
    const [calm, once, stays] = [estimate(candles), estimate(far(200, 201)), estimate(far(370, 384))];
    assert.deepEqual([calm.glitches, once.glitches, stays.glitches], [0, 1, 0]);
    assert.ok(Math.abs(once.sigmaPerDay / calm.sigmaPerDay - 1) < 0.02 && stays.sigmaPerDay > 1);
  });

  it('A pool that moves by half all the time has no glitches', () => {
    assert.equal(estimate(candlesOf({ sigma: 4, binStepBps: 100 }), 100).glitches, 0);
  });

  it('Pauses of up to six hours count as no movement, longer ones are not covered', () => {
    const candles = candlesOf({ sigma: 0.05, binStepBps: 10 });
    const without = (hours: number) => candles.filter((_, index) => index < 300 || index >= 300 + 2 * hours);
    assert.deepEqual([estimate(without(5)).covered7dS, estimate(without(30)).covered7dS], [7 * DAY_S, 7 * DAY_S - 30.5 * 3_600]);
  });

  it('The band is wide where days differ or are few, and rough without returns of six hours', () => {
    const young = estimate(candlesOf({ sigma: 0.05, binStepBps: 10, days: 2 }));
    const rough = estimate(candlesOf({ sigma: 0.05, binStepBps: 10, days: 0.1, intervalS: 300 }), 10, 300);
    const bandOf = ({ low, high }: { low: number; high: number }): number => Math.log(high / low) / 2;
    const close = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 1e-9, String(actual));
    close(bandOf(young), 0.5);
    close(bandOf(rough), Math.log(2));
    assert.equal(rough.source, 'range');
    assert.ok(bandOf(estimate(candlesOf({ sigma: 0.05, binStepBps: 10 }))) < 0.3);
  });

  it('Too few candles, old ones and a price that did not move are not known', () => {
    const why = (candles: readonly PriceCandle[], nowS: number | undefined = NOW_S) => {
      const answer = estimateVolatility({ candles, intervalS: 1_800, binStepBps: 10, nowS });
      return answer.known ? answer.sigmaPerDay : answer.why;
    };
    const candles = candlesOf({ sigma: 0.05, binStepBps: 10 });
    assert.deepEqual([why([]), why(candles.slice(-5)), why(candles, NOW_S + 30 * DAY_S)], Array(3).fill('tooFewCandles'));
    assert.equal(why(candles.map(([time]) => [time ?? 0, 2, 2, 2, 2])), 'noMovement');
    assert.equal(
      why(
        candles.slice(0, 8).map(([time]) => [time ?? 0, 2, 2, 2, 2]),
        undefined,
      ),
      'noMovement',
    );
  });
});
