import assert from 'node:assert/strict';
import { incompleteSums } from '../../../../webview/overview/historySection';
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
      'Positions left out of sums, because amounts are unknown or implausible: Fees 2, PnL 1,200.',
    );
    assert.equal(incompleteSums({ found: 1_500, sums: SUMS }, COLUMNS, 'native', text), undefined);
  });
});
