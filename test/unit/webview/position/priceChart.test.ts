import assert from 'node:assert/strict';
import type { PositionEvent } from '../../../../src/protocol/position';
import { priceHistory } from '../../../../webview/position/priceChart';

const POSITION = {
  lowerBinId: -10,
  upperBinId: 10,
  activeBinId: 0,
  binStepBps: 100,
  x: { symbol: 'X', amount: 1, priceUsd: 4, uncollectedFee: 0 },
  y: { symbol: 'Y', amount: 1, priceUsd: 2, uncollectedFee: 0 },
};
const event = (atMs: number | undefined, price0Usd: number | undefined, price1Usd: number | undefined): PositionEvent => ({
  action: 'add',
  atMs,
  price0Usd,
  price1Usd,
});

describe('The prices of a position', () => {
  it('The chart has the prices of events and those that were read, each once and in order', () => {
    const events = [
      event(300, 6, 2),
      event(100, 3, 2),
      event(100, 3, 2),
      event(200, undefined, 2),
      event(undefined, 3, 2),
      event(250, 3, 0),
    ];
    const { points, fromEvents, seen } = priceHistory(POSITION, events, [{ atMs: 400, price: 2 }]);
    assert.deepEqual(points, [
      { atMs: 100, price: 1.5, marks: ['event'] },
      { atMs: 300, price: 3, marks: ['event'] },
      { atMs: 400, price: 2, marks: [] },
    ]);
    assert.deepEqual([fromEvents, seen], [2, 1]);
  });

  it('With candles of the pool the line is theirs, and the events of the position are marks on it', () => {
    const candles = [
      { atMs: 50, price: 1 },
      { atMs: 100, price: 1.4 },
      { atMs: 150, price: 1.6 },
    ];
    const { points, fromCandles, fromEvents } = priceHistory(POSITION, [event(100, 3, 2)], [], candles);
    assert.deepEqual(
      points.map(({ atMs, price, marks }) => [atMs, price, marks.length > 0]),
      [
        [50, 1, false],
        [100, 1.5, true],
        [150, 1.6, false],
      ],
    );
    assert.deepEqual([fromCandles, fromEvents], [3, 1]);
  });

  it("An event without a price is marked at the candle's before it, and nowhere without one", () => {
    const candles = [{ atMs: 50, price: 1 }];
    const { points, fromEvents } = priceHistory(POSITION, [event(40, undefined, 2), event(80, undefined, 2)], [], candles);
    assert.deepEqual(points, [
      { atMs: 50, price: 1, marks: [] },
      { atMs: 80, price: 1, marks: ['event'] },
    ]);
    assert.equal(fromEvents, 1);
    assert.deepEqual(priceHistory(POSITION, [event(80, undefined, 2)], [{ atMs: 60, price: 1 }]).points.length, 1);
  });

  it("The bounds are the range's in the chart's unit, from the current price", () => {
    const { bounds } = priceHistory(POSITION, [], []);
    assert.ok(bounds !== undefined);
    assert.ok(Math.abs(bounds.lower - 2 * 1.01 ** -10) < 1e-12 && Math.abs(bounds.upper - 2 * 1.01 ** 10) < 1e-12);
    assert.equal(priceHistory({ ...POSITION, activeBinId: undefined }, [], []).bounds, undefined);
  });
});
