import assert from 'node:assert/strict';
import fc from 'fast-check';
import { historyColumn, type ClosedRow } from '../../../../src/protocol/overview';
import { historyRows, HistoryRows } from '../../../../webview/overview/historyModel';
import { NEWEST_FIRST } from '../../../../webview/overview/state';

const NONE = {};

function row(key: string, more: Partial<ClosedRow> = {}): ClosedRow {
  return {
    key,
    pairName: 'BONQ/SOL',
    poolType: 'dlmm',
    input: NONE,
    output: NONE,
    fee: NONE,
    feePercent: NONE,
    reward: NONE,
    pnl: NONE,
    pnlPercent: NONE,
    dailyReturn: NONE,
    audited: {},
    ...more,
  };
}

const keys = (rows: readonly ClosedRow[]): readonly string[] => rows.map(({ key }) => key);

describe('Rows of the history', () => {
  const figure = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: undefined });
  const rows = fc
    .array(fc.record({ usd: figure, native: figure, closedAtMs: figure }))
    .map((all) =>
      all.map(({ closedAtMs, ...money }, index) =>
        row(String(index), {
          closedAtMs,
          ageHours: closedAtMs,
          input: money,
          output: money,
          fee: money,
          pnl: money,
          pnlPercent: money,
          dailyReturn: money,
        }),
      ),
    );

  it('Rows sort by any column, with unknown values last in both orders, and none is lost', () => {
    fc.assert(
      fc.property(
        rows,
        fc.constantFrom(...historyColumn.options),
        fc.constantFrom('asc', 'desc'),
        fc.constantFrom('usd', 'native'),
        (all, column, order, currency) => {
          const sorted = historyRows(all, { search: '', sort: { column, order }, currency });
          assert.deepEqual(new Set(keys(sorted)), new Set(keys(all)));
          const values = sorted.map((one) =>
            column === 'pairName' ? one.pairName : column === 'closedAtMs' || column === 'ageHours' ? one[column] : one[column][currency],
          );
          for (const [index, value] of values.entries()) {
            const next = values[index + 1];
            if (index + 1 < values.length && value === undefined) {
              assert.equal(next, undefined);
            }
            if (value !== undefined && next !== undefined) {
              assert.ok(order === 'asc' ? value <= next : value >= next);
            }
          }
        },
      ),
    );
  });

  it('Rows with equal values keep the order of the service', () => {
    const all = [row('b', { pnl: { usd: 1 } }), row('a', { pnl: { usd: 1 } }), row('c', { pnl: { usd: 1 } })];
    for (const order of ['asc', 'desc'] as const) {
      assert.deepEqual(keys(historyRows(all, { search: '', sort: { column: 'pnl', order }, currency: 'usd' })), ['b', 'a', 'c']);
    }
  });

  it('Search finds rows by pair, address and followed wallet, with all words and in any case', () => {
    const all = [
      row('one', { pairName: 'JUPP/SOL' }),
      row('two', { address: 'Aaaa1111' }),
      row('three', { followed: { label: 'whale of March' } }),
    ];
    const found = (search: string) => keys(historyRows(all, { search, sort: NEWEST_FIRST, currency: 'usd' }));
    assert.deepEqual(found('jupp'), ['one']);
    assert.deepEqual(found('AAAA1'), ['two']);
    assert.deepEqual(found('  march  WHALE '), ['three']);
    assert.deepEqual(found('bonq march'), ['three']);
    assert.deepEqual(found('march jupp'), []);
    assert.equal(found('   ').length, 3);
  });

  it('Rows are sorted again only if the rows or the query change', () => {
    const remembered = new HistoryRows();
    const all = [row('one')];
    const query = { search: '', sort: NEWEST_FIRST, currency: 'usd' } as const;
    const first = remembered.of(all, query);
    assert.equal(remembered.of(all, { ...query }), first);
    assert.notEqual(remembered.of([...all], query), first);
    assert.deepEqual(keys(remembered.of(all, { ...query, search: 'nothing such' })), []);
  });
});
