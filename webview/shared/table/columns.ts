import type { Template } from '../template';

/** A column of a table. */
export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  /** What the column means, where its label does not say. */
  readonly title?: string;
  /** Figures are aligned at their end. */
  readonly align?: 'start' | 'center' | 'end';
  /** By what it is sorted; absent: it cannot be. */
  readonly sortKey?: string;
  /** The order of the first press: descending for columns aligned at their end, else ascending. */
  readonly firstOrder?: SortOrder;
  readonly cell: (row: Row) => Template;
  /** The cell as plain text: the room it needs goes by it. */
  readonly text: (row: Row) => string;
  /** It names the row, for a screen reader; the first column does, if no other says so. */
  readonly isRowName?: boolean;
}

/** Ascending or descending. */
export type SortOrder = 'asc' | 'desc';

/** By what a table is sorted. */
export interface Sort {
  readonly key: string;
  readonly order: SortOrder;
}

/** What can be done with a row: a small button at its end. */
export interface RowAction {
  readonly id: string;
  /** A codicon. */
  readonly icon: string;
  readonly label: string;
  readonly run: () => void;
}

/** The sort that a press on a column's header asks for: the other order of the same column, or the first order of another. */
export function nextSort(column: Pick<Column<never>, 'sortKey' | 'align' | 'firstOrder'>, sort: Sort | undefined): Sort | undefined {
  if (column.sortKey === undefined) {
    return undefined;
  }
  if (sort?.key === column.sortKey) {
    return { key: sort.key, order: sort.order === 'asc' ? 'desc' : 'asc' };
  }
  return { key: column.sortKey, order: column.firstOrder ?? (column.align === 'end' ? 'desc' : 'asc') };
}

/** The columns that are chosen, in their own order. All of them where nothing is chosen, or nothing that exists. */
export function chosenColumns<Row>(columns: readonly Column<Row>[], chosen: readonly string[] | undefined): readonly Column<Row>[] {
  const found = chosen === undefined ? [] : columns.filter(({ id }) => chosen.includes(id));
  return found.length === 0 ? columns : found;
}

/** Room for a header's sort sign, in characters. */
const SIGN = 3;
/** The padding of a cell, in characters. */
const PADDING = 3;
const LEAST = 6;
const MOST = 40;

/** How wide columns have to be, in characters. They only grow, so that nothing jumps as one scrolls. */
export class ColumnWidths {
  readonly #widths = new Map<string, number>();

  /** The widths so far, in characters. */
  of(column: Pick<Column<never>, 'id' | 'label' | 'sortKey'>): number {
    const label = column.label.length + (column.sortKey === undefined ? 0 : SIGN);
    return Math.min(Math.max(this.#widths.get(column.id) ?? 0, label, LEAST), MOST) + PADDING;
  }

  /** Takes this text into account. @returns whether the column has become wider */
  take(id: string, text: string): boolean {
    if (text.length <= (this.#widths.get(id) ?? 0)) {
      return false;
    }
    this.#widths.set(id, text.length);
    return true;
  }
}
