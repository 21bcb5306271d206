import assert from 'node:assert/strict';
import { spreadOverBins } from '../../../src/dlmm/strategy';
import { turnoverOf } from '../../../src/sandbox/market/series';
import { depthAt, volatilityAfter } from '../../../src/sandbox/market/trading';
import { deposit, feesOf, type PositionState } from '../../../src/sandbox/market/position';
import type { Market } from '../../../src/sandbox/market/market';
import type { Pool } from '../../../src/sandbox/market/pool';
import { NOON, poolOf, positionIn, worldAt } from './worlds';

/** All of the pool near the active bin, several times over. */
function dominate(market: Market, pool: Pool, lower: number, upper: number, times: number, byte = 1): PositionState {
  const position = positionIn(pool, lower, upper, byte);
  const usdY = market.usd(pool.tokenY);
  for (let binId = position.lowerBinId; binId <= position.upperBinId; binId += 1) {
    const raw = BigInt(Math.round(times * depthAt(pool, binId, usdY)));
    const amounts = binId <= pool.activeBinId ? { amountX: 0n, amountY: raw } : { amountX: (raw << 64n) / pool.priceQ64(binId), amountY: 0n };
    deposit(pool, position, [{ binId, ...amounts }]);
  }
  return position;
}

describe('fees', function () {
  this.timeout(30_000);
  it('go to whoever has the liquidity: all but others\' part and the protocol\'s', () => {
    for (const key of ['SOL-USDC-4', 'WYFF-SOL-80', 'GIGALAMB-SOL-250']) {
      const market = worldAt(5);
      const pool = poolOf(market, key);
      const position = dominate(market, pool, -200, 200, 99);
      const hour = 3_600_000;
      const start = market.now;
      market.advance(start + hour);
      const { feeUsd } = turnoverOf(pool.state.series, market.now, market.now - start);
      const { x, y } = feesOf(pool, position);
      const earned = (Number(x) / 10 ** pool.tokenX.spec.decimals) * market.usd(pool.tokenX) + (Number(y) / 10 ** pool.tokenY.spec.decimals) * market.usd(pool.tokenY);
      const part = earned / (feeUsd * (1 - pool.spec.protocolShareBps / 10_000));
      // Others follow the price and add a little; fees in X are valued at another moment than they came.
      assert.ok(part > 0.93 && part < 1.06, `${key}: ${earned} of ${feeUsd}`);
    }
  });

  it('do not go to who is out of range', () => {
    const market = worldAt(5);
    const pool = poolOf(market, 'JUPP-SOL-20');
    const far = dominate(market, pool, 2_000, 2_030, 1, 2);
    deposit(pool, far, [{ binId: far.lowerBinId, amountX: 10n ** 9n, amountY: 0n }]);
    market.advance(market.now + 3_600_000);
    assert.deepEqual(feesOf(pool, far), { x: 0n, y: 0n });
  });

  it('rise with the bins that the price crosses, keep that for a while, and forget it in time', () => {
    const calm = { accumulator: 0, reference: 0, referenceBin: 100, tradedAt: NOON };
    const moved = volatilityAfter(calm, 5, 103, 150_000);
    assert.deepEqual(moved, { ...calm, accumulator: 30_000 });
    assert.deepEqual(volatilityAfter(moved, 29, 105, 150_000), { ...calm, accumulator: 50_000 });
    assert.deepEqual(volatilityAfter(moved, 30, 105, 150_000), { ...calm, reference: 15_000, referenceBin: 105, accumulator: 15_000 });
    assert.deepEqual(volatilityAfter(moved, 600, 105, 150_000), { ...calm, referenceBin: 105 });
    assert.equal(volatilityAfter(calm, 5, 400, 150_000).accumulator, 150_000);
  });

  it('are higher after a shock', () => {
    const market = worldAt(5);
    const pool = poolOf(market, 'SOL-USDC-4');
    const before = pool.feeRates().total;
    market.shock(pool, 5);
    market.step(1);
    assert.ok(pool.feeRates().total > before);
    assert.ok(pool.feeRates().total <= pool.feeRates(pool.spec.maxVolatility).total);
  });

  it('are of the size that the published formula gives', () => {
    const market = worldAt(5);
    for (const [key, percent] of [['SOL-USDC-4', 0.04], ['BONQ-SOL-25', 0.25], ['POPKAT-SOL-100', 1], ['BONQ-SOL-100', 2]] as const) {
      assert.equal(Number(poolOf(market, key).feeRates(0).total) / 1e7, percent);
    }
  });

  it('reach a position that was spread as clients do', () => {
    const market = worldAt(6);
    const pool = poolOf(market, 'BONQ-SOL-25');
    const position = positionIn(pool, -34, 34);
    deposit(pool, position, spreadOverBins({ activeBinId: pool.activeBinId, fromBinId: position.lowerBinId, toBinId: position.upperBinId, binStepBps: 25, strategy: 'Curve', amountX: 10n ** 12n, amountY: 10n ** 10n }));
    market.advance(market.now + 600_000);
    const { x, y } = feesOf(pool, position);
    assert.ok(x > 0n && y > 0n);
  });
});
