import assert from 'node:assert/strict';
import { earnedCounts, incompleteSums } from '../../../../webview/overview/historySection';
import { figuresOf } from '../../../../webview/shared/figures';

const ALL = { usd: 1_500, native: 1_500 };
const SUMS = {
  ...{ input: {}, output: {}, fee: {}, reward: {}, pnl: {}, pnlPercent: {}, leftOut: { usd: 0, native: 0 } },
  counts: { input: ALL, output: ALL, fee: { usd: 1_498, native: 1_500 }, reward: { usd: 0, native: 0 }, pnl: { usd: 300, native: 1_500 } },
};
const COLUMNS = [
  { id: 'pairName', label: 'Pair' },
  { id: 'input', label: 'Deposited' },
  { id: 'fee', label: 'Fees' },
  { id: 'pnl', label: 'PnL' },
];

describe('The sums of the history', () => {
  const { text } = figuresOf('en-US');

  it('It is said how many positions each shown sum leaves out', () => {
    assert.equal(
      incompleteSums({ found: 1_500, sums: SUMS }, COLUMNS, 'usd', text),
      'Not in sums, as unknown or implausible: Fees 2, PnL 1,200.',
    );
    assert.equal(incompleteSums({ found: 1_500, sums: SUMS }, COLUMNS, 'native', text), undefined);
  });

  it('It is said of how many positions the sums by transactions are, as long as it is not all of them and a column shows one', () => {
    const sums = { really: { sol: 1, count: 40 }, difference: { sol: 1, count: 39 } };
    const columns = [...COLUMNS, { id: 'really', label: 'Really' }, { id: 'difference', label: 'Difference' }];
    assert.equal(
      earnedCounts(sums, 1_500, columns, text),
      'In sums so far: Really 40, Difference 39, of 1,500. Others are read once on the screen.',
    );
    assert.equal(earnedCounts(sums, 40, columns.slice(0, -1), text), undefined, 'all');
    assert.equal(earnedCounts(sums, 1_500, COLUMNS, text), undefined, 'no column');
  });
});
