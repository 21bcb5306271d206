import assert from 'node:assert/strict';
import fc from 'fast-check';
import { chosenColumns, ColumnWidths, nextSort, type Column } from '../../../../webview/shared/table/columns';
import { rowAfterKey, rowWindow, scrollTopFor } from '../../../../webview/shared/table/rows';

describe('the rows that are drawn', () => {
  const sight = fc.record({
    rowCount: fc.nat(20_000),
    rowHeight: fc.integer({ min: 10, max: 60 }),
    scrollTop: fc.integer({ min: -50, max: 1_300_000 }),
    viewHeight: fc.integer({ min: 10, max: 2_000 }),
  });

  it('are all that are in sight, and with the room for the others as high as all', () => {
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

  it('are no more than the sight holds and a few', () => {
    fc.assert(
      fc.property(sight, (seen) => {
        const { from, to } = rowWindow(seen);
        assert.ok(to - from <= Math.ceil(seen.viewHeight / seen.rowHeight) + 1 + 4 * 8);
      }),
    );
  });

  it('stay the same while one scrolls a little', () => {
    const at = (scrollTop: number) => rowWindow({ rowCount: 10_000, rowHeight: 28, scrollTop, viewHeight: 28 * 16 });
    assert.deepEqual(at(28 * 800), at(28 * 800 + 27 * 7));
    assert.notDeepEqual(at(28 * 800), at(28 * 809));
  });

  it('are some even where it is scrolled beyond the last one, since rows went away', () => {
    const { from, to } = rowWindow({ rowCount: 20, rowHeight: 28, scrollTop: 90_000, viewHeight: 500 });
    assert.ok(to === 20 && from < 20);
  });
});

describe('keys in a table', () => {
  it('lead from row to row, and not beyond the ends', () => {
    const from = (key: string, row: number) => rowAfterKey(key, row, 100, 20);
    assert.deepEqual(
      ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'].map((key) => from(key, 50)),
      [51, 49, 70, 30, 0, 99],
    );
    assert.deepEqual([from('ArrowUp', 0), from('PageUp', 5), from('ArrowDown', 99), from('PageDown', 95)], [0, 0, 99, 99]);
    assert.equal(from('a', 50), undefined);
    assert.equal(rowAfterKey('End', 0, 0, 20), undefined);
  });

  it('bring the row into sight, and scroll no further than needed', () => {
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

describe('sorting', () => {
  it('begins with the largest figures, but with the first letters', () => {
    assert.deepEqual(nextSort(column('pnl', { align: 'end', sortKey: 'total_pnl' }), undefined), { key: 'total_pnl', order: 'desc' });
    assert.deepEqual(nextSort(column('name', { sortKey: 'name' }), { key: 'total_pnl', order: 'asc' }), { key: 'name', order: 'asc' });
    assert.deepEqual(nextSort(column('age', { align: 'end', sortKey: 'age', firstOrder: 'asc' }), undefined), { key: 'age', order: 'asc' });
  });

  it('is turned round by a second press', () => {
    assert.deepEqual(nextSort(column('pnl', { sortKey: 'pnl' }), { key: 'pnl', order: 'desc' }), { key: 'pnl', order: 'asc' });
  });

  it('is not for all columns', () => {
    assert.equal(nextSort(column('pnl'), undefined), undefined);
  });
});

describe('columns', () => {
  it('are shown in their own order, whatever the order of choice', () => {
    const columns = ['a', 'b', 'c'].map((id) => column(id));
    assert.deepEqual(
      chosenColumns(columns, ['c', 'a', 'gone']).map(({ id }) => id),
      ['a', 'c'],
    );
    assert.equal(chosenColumns(columns, undefined), columns);
    assert.equal(chosenColumns(columns, ['gone']), columns);
  });

  it('are as wide as their longest text or label, and only grow', () => {
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
