import { clamp } from '../geometry';

/** Rows are drawn in lots of this size, so short scrolling draws nothing. */
const LOT = 8;

/** The rows of a long table that are drawn, and the space in place of the others. */
export interface RowWindow {
  /** The first row that is drawn. */
  readonly from: number;
  /** The row after the last one that is drawn. */
  readonly to: number;
  /** Space in place of the rows before and after, pixels. */
  readonly before: number;
  readonly after: number;
}

/** The visible part of a table. Lengths in pixels. */
export interface VisibleArea {
  readonly rowCount: number;
  readonly rowHeight: number;
  readonly scrollTop: number;
  readonly viewHeight: number;
}

/** The visible rows and some before and after, in whole lots. */
export function rowWindow({ rowCount, rowHeight, scrollTop, viewHeight }: VisibleArea): RowWindow {
  const first = Math.floor(Math.max(scrollTop, 0) / rowHeight);
  const last = Math.ceil((Math.max(scrollTop, 0) + viewHeight) / rowHeight);
  const to = clamp((Math.floor(last / LOT) + 2) * LOT, 0, rowCount);
  const from = clamp((Math.floor(first / LOT) - 1) * LOT, 0, Math.max(Math.floor((to - 1) / LOT) * LOT, 0));
  return { from, to, before: from * rowHeight, after: (rowCount - to) * rowHeight };
}

/** The row that a key moves to; `undefined` for other keys. @param page rows per page */
export function rowAfterKey(key: string, row: number, rowCount: number, page: number): number | undefined {
  const next: Readonly<Record<string, number>> = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + page,
    PageUp: row - page,
    Home: 0,
    End: rowCount - 1,
  };
  const to = next[key];
  return to === undefined || rowCount === 0 ? undefined : clamp(to, 0, rowCount - 1);
}

/** The scroll position that shows a row, no further than needed. */
export function scrollTopFor(row: number, { rowHeight, scrollTop, viewHeight }: Omit<VisibleArea, 'rowCount'>): number {
  const top = row * rowHeight;
  return clamp(scrollTop, Math.max(top + rowHeight - viewHeight, 0), top);
}
