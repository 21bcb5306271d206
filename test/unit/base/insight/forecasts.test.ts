import assert from 'node:assert/strict';
import { type EndedForecast, FORECAST_HORIZONS_S, forecastRecord } from '../../../../src/base/insight/forecasts';
import { DAY_S, HOUR_S } from '../../../../src/base/time';
import { outlookOf } from '../../../support/base/insight';

/** 24 a day were expected, half to one and a half times that. @param times what was earned of it */
function ended(times: number, livedS: number = DAY_S): EndedForecast {
  const forecast = FORECAST_HORIZONS_S.map((horizonS) => {
    const value = horizonS / HOUR_S;
    return { horizonS, fees: { value, low: value / 2, high: 1.5 * value } };
  });
  return { forecast, livedS, fees: (times * livedS) / HOUR_S };
}

const all = (count: number, times: number): readonly EndedForecast[] => Array.from({ length: count }, () => ended(times));

describe('Insight: own forecasts', () => {
  it('Nothing is said of fewer than eight ended positions', () => {
    assert.equal(forecastRecord(all(7, 1)), undefined);
    assert.equal(forecastRecord(all(8, 1))?.count, 8);
  });

  it('They say what half of the positions earned, in times of the estimate, what the one in the middle did, and how many were inside their band', () => {
    const record = forecastRecord([0, 2, 0.6, 0.4, 1, 0.8, 1.2, 1.4, 1.6].map((times) => ended(times)));
    assert.ok(record !== undefined);
    const round = (value: number): number => Number(value.toFixed(9));
    assert.deepEqual([record.count, record.inside, record.median, record.band.low, record.band.high].map(round), [9, 5, 1, 0.6, 1.4]);
  });

  it('A position is compared with what was expected of the time that it lived, between two horizons as well', () => {
    for (const livedS of [HOUR_S, 2 * HOUR_S, 3 * DAY_S, 20 * DAY_S, 30 * DAY_S]) {
      const record = forecastRecord(Array.from({ length: 8 }, () => ended(0.7, livedS)));
      assert.ok(record !== undefined && Math.abs(record.median - 0.7) < 1e-9 && record.inside === 8, String(livedS));
    }
  });

  it('Between two horizons the forecast is within 3% of the outlook of that time, and within 15% of a range that the price has yet to reach', () => {
    for (const { range, most } of [
      { range: [-34, 34], most: 0.03 },
      { range: [-3, 3], most: 0.03 },
      { range: [10, 30], most: 0.15 },
    ] as const) {
      const [fromBinId, toBinId] = range;
      const feesIn = (horizonS: number) => outlookOf({ fromBinId, toBinId, horizonS }).fees ?? assert.fail();
      const forecast = FORECAST_HORIZONS_S.map((horizonS) => ({ horizonS, fees: feesIn(horizonS) }));
      for (const hours of [6, 12, 36, 72, 130, 250, 500]) {
        const livedS = hours * HOUR_S;
        const record = forecastRecord(Array.from({ length: 8 }, () => ({ forecast, livedS, fees: feesIn(livedS).value })));
        assert.ok(record !== undefined && Math.abs(record.median - 1) < most, `${range.join()} ${hours} h: ${record?.median}`);
      }
    }
  });

  it('Positions that lived for less than an hour or more than 30 days, or of which no fees were expected, do not count', () => {
    const nothing: EndedForecast = { ...ended(1), forecast: [{ horizonS: DAY_S, fees: { value: 0, low: 0, high: 0 } }] };
    const others = [
      ended(9, HOUR_S - 1),
      ended(9, 30 * DAY_S + 1),
      nothing,
      { ...nothing, fees: 0 },
      { ...ended(9), forecast: [] },
      ended(NaN),
    ];
    assert.equal(forecastRecord([...others, ...all(7, 1)]), undefined);
    assert.deepEqual(forecastRecord([...others, ...all(8, 1)]), { count: 8, inside: 8, median: 1, band: { low: 1, high: 1 } });
  });

  it('The twenty that ended last count', () => {
    assert.deepEqual(forecastRecord([...all(20, 0.5), ...all(50, 2)]), {
      count: 20,
      inside: 20,
      median: 0.5,
      band: { low: 0.5, high: 0.5 },
    });
  });
});
