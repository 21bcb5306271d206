import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exportCsv, type ExportEntry } from '../../../../src/base/insight/export';

/** The cells of a CSV, as a spreadsheet reads them. */
function cellsOf(csv: string): readonly string[] {
  return [...csv.matchAll(/(?:^|,|(?<=\r\n))(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  );
}

describe('Insight: export', () => {
  const token = (symbol: string, amount: bigint) => ({ symbol, mint: `mint-${symbol}`, raw: amount, decimals: 2 });
  const entry: ExportEntry = {
    ...{ timeS: 1_793_571_605, signature: 'sig', what: 'Zap-out', feeLamports: 5_000n },
    ...{ sent: [], received: [token('A', 150n), token('B', 0n), token('C', 1n)], rewards: [token('A', 5n)] },
  };

  it('Several tokens are a row each, amounts of nothing none, and the fee stands in the first row alone', () => {
    const rows = exportCsv('koinly', [entry]).split('\r\n').slice(1);
    assert.deepEqual(rows, [
      '2026-11-01 22:20:05 UTC,,,1.5,A,0.000005,SOL,,,,Zap-out mint-A,sig',
      '2026-11-01 22:20:05 UTC,,,0.01,C,,,,,,Zap-out mint-C,sig',
      '2026-11-01 22:20:05 UTC,,,0.05,A,,,,,reward,Zap-out mint-A,sig',
      '',
    ]);
  });

  it('No cell begins like a formula, whatever a token is called, and a transaction without anything is no row', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('koinly' as const, 'cointracking' as const), (symbol, format) => {
        const csv = exportCsv(format, [{ ...entry, what: symbol, received: [token(symbol, 1n)], rewards: [] }]);
        assert.deepEqual(
          cellsOf(csv).filter((cell) => /^[ \u00a0\t\r\n]*[=+\-@]/.test(cell)),
          [],
        );
      }),
      {
        examples: [
          ['"-', 'koinly'],
          ['=1+1', 'koinly'],
          ['\t@SUM(A1)', 'koinly'],
          ['-2', 'cointracking'],
          ['a\n=b', 'koinly'],
        ],
      },
    );
    assert.equal(cellsOf(exportCsv('koinly', [entry])).filter((cell) => cell !== '').length, 12 + 7 + 5 + 6);
    assert.equal(exportCsv('koinly', [{ ...entry, received: [], rewards: [], feeLamports: 0n }]).split('\r\n').length, 2);
  });
});
