import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../icons';
import type { Template } from '../template';
import { nextSort, type Column, type RowAction, type Sort } from './columns';

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
  readonly actions: readonly RowAction[] | undefined;
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
