import type { Template } from '../rendering';

export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  /** Explains the column in a tooltip. */
  readonly title?: string;
  readonly align?: 'start' | 'center' | 'end';
  /** Key for sorting; a column without one cannot be sorted. */
  readonly sortKey?: string;
  /** Order of the first press. Default: descending for columns aligned at the end, else ascending. */
  readonly firstOrder?: SortOrder;
  readonly cell: (row: Row) => Template;
  /** The cell as plain text; determines the column's width. */
  readonly text: (row: Row) => string;
  /** The column names the row for screen readers. Default: the first column does. */
  readonly isRowName?: boolean;
}

export type SortOrder = 'asc' | 'desc';

export interface Sort {
  readonly key: string;
  readonly order: SortOrder;
}

/** An action of a row: a small button at its end. */
export interface TableRowAction {
  readonly id: string;
  /** Name of a codicon. */
  readonly icon: string;
  readonly label: string;
  readonly run: () => void;
}

/** The sort after a press on a column's header: the other order of the same column, or the first order of another. */
export function nextSort(column: Pick<Column<never>, 'sortKey' | 'align' | 'firstOrder'>, sort: Sort | undefined): Sort | undefined {
  if (column.sortKey === undefined) {
    return undefined;
  }
  if (sort?.key === column.sortKey) {
    return { key: sort.key, order: sort.order === 'asc' ? 'desc' : 'asc' };
  }
  return { key: column.sortKey, order: column.firstOrder ?? (column.align === 'end' ? 'desc' : 'asc') };
}

/** The chosen columns in their own order. All of them if none is chosen, or none that exists. */
export function chosenColumns<Row>(columns: readonly Column<Row>[], chosen: readonly string[] | undefined): readonly Column<Row>[] {
  const found = chosen === undefined ? [] : columns.filter(({ id }) => chosen.includes(id));
  return found.length === 0 ? columns : found;
}

/** Width of a header's sort icon, in characters. */
const SIGN = 3;
/** Padding of a cell, in characters. */
const PADDING = 3;
const LEAST = 6;
const MOST = 40;

/** Column widths in characters. They only grow, so nothing jumps while scrolling. */
export class ColumnWidths {
  readonly #widths = new Map<string, number>();

  /** The widths so far, in characters. */
  of(column: Pick<Column<never>, 'id' | 'label' | 'sortKey'>): number {
    const label = column.label.length + (column.sortKey === undefined ? 0 : SIGN);
    return Math.min(Math.max(this.#widths.get(column.id) ?? 0, label, LEAST), MOST) + PADDING;
  }

  /** Widens the column for this text if needed. @returns whether it became wider */
  take(id: string, text: string): boolean {
    if (text.length <= (this.#widths.get(id) ?? 0)) {
      return false;
    }
    this.#widths.set(id, text.length);
    return true;
  }
}

/** The rows of a table: an array, or those of a longer list that are there. */
export interface RowSource<Row> {
  readonly length: number;
  /** A row; `undefined`: it is not there yet. */
  at(index: number): Row | undefined;
  /** The place of the row with a key; `undefined`: not known. */
  placeOf?(key: string): number | undefined;
}

/** The rows that a table draws, from the first one to the one after the last. */
export interface ShownRows {
  readonly from: number;
  readonly to: number;
  /** Key of the row that Tab moves to. */
  readonly currentKey: string | undefined;
}

/** A row of sums, always visible below the others. */
export interface TableFoot {
  /** In the column that names rows. */
  readonly label: string;
  /** What is in a column, and the same as plain text; `undefined`: nothing. */
  readonly cell: (columnId: string) => { readonly cell: Template; readonly text: string } | undefined;
}

/** Input of a table. Rows that are the same object are assumed to look the same while `columns` is the same array. */
export interface TableSettings<Row> {
  readonly rows: RowSource<Row>;
  /** All columns, visible or not. */
  readonly columns: readonly Column<Row>[];
  /** Ids of the visible columns. Default: all. */
  readonly chosen?: readonly string[] | undefined;
  /** How the caller has sorted the rows. */
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort) => void;
  readonly actions?: (row: Row) => readonly TableRowAction[];
  /** Called for Enter or a double click on a row. */
  readonly onOpen?: (row: Row) => void;
  /** Marked rows get a bar at their start; a cell should say why. */
  readonly isMarked?: (row: Row) => boolean;
  /** Number of rows including those not loaded yet. Default: the number of `rows`. */
  readonly totalCount?: number | undefined;
  /** Called when the last row is near, once per number of rows. */
  readonly onNearEnd?: () => void;
  /** Called after each drawing. */
  readonly onShown?: (shown: ShownRows) => void;
  readonly foot?: TableFoot | undefined;
  /** Shown if there are no rows. */
  readonly empty?: Template;
  readonly isBusy?: boolean;
}
