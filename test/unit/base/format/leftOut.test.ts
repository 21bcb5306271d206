import assert from 'node:assert/strict';
import { leftOutSentences } from '../../../../src/base/format/leftOut';

const none = { notReported: 0, implausible: 0 };
const unknown = (notReported: number) => ({ notReported, implausible: 0 });
const both = (left: { readonly notReported: number; readonly implausible: number }) => ({ usd: left, native: left });
const sums = { value: both(none), pnl: both(none), pnlPercent: both(none), uncollectedFee: both(none) };

describe('Positions that sums leave out', () => {
  it('There is no sentence when nothing is left out', () => {
    assert.deepEqual(leftOutSentences(sums, 3), []);
  });

  it('One sentence lists the sums with the number of positions that each leaves out', () => {
    assert.deepEqual(leftOutSentences({ ...sums, value: both(unknown(1)), uncollectedFee: both(unknown(2)) }, 3), [
      'Left out, as not reported: 1 position (Value), 2 positions (Unclaimed fees).',
    ]);
  });

  it('The sentence names the currency when the currencies differ', () => {
    assert.deepEqual(leftOutSentences({ ...sums, pnl: { usd: unknown(1), native: none } }, 3), [
      'Left out, as not reported: 1 position (PnL, USD).',
    ]);
    assert.deepEqual(leftOutSentences({ ...sums, pnl: { usd: none, native: unknown(1) } }, 3), [
      'Left out, as not reported: 1 position (PnL, SOL).',
    ]);
  });

  it('Missing and implausible figures have a sentence each', () => {
    assert.deepEqual(leftOutSentences({ ...sums, value: both({ notReported: 1, implausible: 1 }) }, 3), [
      'Left out, as not reported: 1 position (Value).',
      'Left out, as too large to be real: 1 position (Value).',
    ]);
  });

  it('A sum for which no position reports a figure is not mentioned, since it is shown as unknown', () => {
    assert.deepEqual(leftOutSentences({ ...sums, value: both(unknown(3)) }, 3), []);
  });
});
