import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../controls';
import { clamp } from '../geometry';
import type { Template } from '../rendering';
import { type Column, nextSort, type TableRowAction, type Sort } from './columns';

export interface DrawnRow {
  readonly index: number;
  /** The row that Tab moves to. */
  readonly isCurrent: boolean;
  readonly isMarked: boolean;
  readonly columns: readonly Pick<Column<never>, 'align'>[];
  /** Index of the column that names the row. */
  readonly nameAt: number;
  readonly cells: readonly Template[];
  /** `undefined`: the table has no actions column. */
  readonly actions: readonly TableRowAction[] | undefined;
}

/** A column's header; a button if the column can be sorted. */
export function headerCell(
  column: Pick<Column<never>, 'label' | 'title' | 'align' | 'sortKey' | 'firstOrder'>,
  sort: Sort | undefined,
  onSort: ((sort: Sort) => void) | undefined,
): TemplateResult<1> {
  const isSorted = sort !== undefined && sort.key === column.sortKey;
  const order = isSorted ? (sort.order === 'asc' ? 'ascending' : 'descending') : 'none';
  const sign = icon(isSorted && sort.order === 'asc' ? 'arrow-up' : 'arrow-down');
  const label = html`<span class="sort-text">${column.label}</span>`;
  const next = nextSort(column, sort);
  return html`<th scope="col" class=${alignment(column)} aria-sort=${next === undefined ? nothing : order} title=${column.title ?? column.label}>
    ${
      next === undefined || onSort === undefined
        ? html`<span class="header-label">${label}</span>`
        : html`<button type="button" class="sort-button ${isSorted ? 'is-sorted' : ''}" @click=${() => onSort(next)}>${column.align === 'end' ? [sign, label] : [label, sign]}</button>`
    }
  </th>`;
}

/** A row. Its buttons are in the tab order only while it is the current row: a page of rows has too many of them. */
export function bodyRow({ index, isCurrent, isMarked, columns, nameAt, cells, actions }: DrawnRow): TemplateResult<1> {
  const tab = isCurrent ? '0' : '-1';
  return html`<tr class=${isMarked ? 'row is-marked' : 'row'} aria-rowindex=${index + 2} data-index=${index} tabindex=${tab}>
    ${columns.map((column, at) => (at === nameAt ? html`<th scope="row" class="row-name ${alignment(column)}">${cells[at]}</th>` : html`<td class=${alignment(column)}>${cells[at]}</td>`))}
    ${
      actions === undefined
        ? nothing
        : html`<td class="actions-cell">${actions.map(
            (action) =>
              html`<button type="button" class="icon-button" data-action=${action.id} tabindex=${tab} title=${action.label} aria-label=${action.label} @click=${action.run}>${icon(action.icon)}</button>`,
          )}</td>`
    }
  </tr>`;
}

/** In place of the cells of a row that is not there yet. */
export function waitingCell(): TemplateResult<1> {
  return html`<span class="skeleton" aria-hidden="true"></span>`;
}

export interface FootRow {
  readonly columns: readonly Pick<Column<never>, 'align'>[];
  readonly nameAt: number;
  readonly cells: readonly Template[];
  readonly hasActions: boolean;
}

/** The row of sums. */
export function footRow({ columns, nameAt, cells, hasActions }: FootRow): TemplateResult<1> {
  return html`<tfoot><tr>
    ${columns.map((column, at) => (at === nameAt ? html`<th scope="row" class="row-name ${alignment(column)}">${cells[at]}</th>` : html`<td class=${alignment(column)}>${cells[at]}</td>`))}
    ${hasActions ? html`<td class="actions-cell"></td>` : nothing}
  </tr></tfoot>`;
}

/** Space in place of rows that are not drawn. */
export function spacer(name: string, cells: number): TemplateResult<1> {
  return html`<tr class="spacer ${name}" aria-hidden="true"><td colspan=${cells}></td></tr>`;
}

/** Index of the row that contains an element. */
export function indexOf(target: EventTarget | null): number | undefined {
  const index = target instanceof Element ? target.closest<HTMLElement>('tr.row')?.dataset['index'] : undefined;
  return index === undefined ? undefined : Number(index);
}

function alignment({ align = 'start' }: Pick<Column<never>, 'align'>): string {
  return `align-${align}`;
}

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
