import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { PositionEvent } from '../../../../src/protocol/position';
import { depositBin, ownBins } from '../../../../webview/position/ownBins';

const token = (amount: number | undefined, priceUsd: number | undefined) => ({ symbol: 'T', amount, priceUsd, uncollectedFee: 0 });
const POSITION = { strategy: 'Spot', lowerBinId: -10, upperBinId: 10, activeBinId: 0, binStepBps: 100, x: token(100, 1), y: token(110, 1) };

describe('The bins of a position', () => {
  it('The bins hold all of both tokens: X above the active bin, Y up to it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: -300, max: 300 }),
        fc.nat(200),
        fc.integer({ min: -600, max: 600 }),
        fc.constantFrom('Spot', 'Curve', 'BidAsk'),
        fc.option(fc.integer({ min: -600, max: 600 }), { nil: undefined }),
        (binStepBps, lowerBinId, width, activeBinId, strategy, center) => {
          const upperBinId = lowerBinId + width;
          const x = token(activeBinId > upperBinId ? 0 : 100, 1);
          const y = token(activeBinId < lowerBinId ? 0 : 110, 1);
          const bins = ownBins({ ...POSITION, x, y, binStepBps, lowerBinId, upperBinId, activeBinId, strategy }, center) ?? [];
          assert.deepEqual(
            bins.map(({ binId }) => binId),
            Array.from({ length: width + 1 }, (_, place) => lowerBinId + place),
          );
          const sum = (of: 'x' | 'y' | 'usd') => bins.reduce((total, bin) => total + bin[of], 0);
          const [allX, allY] = [x.amount ?? 0, y.amount ?? 0];
          assert.ok(Math.abs(sum('x') - allX) < 1e-6 && Math.abs(sum('y') - allY) < 1e-6 && Math.abs(sum('usd') - allX - allY) < 1e-6);
          assert.ok(bins.every((bin) => bin.x >= 0 && bin.y >= 0 && (bin.x === 0 || bin.binId > activeBinId || bin.binId === upperBinId)));
          assert.ok(bins.every((bin) => bin.y === 0 || bin.binId <= activeBinId || bin.binId === lowerBinId));
        },
      ),
    );
  });

  it('Spot is even, Curve is highest and BidAsk lowest where the price was at the deposit', () => {
    const y = (strategy: string, center: number) => (ownBins({ ...POSITION, strategy }, center) ?? []).map((bin) => bin.y);
    assert.deepEqual(
      new Set(
        y('Spot', 0)
          .slice(0, 11)
          .map((amount) => amount.toFixed(6)),
      ),
      new Set(['10.000000']),
    );
    const [curve, bidAsk] = [y('Curve', -5), y('BidAsk', -5)];
    assert.equal(curve.indexOf(Math.max(...curve)), 5);
    assert.equal(Math.min(...bidAsk.slice(0, 6)), bidAsk[5]);
  });

  it('A range with more bins than there are bins above bin 0 is estimated, too', () => {
    const wide = { ...POSITION, binStepBps: 400, lowerBinId: -600, upperBinId: 600 };
    for (const strategy of ['Spot', 'Curve', 'BidAsk']) {
      const bins = ownBins({ ...wide, strategy }, 0) ?? [];
      assert.equal(bins.length, 1_201);
      assert.ok(Math.abs(bins.reduce((sum, { usd }) => sum + usd, 0) - 210) < 1e-6, strategy);
    }
  });

  it('The bins are not estimated without the figures that this needs', () => {
    for (const part of [
      { strategy: undefined },
      { strategy: 'Odd' },
      { lowerBinId: undefined },
      { lowerBinId: 11 },
      { activeBinId: undefined },
      { binStepBps: 0 },
      { upperBinId: 5_000 },
      { x: token(undefined, 1) },
      { y: token(1, undefined) },
      // Both tokens, though the price is outside: the figures are from different moments.
      { activeBinId: 11 },
      { activeBinId: -11 },
    ]) {
      assert.equal(ownBins({ ...POSITION, ...part }, undefined), undefined, JSON.stringify(part));
    }
  });

  it('The active bin at the deposit follows from the prices of the first deposit', () => {
    const event = (action: string, price0Usd: number | undefined): PositionEvent => ({
      action,
      atMs: 1,
      amount0Raw: '5',
      amount1Raw: '0',
      decimals0: 6,
      decimals1: 9,
      price0Usd,
      price1Usd: 100,
    });
    // Newest first. 0.001 × 1.01^-7 raw units of Y per X, times 1000 in whole tokens.
    const events = [event('claim_fee', 9), event('add_liquidity', 8), event('addLiquidity', 100 * 1.01 ** -7 * 0.001)];
    assert.equal(depositBin(events, 100), -7);
    assert.equal(depositBin(events, undefined), undefined);
    assert.equal(depositBin([event('add', undefined)], 100), undefined);
    assert.equal(depositBin([event('claim_fee', 1)], 100), undefined);
  });
});
