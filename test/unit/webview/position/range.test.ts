import assert from 'node:assert/strict';
import fc from 'fast-check';
import { priceOfBin } from '../../../../src/base/dlmm/bins';
import { edgeDistances, rangeGauge } from '../../../../webview/shared/rangeGauge';

const bins = fc.record({
  lower: fc.integer({ min: -5_000, max: 5_000 }),
  width: fc.integer({ min: 1, max: 1_400 }),
  away: fc.integer({ min: -8_000, max: 8_000 }),
});

describe('Range bar', () => {
  it('Range and price stay within the bar in order, and the range takes at least half of it', () => {
    fc.assert(
      fc.property(bins, ({ lower, width, away }) => {
        const upper = lower + width - 1;
        const active = lower + away;
        const gauge = rangeGauge({ lowerBinId: lower, upperBinId: upper, activeBinId: active });
        assert.ok(gauge !== undefined);
        assert.ok(gauge.lower >= 0.099 && gauge.upper <= 0.901 && gauge.price >= 0.099 && gauge.price <= 0.901);
        assert.ok(gauge.upper - gauge.lower >= 0.5);
        assert.equal(gauge.side, active < lower ? 'below' : active > upper ? 'above' : 'inside');
        assert.equal(gauge.side === 'below', gauge.price < gauge.lower);
        assert.equal(gauge.side === 'above', gauge.price > gauge.upper);
        assert.ok(!gauge.isBroken || gauge.side !== 'inside');
      }),
    );
  });

  it('A price in the middle of the range is in the middle of the bar', () => {
    assert.deepEqual(rangeGauge({ lowerBinId: -5, upperBinId: 5, activeBinId: 0 }), {
      side: 'inside',
      lower: 0.1,
      upper: 0.9,
      price: 0.5,
      isBroken: false,
    });
  });

  it('A price beyond the end of the bar is marked as further out', () => {
    assert.equal(rangeGauge({ lowerBinId: 0, upperBinId: 9, activeBinId: 12 })?.isBroken, false);
    assert.equal(rangeGauge({ lowerBinId: 0, upperBinId: 9, activeBinId: 500 })?.isBroken, true);
    assert.equal(rangeGauge({ lowerBinId: 0, upperBinId: 9, activeBinId: -500 })?.isBroken, true);
  });

  it('The bar uses prices on a logarithmic scale if bins are unknown', () => {
    const gauge = rangeGauge({ priceRangeUsd: { lower: 1, upper: 4, current: 2 } });
    assert.ok(gauge !== undefined && Math.abs(gauge.price - 0.5) < 1e-12);
    assert.equal(rangeGauge({ priceRangeUsd: { lower: 1, upper: 4, current: 8 } })?.side, 'above');
  });

  it('No bar is drawn for unknown or invalid ranges', () => {
    assert.equal(rangeGauge({}), undefined);
    assert.equal(rangeGauge({ lowerBinId: 3, upperBinId: 1, activeBinId: 2 }), undefined);
    assert.equal(rangeGauge({ priceRangeUsd: { lower: 0, upper: 4, current: 2 } }), undefined);
  });
});

describe('Distance of the price to the edges', () => {
  it('The distance to an edge is the ratio of the prices of the bins', () => {
    fc.assert(
      fc.property(bins, fc.integer({ min: 1, max: 30 }), ({ lower, width, away }, binStepBps) => {
        const [lowerBinId, upperBinId, activeBinId] = [lower, lower + width - 1, lower + (away % 2_000)];
        const distances = edgeDistances({ lowerBinId, upperBinId, activeBinId, binStepBps });
        const ratio = (bin: number) => 100 * (priceOfBin(bin, binStepBps) / priceOfBin(activeBinId, binStepBps) - 1);
        const isNear = (one: number, other: number) => Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(other));
        assert.ok(
          distances !== undefined &&
            isNear(distances.lower.percent, ratio(lowerBinId)) &&
            isNear(distances.upper.percent, ratio(upperBinId)),
        );
        assert.deepEqual([distances.lower.bins, distances.upper.bins], [lowerBinId - activeBinId, upperBinId - activeBinId]);
      }),
    );
  });

  it('The distance is computed from prices if the bin step is invalid', () => {
    const distances = edgeDistances({
      lowerBinId: 0,
      upperBinId: 9,
      activeBinId: 4,
      binStepBps: 0,
      priceRangeUsd: { lower: 0.5, upper: 3, current: 2 },
    });
    assert.deepEqual(distances, { lower: { percent: -75, bins: undefined }, upper: { percent: 50, bins: undefined } });
    assert.equal(edgeDistances({ lowerBinId: 0, upperBinId: 9, activeBinId: 4, binStepBps: 1_000 }), undefined);
  });
});
