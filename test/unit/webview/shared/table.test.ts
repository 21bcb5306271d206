import assert from 'node:assert/strict';
import fc from 'fast-check';
import { chosenColumns, ColumnWidths, nextSort, type Column } from '../../../../webview/shared/table/columns';
import { rowAfterKey, rowWindow, scrollTopFor } from '../../../../webview/shared/table/rows';

describe('Drawn rows', () => {
  const sight = fc.record({
    rowCount: fc.nat(20_000),
    rowHeight: fc.integer({ min: 10, max: 60 }),
    scrollTop: fc.integer({ min: -50, max: 1_300_000 }),
    viewHeight: fc.integer({ min: 10, max: 2_000 }),
  });

  it('All visible rows are drawn, and the total height equals that of all rows', () => {
    fc.assert(
      fc.property(sight, (seen) => {
        const { from, to, before, after } = rowWindow(seen);
        const bottom = seen.rowCount * seen.rowHeight;
        assert.ok(from >= 0 && from <= to && to <= seen.rowCount);
        assert.equal(before + (to - from) * seen.rowHeight + after, bottom);
        // Where one has scrolled no further than there are rows.
        if (seen.scrollTop >= 0 && seen.scrollTop + seen.viewHeight <= bottom) {
          assert.ok(before <= seen.scrollTop);
          assert.ok(to * seen.rowHeight >= seen.scrollTop + seen.viewHeight);
        }
      }),
    );
  });

  it('Only the visible rows and a few more are drawn', () => {
    fc.assert(
      fc.property(sight, (seen) => {
        const { from, to } = rowWindow(seen);
        assert.ok(to - from <= Math.ceil(seen.viewHeight / seen.rowHeight) + 1 + 4 * 8);
      }),
    );
  });

  it('The drawn rows stay the same while the user scrolls a little', () => {
    const at = (scrollTop: number) => rowWindow({ rowCount: 10_000, rowHeight: 28, scrollTop, viewHeight: 28 * 16 });
    assert.deepEqual(at(28 * 800), at(28 * 800 + 27 * 7));
    assert.notDeepEqual(at(28 * 800), at(28 * 809));
  });

  it('Some rows are drawn even if the scroll position is beyond the last row', () => {
    const { from, to } = rowWindow({ rowCount: 20, rowHeight: 28, scrollTop: 90_000, viewHeight: 500 });
    assert.ok(to === 20 && from < 20);
  });
});

describe('Keys in a table', () => {
  it('Keys move from row to row, and not beyond the ends', () => {
    const from = (key: string, row: number) => rowAfterKey(key, row, 100, 20);
    assert.deepEqual(
      ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'].map((key) => from(key, 50)),
      [51, 49, 70, 30, 0, 99],
    );
    assert.deepEqual([from('ArrowUp', 0), from('PageUp', 5), from('ArrowDown', 99), from('PageDown', 95)], [0, 0, 99, 99]);
    assert.equal(from('a', 50), undefined);
    assert.equal(rowAfterKey('End', 0, 0, 20), undefined);
  });

  it('Keys bring the row into view, and scroll no further than needed', () => {
    const to = (row: number, scrollTop: number) => scrollTopFor(row, { rowHeight: 20, scrollTop, viewHeight: 200 });
    assert.equal(to(5, 0), 0);
    assert.equal(to(10, 0), 20);
    assert.equal(to(3, 100), 60);
    assert.equal(to(0, 100), 0);
  });
});

const column = (id: string, more: Partial<Column<object>> = {}): Column<object> => ({
  id,
  label: id,
  cell: () => '',
  text: () => '',
  ...more,
});

describe('Sorting', () => {
  it('The first sort of a column is descending for figures and ascending for text', () => {
    assert.deepEqual(nextSort(column('pnl', { align: 'end', sortKey: 'total_pnl' }), undefined), { key: 'total_pnl', order: 'desc' });
    assert.deepEqual(nextSort(column('name', { sortKey: 'name' }), { key: 'total_pnl', order: 'asc' }), { key: 'name', order: 'asc' });
    assert.deepEqual(nextSort(column('age', { align: 'end', sortKey: 'age', firstOrder: 'asc' }), undefined), { key: 'age', order: 'asc' });
  });

  it('A second press reverses the sort order', () => {
    assert.deepEqual(nextSort(column('pnl', { sortKey: 'pnl' }), { key: 'pnl', order: 'desc' }), { key: 'pnl', order: 'asc' });
  });

  it('A column without a sort key cannot be sorted', () => {
    assert.equal(nextSort(column('pnl'), undefined), undefined);
  });
});

describe('Columns', () => {
  it('Chosen columns are shown in their own order, whatever the order of choice', () => {
    const columns = ['a', 'b', 'c'].map((id) => column(id));
    assert.deepEqual(
      chosenColumns(columns, ['c', 'a', 'gone']).map(({ id }) => id),
      ['a', 'c'],
    );
    assert.equal(chosenColumns(columns, undefined), columns);
    assert.equal(chosenColumns(columns, ['gone']), columns);
  });

  it('A column is as wide as its longest text or label up to a limit, and never shrinks', () => {
    const widths = new ColumnWidths();
    const pnl = column('pnl', { label: 'Profit', sortKey: 'pnl' });
    const narrow = widths.of(pnl);
    assert.equal(widths.take('pnl', '−$1,234,567.89'), true);
    const wide = widths.of(pnl);
    assert.ok(wide > narrow);
    assert.equal(widths.take('pnl', '$1'), false);
    assert.equal(widths.of(pnl), wide);
    widths.take('pnl', 'x'.repeat(5_000));
    assert.ok(widths.of(pnl) < 60);
  });
});
