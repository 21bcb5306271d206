import assert from 'node:assert/strict';
import { leftOutSentences } from '../../../../src/base/format/leftOut';

const none = { notReported: 0, implausible: 0 };
const unknown = (notReported: number) => ({ notReported, implausible: 0 });
const both = (left: { readonly notReported: number; readonly implausible: number }) => ({ usd: left, native: left });
const sums = { value: both(none), pnl: both(none), pnlPercent: both(none), uncollectedFee: both(none) };

describe('What sums leave out', () => {
  it('is not mentioned where it is nothing', () => {
    assert.deepEqual(leftOutSentences(sums, 3), []);
  });

  it('is told for each sum by itself', () => {
    assert.deepEqual(leftOutSentences({ ...sums, value: both(unknown(1)), uncollectedFee: both(unknown(2)) }, 3), [
      'Left out, because the service does not report the figure: 1 position in the value, 2 positions in the uncollected fees.',
    ]);
  });

  it('is told by currency where the currencies differ', () => {
    assert.deepEqual(leftOutSentences({ ...sums, pnl: { usd: unknown(1), native: none } }, 3), [
      'Left out of the sums in US dollars, because the service does not report the figure: 1 position in the PnL.',
    ]);
    assert.deepEqual(leftOutSentences({ ...sums, pnl: { usd: none, native: unknown(1) } }, 3), [
      'Left out of the sums in SOL, because the service does not report the figure: 1 position in the PnL.',
    ]);
  });

  it('is told apart from what cannot be real', () => {
    assert.deepEqual(leftOutSentences({ ...sums, value: both({ notReported: 1, implausible: 1 }) }, 3), [
      'Left out, because the service does not report the figure: 1 position in the value.',
      'Left out, because the figure is too large to be real: 1 position in the value.',
    ]);
  });

  it('is not mentioned of a sum that nothing is reported for, since that sum is shown as not known', () => {
    assert.deepEqual(leftOutSentences({ ...sums, value: both(unknown(3)) }, 3), []);
  });
});
