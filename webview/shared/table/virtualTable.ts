import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { clamp } from '../geometry';
import { mounted, type Mountable, type Template } from '../rendering';
import { chosenColumns, type Column, ColumnWidths, type RowSource, type TableFoot, type TableSettings } from './columns';
import { bodyRow, footRow, headerCell, indexOf, rowAfterKey, rowWindow, type RowWindow, scrollTopFor, spacer, waitingCell } from './rows';

export type { Column, TableRowAction as RowAction } from './columns';

/** Heights until they are measured, CSS pixels. */
const ROW_HEIGHT_AT_FIRST = 28;
const HEADER_HEIGHT_AT_FIRST = 31;
const VIEW_HEIGHT_AT_FIRST = 640;
/** `onNearEnd` is called when at most this many rows are left below. */
const NEAR_END_ROWS = 30;
/** Width of a row's button, in characters. */
const ACTION_WIDTH = 4;

/**
 * A table of any length: a real `<table>` in a scrolling region that draws only the rows near the visible ones. Create it once; {@link view}
 * includes it in each view of the panel.
 */
export class VirtualTable<Row extends object> implements Mountable {
  readonly #id: string;
  readonly #label: string;
  readonly #keyOf: (row: Row) => string;
  #view: TableSettings<Row> = { rows: [], columns: [] };
  #cells = new WeakMap<Row, readonly Template[]>();
  #columns: readonly Column<Row>[] = [];
  #widths = new ColumnWidths();
  #window: RowWindow = { from: 0, to: 0, before: 0, after: 0 };
  #current = 0;
  /** Key of row 0's element: see {@link #moveTo}. */
  #base = 0;
  /** Length of the rows when more were requested last, so that they are requested once. */
  #askedAt = -1;
  #rowHeight = ROW_HEIGHT_AT_FIRST;
  #headerHeight = HEADER_HEIGHT_AT_FIRST;
  #footHeight = 0;
  #container: HTMLElement | undefined;
  #region: HTMLElement | undefined;
  #resizes: ResizeObserver | undefined;
  #frame: number | undefined;

  /** @param id unique on the page @param label accessible name @param keyOf identifies a row */
  constructor({ id, label, keyOf }: { readonly id: string; readonly label: string; readonly keyOf: (row: Row) => string }) {
    this.#id = id;
    this.#label = label;
    this.#keyOf = keyOf;
  }

  /** The table with these rows. */
  view(view: TableSettings<Row>): TemplateResult<1> {
    if (view.columns !== this.#view.columns || view.chosen !== this.#view.chosen) {
      this.#cells = new WeakMap();
      this.#widths = new ColumnWidths();
      this.#columns = chosenColumns(view.columns, view.chosen);
    }
    if (view.rows !== this.#view.rows) {
      if (view.rows.length < this.#view.rows.length) {
        this.#askedAt = -1;
      }
      this.#follow(view.rows);
    }
    this.#view = view;
    return html`<div class="table-host" ${mounted(this)}></div>`;
  }

  /** Scrolls to the first row, after another sort or search. */
  scrollToTop(): void {
    this.#current = 0;
    if (this.#region !== undefined) {
      this.#region.scrollTop = 0;
    }
  }

  attach(container: Element): void {
    if (!(container instanceof HTMLElement)) {
      return;
    }
    if (this.#container !== container) {
      this.detach();
      this.#container = container;
      this.#resizes = new ResizeObserver(() => this.#soon());
      this.#resizes.observe(container);
    }
    this.#paint();
  }

  detach(): void {
    this.#resizes?.disconnect();
    if (this.#frame !== undefined) {
      cancelAnimationFrame(this.#frame);
    }
    this.#resizes = this.#frame = this.#container = this.#region = undefined;
    // The next rows can be others, and as many.
    this.#askedAt = -1;
  }

  /** Keeps the current row current, wherever it is among the new rows. */
  #follow(rows: RowSource<Row>): void {
    const keyAt = (from: RowSource<Row>): string | undefined => {
      const row = from.at(this.#current);
      return row === undefined ? undefined : this.#keyOf(row);
    };
    const key = keyAt(this.#view.rows);
    if (key !== undefined && key !== keyAt(rows)) {
      this.#current = clamp(this.#placeOf(key, rows) ?? this.#current, 0, Math.max(rows.length - 1, 0));
    }
  }

  #placeOf(key: string, rows: RowSource<Row>): number | undefined {
    if (rows.placeOf !== undefined) {
      return rows.placeOf(key);
    }
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows.at(index);
      if (row !== undefined && this.#keyOf(row) === key) {
        return index;
      }
    }
    return undefined;
  }

  /** Paints at most once per frame, and only if other rows are visible. */
  readonly #soon = (): void => {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      const { from, to } = this.#windowNow();
      if (from !== this.#window.from || to !== this.#window.to) {
        this.#paint();
      }
    });
  };

  #visibleArea(): { rowCount: number; rowHeight: number; scrollTop: number; viewHeight: number } {
    const height = this.#region?.clientHeight ?? 0;
    return {
      rowCount: this.#view.rows.length,
      rowHeight: this.#rowHeight,
      scrollTop: this.#region?.scrollTop ?? 0,
      viewHeight: Math.max((height === 0 ? VIEW_HEIGHT_AT_FIRST : height) - this.#headerHeight - this.#footHeight, this.#rowHeight),
    };
  }

  #windowNow(): RowWindow {
    return rowWindow(this.#visibleArea());
  }

  #paint(): void {
    const container = this.#container;
    if (container === undefined) {
      return;
    }
    this.#moveTo(this.#windowNow());
    render(this.#table(), container);
    const region = container.querySelector<HTMLElement>('.table-region');
    if (region === null) {
      return;
    }
    this.#region = region;
    this.#measure(region);
    this.#askForMore();
    this.#tellShown();
  }

  /**
   * Elements stay with their rows while scrolling. If none of the drawn rows stays visible, all elements are reused for other rows, which takes
   * half the time. If the focused row is among those, the region gets the focus, so the keys keep working.
   */
  #moveTo(window: RowWindow): void {
    const focused = indexOf(document.activeElement);
    if (
      focused !== undefined &&
      (focused < window.from || focused >= window.to) &&
      this.#region?.contains(document.activeElement) === true
    ) {
      this.#region.focus({ preventScroll: true });
    }
    if (window.from >= this.#window.to || window.to <= this.#window.from) {
      this.#base += window.from - this.#window.from;
    }
    this.#window = window;
  }

  /** Sets styles that a template may not contain (no inline styles), and measures heights: fonts and zoom differ. */
  #measure(region: HTMLElement): void {
    const setHeight = (name: string, pixels: number): void =>
      region.querySelector<HTMLElement>(`.${name} > td`)?.style.setProperty('height', `${pixels}px`);
    setHeight('spacer-before', this.#window.before);
    setHeight('spacer-after', this.#window.after);
    let sum = 0;
    const cols = region.querySelectorAll<HTMLElement>('col');
    [
      ...this.#columns.map((column) => this.#widths.of(column)),
      ...(this.#view.actions === undefined ? [] : [this.#actionsWidth()]),
    ].forEach((width, index) => {
      sum += width;
      cols[index]?.style.setProperty('width', `${width}ch`);
    });
    region.querySelector<HTMLElement>('table')?.style.setProperty('min-width', `${sum}ch`);
    const row = region.querySelector('tr.row')?.getBoundingClientRect().height ?? 0;
    const header = region.querySelector('thead')?.getBoundingClientRect().height ?? 0;
    this.#footHeight = region.querySelector('tfoot')?.getBoundingClientRect().height ?? 0;
    if (row > 0) {
      this.#headerHeight = header;
      if (Math.abs(row - this.#rowHeight) > 0.01) {
        this.#rowHeight = row;
        this.#soon();
      }
    }
  }

  #actionsWidth(): number {
    const { rows, actions } = this.#view;
    let most = 1;
    for (let index = this.#window.from; index < this.#window.to; index += 1) {
      const row = rows.at(index);
      most = Math.max(most, row === undefined ? 0 : (actions?.(row).length ?? 0));
    }
    return most * ACTION_WIDTH + 2;
  }

  #askForMore(): void {
    const { rows, onNearEnd } = this.#view;
    if (onNearEnd !== undefined && rows.length > 0 && rows.length !== this.#askedAt && this.#window.to >= rows.length - NEAR_END_ROWS) {
      this.#askedAt = rows.length;
      // Not during rendering: the callback may cause another view.
      queueMicrotask(onNearEnd);
    }
  }

  #tellShown(): void {
    const { rows, onShown } = this.#view;
    if (onShown !== undefined) {
      const row = rows.at(this.#current);
      const { from, to } = this.#window;
      // Not during rendering, as above.
      queueMicrotask(() => onShown({ from, to, currentKey: row === undefined ? undefined : this.#keyOf(row) }));
    }
  }

  #table(): TemplateResult<1> {
    const { rows, totalCount, isBusy, empty, actions, sort, onSort, isMarked, foot } = this.#view;
    const cells = this.#columns.length + (actions === undefined ? 0 : 1);
    const columns = this.#columns;
    const nameAt = Math.max(
      columns.findIndex(({ isRowName }) => isRowName === true),
      0,
    );
    const body = Array.from({ length: this.#window.to - this.#window.from }, (_, at) => {
      const index = this.#window.from + at;
      const row = rows.at(index);
      return {
        index,
        isCurrent: index === this.#current,
        isMarked: row !== undefined && isMarked?.(row) === true,
        columns,
        nameAt,
        cells: row === undefined ? columns.map(waitingCell) : this.#cellsOf(row),
        actions: actions === undefined || row === undefined ? actions && [] : actions(row),
      };
    });
    const sums = foot === undefined || rows.length === 0 ? undefined : this.#sumsOf(foot);
    return html`<div class="table-region" role="region" aria-label=${this.#label} tabindex="0" @scroll=${{ handleEvent: this.#soon, passive: true }} @keydown=${this.#onKey}>
      <table class="table" id=${this.#id} role="grid" aria-readonly="true" aria-label=${this.#label} aria-rowcount=${(totalCount ?? rows.length) + 1} aria-colcount=${cells} aria-busy=${isBusy === true ? 'true' : 'false'}>
        <colgroup>${Array.from({ length: cells }, () => html`<col />`)}</colgroup>
        <thead><tr aria-rowindex="1">${this.#columns.map((column) => headerCell(column, sort, onSort))}${actions === undefined ? nothing : html`<th scope="col" class="actions-cell"><span class="visually-hidden">${l10n.t('Actions')}</span></th>`}</tr></thead>
        <tbody @focusin=${this.#onFocus} @click=${this.#onClick} @dblclick=${this.#onDoubleClick}>
          ${this.#window.before > 0 ? spacer('spacer-before', cells) : nothing}
          ${repeat(
            body,
            ({ index }) => index - this.#base,
            (item) => bodyRow(item),
          )}
          ${this.#window.after > 0 ? spacer('spacer-after', cells) : nothing}
        </tbody>
        ${sums === undefined || foot === undefined ? nothing : footRow({ columns, nameAt, cells: sums, hasActions: actions !== undefined })}
      </table>
      ${rows.length === 0 ? (empty ?? nothing) : nothing}
    </div>`;
  }

  #sumsOf(foot: TableFoot): readonly Template[] {
    const nameAt = this.#columns.findIndex(({ isRowName }) => isRowName === true);
    return this.#columns.map(({ id }, index) => {
      const sum = index === nameAt ? { text: foot.label, cell: foot.label } : foot.cell(id);
      this.#widths.take(id, sum?.text ?? '');
      return sum?.cell ?? nothing;
    });
  }

  #cellsOf(row: Row): readonly Template[] {
    const known = this.#cells.get(row);
    if (known !== undefined) {
      return known;
    }
    const made = this.#columns.map((column) => {
      this.#widths.take(column.id, column.text(row));
      return column.cell(row);
    });
    this.#cells.set(row, made);
    return made;
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const { target } = event;
    if (!(target instanceof HTMLElement) || target.closest('thead') !== null || event.altKey || event.metaKey) {
      return;
    }
    const isInControl = target !== this.#region && !target.matches('tr');
    const row = this.#view.rows.at(this.#current);
    if (event.key === 'Enter' && !isInControl && row !== undefined && this.#view.onOpen !== undefined) {
      event.preventDefault();
      this.#view.onOpen(row);
      return;
    }
    if (isInControl && (!target.matches('button') || event.key === 'Home' || event.key === 'End')) {
      return;
    }
    const { viewHeight } = this.#visibleArea();
    const next = rowAfterKey(event.key, this.#current, this.#view.rows.length, Math.max(Math.floor(viewHeight / this.#rowHeight) - 1, 1));
    if (next !== undefined) {
      event.preventDefault();
      this.#goTo(next);
    }
  };

  #goTo(index: number): void {
    if (this.#region === undefined) {
      return;
    }
    this.#current = index;
    this.#region.scrollTop = scrollTopFor(index, this.#visibleArea());
    this.#paint();
    this.#region.querySelector<HTMLElement>(`tr[data-index="${index}"]`)?.focus({ preventScroll: true });
  }

  readonly #onFocus = (event: FocusEvent): void => {
    const index = indexOf(event.target);
    if (index !== undefined && index !== this.#current) {
      this.#current = index;
      this.#paint();
    }
  };

  readonly #onClick = (event: MouseEvent): void => {
    const index = indexOf(event.target);
    if (index !== undefined && window.getSelection()?.isCollapsed !== false) {
      this.#current = index;
      this.#paint();
    }
  };

  readonly #onDoubleClick = (event: MouseEvent): void => {
    const index = indexOf(event.target);
    const row = index === undefined ? undefined : this.#view.rows.at(index);
    if (row !== undefined && event.target instanceof Element && event.target.closest('button, a') === null) {
      this.#view.onOpen?.(row);
    }
  };
}
