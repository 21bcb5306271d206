import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type ClosedRow,
  type HistoryQuery,
  type HistoryRequest,
  type HistoryWindow,
  overviewToHost,
} from '../../../../src/protocol/overview';
import { HistoryRequests, rowsOf } from '../../../../webview/overview/historyRequests';

const QUERY: HistoryQuery = { search: '', result: 'all', sort: { column: 'closedAtMs', order: 'desc' } };
const NO_SUMS: HistoryWindow['sums'] = {
  input: {},
  output: {},
  fee: {},
  reward: {},
  pnl: {},
  pnlPercent: {},
  leftOut: { usd: 0, native: 0 },
  counts: {
    input: { usd: 0, native: 0 },
    output: { usd: 0, native: 0 },
    fee: { usd: 0, native: 0 },
    reward: { usd: 0, native: 0 },
    pnl: { usd: 0, native: 0 },
  },
};

function row(index: number): ClosedRow {
  return {
    ...{ key: `k${index}`, pairName: 'BONQ/SOL', poolType: 'dlmm', audited: {} },
    ...{ input: {}, output: {}, fee: {}, feePercent: {}, reward: {}, pnl: {}, pnlPercent: {}, dailyReturn: {} },
  };
}

/** What the extension answers, of so many rows. */
function answer({ id, from, count, anchor }: HistoryRequest, found: number): HistoryWindow {
  const to = Math.min(from + count, found);
  return {
    ...{ id, found, from, sums: NO_SUMS },
    rows: Array.from({ length: Math.max(to - from, 0) }, (_, index) => row(from + index)),
    ...(anchor === undefined ? {} : { anchor: { key: anchor, index: 7 } }),
  };
}

const shown = (from: number, to: number, currentKey?: string) => ({ from, to, currentKey });

describe('Requests for rows of the history', () => {
  it('Wherever the table is scrolled to, its rows are there after one request, and nothing more is requested', () => {
    fc.assert(
      fc.property(
        fc.nat(100_000),
        fc.array(fc.tuple(fc.nat(100_000), fc.integer({ min: 1, max: 200 })), { minLength: 1, maxLength: 4 }),
        (found, moves) => {
          const requests = new HistoryRequests();
          let window = answer(requests.first(QUERY), found);
          for (const [at, height] of moves) {
            const drawn = shown(Math.min(at, found), Math.min(at + height, found));
            const request = requests.next(QUERY, drawn, window);
            if (request !== undefined) {
              assert.ok(overviewToHost.safeParse({ kind: 'historyRows', request }).success);
              assert.equal(requests.next(QUERY, shown(0, 50), window), undefined, 'one at a time');
              window = answer(request, found);
            }
            const rows = rowsOf(window);
            for (let index = drawn.from; index < drawn.to; index += 1) {
              assert.equal(rows.at(index)?.key, `k${index}`);
            }
            assert.equal(requests.next(QUERY, drawn, window), undefined);
          }
        },
      ),
    );
  });

  it('Another search, order or currency is requested at once, even while an answer is outstanding', () => {
    const requests = new HistoryRequests();
    const window = answer(requests.first(QUERY), 5_000);
    const first = requests.next(QUERY, shown(2_000, 2_050, 'k2010'), window);
    assert.deepEqual([first?.id, first?.from, first?.count, first?.anchor], [2, 1_940, 170, 'k2010']);
    for (const [index, query] of [
      { ...QUERY, search: 'bonq' },
      { ...QUERY, result: 'gains' as const },
      { ...QUERY, currency: 'native' as const },
    ].entries()) {
      const request = { id: 3 + index, query, from: 0, count: 100 };
      assert.deepEqual(requests.next(query, shown(0, 40), window), request);
      assert.deepEqual([requests.isAnswered(query, window), requests.isAnswered(query, answer(request, 9))], [false, true]);
    }
  });

  it('The current row is found where it went, also outside of the rows that are there', () => {
    const window = answer({ id: 1, query: QUERY, from: 100, count: 50, anchor: 'k9' }, 1_000);
    const rows = rowsOf(window);
    assert.deepEqual([rows.placeOf?.('k120'), rows.placeOf?.('k9'), rows.placeOf?.('k10')], [120, 7, undefined]);
    assert.deepEqual([rows.length, rows.at(99), rows.at(100)?.key, rows.at(150)], [1_000, undefined, 'k100', undefined]);
  });
});
