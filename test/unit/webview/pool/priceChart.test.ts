import assert from 'node:assert/strict';
import type { OwnRange } from '../../../../src/protocol/pool';
import { ownBounds, pricePoints } from '../../../../webview/pool/priceChart';

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
