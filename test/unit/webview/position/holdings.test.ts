import assert from 'node:assert/strict';
import { holdingsOf } from '../../../../webview/position/holdings';

const position = {
  x: { symbol: 'BONQ', amount: 100, uncollectedFee: 2, priceUsd: 3 },
  y: { symbol: 'SOL', amount: 1, uncollectedFee: 0, priceUsd: 100 },
  value: { usd: 400, native: 4 },
};

describe('Holdings of a position', () => {
  it("Holdings are valued at the service's prices, and shares are by value", () => {
    const [x, y] = holdingsOf(position, 'usd');
    assert.deepEqual([x.value, x.feeValue, x.share, y.value, y.feeValue, y.share], [300, 6, 0.75, 100, 0, 0.25]);
  });

  it("Holdings are valued in SOL by the rate of the position's two values", () => {
    const [x, y] = holdingsOf(position, 'native');
    assert.deepEqual([x.value, y.value], [3, 1]);
  });

  it('Holdings have no value in SOL if the rate is unknown', () => {
    const [x] = holdingsOf({ ...position, value: { usd: 0, native: 0 } }, 'native');
    assert.equal(x.value, undefined);
  });

  it('Holdings have no shares if one token has no price', () => {
    const [x, y] = holdingsOf({ ...position, x: { symbol: 'BONQ', amount: 100 } }, 'usd');
    assert.deepEqual([x.value, x.share, y.value, y.share], [undefined, undefined, 100, undefined]);
  });

  it('The remaining token has the whole share if the other amount is zero, even without a price', () => {
    const [x, y] = holdingsOf({ ...position, x: { symbol: 'BONQ', amount: 0 } }, 'usd');
    assert.deepEqual([x.value, x.share, y.share], [0, 0, 1]);
  });
});
