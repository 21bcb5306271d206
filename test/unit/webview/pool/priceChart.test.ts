import assert from 'node:assert/strict';
import type { OwnRange } from '../../../../src/protocol/pool';
import { chartRanges, ownBounds, pricePoints, tradedPrices } from '../../../../webview/pool/priceChart';

const HOUR_MS = 3_600_000;
const POOL = {
  x: { symbol: 'X', priceUsd: 3 },
  activeBinId: 100,
  binStepBps: 100,
  priceAfterChanges: { usd: 3, atMs: 100 * HOUR_MS },
  priceChangePercent: { '5m': 0, '1h': undefined, '6h': 50, '24h': -40 },
};
const own = (lowerBinId: number | undefined, upperBinId: number | undefined): OwnRange => ({
  key: `${lowerBinId}`,
  lowerBinId,
  upperBinId,
  value: {},
  pnl: {},
  uncollectedFee: {},
});

describe('The price of a pool over a day', () => {
  it('Past prices follow from the current one and the changes since; a change that is not reported has no point', () => {
    assert.deepEqual(pricePoints(POOL, 100 * HOUR_MS), [
      { atMs: 76 * HOUR_MS, usd: 5 },
      { atMs: 94 * HOUR_MS, usd: 2 },
      { atMs: 100 * HOUR_MS - 300_000, usd: 3 },
      { atMs: 100 * HOUR_MS, usd: 3 },
    ]);
    assert.deepEqual(pricePoints({ ...POOL, x: { symbol: 'X' } }, 0), []);
    assert.deepEqual(pricePoints({ ...POOL, priceChangePercent: {} }, 0), []);
    assert.deepEqual(pricePoints({ ...POOL, priceChangePercent: { '24h': -100 } }, 0), []);
  });

  it('Past prices are those before the price that was read with the changes, whenever the current price was read', () => {
    const changed = { ...POOL, x: { symbol: 'X', priceUsd: 4 }, priceChangePercent: { '6h': 50 } };
    assert.deepEqual(pricePoints(changed, 101 * HOUR_MS), [
      { atMs: 94 * HOUR_MS, usd: 2 },
      { atMs: 101 * HOUR_MS, usd: 4 },
    ]);
    assert.deepEqual(pricePoints(changed, 99 * HOUR_MS), [
      { atMs: 94 * HOUR_MS, usd: 2 },
      { atMs: 100 * HOUR_MS, usd: 3 },
    ]);
    assert.deepEqual(pricePoints({ ...changed, priceAfterChanges: undefined }, 100 * HOUR_MS), []);
  });

  it("The chart has the bounds of the wallet's range where there is exactly one", () => {
    const bounds = ownBounds(POOL, [own(90, 110)]);
    assert.ok(bounds !== undefined);
    assert.ok(Math.abs(bounds.lower - 3 * 1.01 ** -10) < 1e-9 && Math.abs(bounds.upper - 3 * 1.01 ** 10) < 1e-9);
    assert.equal(ownBounds(POOL, []), undefined);
    assert.equal(ownBounds(POOL, [own(90, 110), own(95, 105)]), undefined);
    assert.equal(ownBounds(POOL, [own(undefined, 110)]), undefined);
    assert.equal(ownBounds({ ...POOL, binStepBps: undefined }, [own(90, 110)]), undefined);
  });
});

describe('The price of a pool by candles', () => {
  const PRICES = [
    { atMs: 100, price: 1 },
    { atMs: 200, price: 2 },
  ];

  it("The wallet's deposits and withdrawals are marks at their own price, or at the candle's before them", () => {
    const points = tradedPrices({ prices: PRICES }, [
      { atMs: 150, kind: 'entry', price: 1.25 },
      { atMs: 200, kind: 'exit' },
      { atMs: 200, kind: 'entry' },
      { atMs: 250, kind: 'exit' },
    ]);
    assert.deepEqual(points, [
      { atMs: 100, price: 1, marks: [] },
      { atMs: 150, price: 1.25, marks: ['entry'] },
      { atMs: 200, price: 2, marks: ['exit', 'entry'] },
      { atMs: 250, price: 2, marks: ['exit'] },
    ]);
  });

  it('Trades before the first candle do not stretch the chart', () => {
    assert.deepEqual(
      tradedPrices({ prices: PRICES }, [{ atMs: 99, kind: 'entry', price: 1 }]).map(({ atMs }) => atMs),
      [100, 200],
    );
    assert.deepEqual(tradedPrices({ prices: [] }, [{ atMs: 99, kind: 'entry', price: 1 }]), []);
  });

  it('Several ranges of the wallet are drawn from the lowest on, and a planned one instead of them', () => {
    const pool = { price: 2, activeBinId: 100, binStepBps: 100 };
    const ranges = chartRanges(pool, [own(105, 110), own(90, 95), own(undefined, 3)], undefined);
    assert.deepEqual(
      ranges.map(({ of, bounds }) => [of, bounds.lower.toFixed(6), bounds.upper.toFixed(6)]),
      [
        [1, (2 * 1.01 ** -10).toFixed(6), (2 * 1.01 ** -5).toFixed(6)],
        [2, (2 * 1.01 ** 5).toFixed(6), (2 * 1.01 ** 10).toFixed(6)],
      ],
    );
    assert.deepEqual(
      chartRanges(pool, [own(90, 95)], undefined).map(({ of }) => of),
      ['only'],
    );
    const planned = chartRanges(pool, [own(90, 95)], { fromBinId: 100, toBinId: 110 });
    assert.deepEqual(
      planned.map(({ of, bounds }) => [of, bounds.lower]),
      [['planned', 2]],
    );
    assert.equal(chartRanges(pool, [own(1, 2), own(3, 4), own(5, 6), own(7, 8)], undefined).length, 3);
    assert.deepEqual(chartRanges({ ...pool, price: undefined }, [own(90, 95)], undefined), []);
  });
});
