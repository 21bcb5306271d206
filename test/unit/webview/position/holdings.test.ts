import assert from 'node:assert/strict';
import { holdingsOf } from '../../../../webview/position/holdings';

const position = {
  x: { symbol: 'BONQ', amount: 100, uncollectedFee: 2, priceUsd: 3 },
  y: { symbol: 'SOL', amount: 1, uncollectedFee: 0, priceUsd: 100 },
  value: { usd: 400, native: 4 },
};

describe('what a position holds', () => {
  it('is valued at the prices of the service, and shared out by value', () => {
    const [x, y] = holdingsOf(position, 'usd');
    assert.deepEqual([x.value, x.feeValue, x.share, y.value, y.feeValue, y.share], [300, 6, 0.75, 100, 0, 0.25]);
  });

  it('is told in SOL by what the whole is worth in both', () => {
    const [x, y] = holdingsOf(position, 'native');
    assert.deepEqual([x.value, y.value], [3, 1]);
  });

  it('has no value in SOL where nothing tells the rate', () => {
    const [x] = holdingsOf({ ...position, value: { usd: 0, native: 0 } }, 'native');
    assert.equal(x.value, undefined);
  });

  it('has no shares where one of the two has no price', () => {
    const [x, y] = holdingsOf({ ...position, x: { symbol: 'BONQ', amount: 100 } }, 'usd');
    assert.deepEqual([x.value, x.share, y.value, y.share], [undefined, undefined, 100, undefined]);
  });

  it('is all in one token where the other is gone, price or not', () => {
    const [x, y] = holdingsOf({ ...position, x: { symbol: 'BONQ', amount: 0 } }, 'usd');
    assert.deepEqual([x.value, x.share, y.share], [0, 0, 1]);
  });
});
