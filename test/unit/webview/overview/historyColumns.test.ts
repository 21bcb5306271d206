import assert from 'node:assert/strict';
import type { ClosedEarningsRow } from '../../../../src/protocol/earnings';
import type { ClosedRow } from '../../../../src/protocol/overview';
import { EARNED_COLUMNS, historyColumns } from '../../../../webview/overview/historyColumns';
import { figuresOf } from '../../../../webview/shared/figures';

const NOTHING = { usd: undefined, native: undefined };
const ROW: ClosedRow = {
  key: 'a',
  address: undefined,
  pool: undefined,
  pairName: 'A/B',
  poolType: 'dlmm',
  strategy: undefined,
  openedAtMs: undefined,
  closedAtMs: undefined,
  ageHours: undefined,
  input: NOTHING,
  output: NOTHING,
  fee: NOTHING,
  feePercent: { usd: 1.25, native: 2.5 },
  reward: NOTHING,
  pnl: NOTHING,
  pnlPercent: { usd: 5.5, native: -7 },
  dailyReturn: { usd: 0.055, native: -0.07 },
  audited: { solIn: undefined, solOut: undefined, pnlNative: undefined },
  lowerBinId: undefined,
  upperBinId: undefined,
};

describe('The columns of the history', () => {
  it('Rates are written in percent, whether the service reports percent or fractions', () => {
    const written = (['usd', 'native'] as const).map((currency) => {
      const columns = historyColumns(figuresOf('en-US'), currency);
      return ['feePercent', 'pnlPercent', 'dailyReturn'].map((id) => columns.find((column) => column.id === id)?.text(ROW));
    });
    assert.deepEqual(written, [
      ['1.25%', '+5.50%', '+5.50%'],
      ['2.50%', '−7.00%', '−7.00%'],
    ]);
  });

  it('Estimated fees, and the PnL that contains them, are marked as estimates, and no other figure', () => {
    const columns = historyColumns(figuresOf('en-US'), 'usd');
    const written = (row: ClosedRow) => ['input', 'fee', 'pnl'].map((id) => columns.find((column) => column.id === id)?.text(row));
    const money = { usd: 5, native: 1 };
    const row: ClosedRow = { ...ROW, input: money, fee: money, pnl: money };
    assert.deepEqual(written(row), ['$5.00', '$5.00', '+$5.00']);
    assert.deepEqual(written({ ...row, isFeeEstimate: true }), ['$5.00', '≈\u00A0$5.00', '≈\u00A0+$5.00']);
  });

  it('What a position really earned stands beside its difference to the service’s PnL, and is a dash where it is not known', () => {
    const cells = (earned?: ClosedEarningsRow['earned']) => {
      const columns = historyColumns(figuresOf('en-US'), 'usd', new Map(earned === undefined ? [] : [['a', earned]]));
      return EARNED_COLUMNS.map((id) => columns.find((column) => column.id === id)?.text(ROW));
    };
    assert.deepEqual(cells({ known: true, realSol: -0.25, differenceSol: 0.125 }), ['−0.25 SOL', '+0.125 SOL']);
    assert.deepEqual(cells({ known: true, realSol: 1, differenceSol: undefined }), ['+1 SOL', '–']);
    assert.deepEqual(cells({ known: false, why: 'noRpc' }), ['–', '–']);
    assert.deepEqual(cells(), ['…', '…']);
  });
});
