import assert from 'node:assert/strict';
import { binPrices, percentFromActive, sumsOf, valueBins } from '../../../../../webview/pool/distribution/worth';
import type { PoolView } from '../../../../../src/protocol/pool';
import { uiPriceOfBin } from '../../../../../src/base/dlmm/bins';

type Priced = Pick<PoolView, 'bins' | 'x' | 'y' | 'price' | 'binStepBps' | 'activeBinId'>;
const POOL: Priced = {
  bins: [
    { binId: 1, x: 10, y: 0 },
    { binId: 0, x: 5, y: 2 },
    { binId: -1, x: 0, y: 3 },
  ],
  x: { symbol: 'BONK', decimals: 5, priceUsd: 2 },
  y: { symbol: 'SOL', decimals: 9, priceUsd: 100 },
  price: 0.02,
  binStepBps: 100,
  activeBinId: 0,
};

describe('Value of bins', () => {
  it('Bins are valued in US dollars if both prices are known', () => {
    const { unit, bins } = valueBins(POOL);
    assert.equal(unit, 'usd');
    assert.deepEqual(
      bins.map(({ binId, worthX, worthY, total }) => [binId, worthX, worthY, total]),
      [
        [-1, 0, 300, 300],
        [0, 10, 200, 210],
        [1, 20, 0, 20],
      ],
    );
  });

  it('Bins are valued in token Y by the price of the pool or bin if a dollar price is unknown', () => {
    const without = { ...POOL, x: { symbol: 'BONK', decimals: 5 } };
    assert.deepEqual(
      valueBins(without).bins.map(({ total }) => total),
      [3, 2.1, 0.2],
    );
    assert.equal(valueBins(without).unit, 'y');
    const byBin = valueBins({ ...without, price: undefined }).bins[2];
    assert.ok(Math.abs((byBin?.total ?? 0) - 10 * uiPriceOfBin(1, 100, 5, 9)) < 1e-12);
  });

  it('The value of a bin is never negative, whatever the service reports', () => {
    assert.deepEqual(
      valueBins({ ...POOL, bins: [{ binId: 0, x: -5, y: -5 }] }).bins.map(({ total }) => total),
      [0],
    );
  });

  it('The sums count the bins with liquidity, their amounts and values, and find the fullest bin', () => {
    const { count, x, y, worthX, worthY, fullest } = sumsOf([
      ...valueBins(POOL).bins,
      { binId: 9, x: 0, y: 0, worthX: 0, worthY: 0, total: 0 },
    ]);
    assert.deepEqual([count, x, y, worthX, worthY, fullest?.binId], [3, 15, 5, 30, 500, -1]);
    assert.equal(sumsOf([]).fullest, undefined);
  });
});

describe('Prices of bins on the chart', () => {
  it('Prices of bins follow the decimals of both tokens', () => assert.equal(binPrices(POOL)(7), uiPriceOfBin(7, 100, 5, 9)));

  it('Prices of bins follow the price of the pool if decimals are unknown', () => {
    const priceOf = binPrices({ ...POOL, x: { symbol: 'BONK' } });
    assert.equal(priceOf(0), 0.02);
    assert.ok(Math.abs((priceOf(1) ?? 0) - 0.0202) < 1e-12);
  });

  it('Prices of bins are unknown if the pool reports too little or the bin does not exist', () => {
    for (const pool of [
      { ...POOL, binStepBps: undefined },
      { ...POOL, binStepBps: 0 },
      { ...POOL, binStepBps: 2.5 },
      { ...POOL, x: { symbol: '?' }, price: undefined },
    ]) {
      assert.equal(binPrices(pool)(0), undefined);
    }
    assert.equal(binPrices(POOL)(1e9), undefined);
  });

  it('Prices of neighboring bins differ by one bin step from the active bin', () => {
    assert.equal(percentFromActive(POOL, 0), 0);
    assert.ok(Math.abs((percentFromActive(POOL, 1) ?? 0) - 1) < 1e-9);
    assert.equal(percentFromActive({ ...POOL, activeBinId: undefined }, 1), undefined);
  });
});
