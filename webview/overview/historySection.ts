import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ClosedRow, DateRange, History, HistoryColumn } from '../../src/protocol/overview';
import type { CurrencyView } from '../../src/protocol/schemas';
import { icon, iconButton, searchField } from '../shared/controls';
import type { Figures } from '../shared/figures';
import { asOf, emptyState, partView, skeletonBlock } from '../shared/partView';
import type { Template } from '../shared/rendering';
import { columnChooser } from '../shared/table/columnChooser';
import { type RowAction, VirtualTable } from '../shared/table/virtualTable';
import { FIRST_COLUMNS, historyColumns } from './historyColumns';
import { HistoryRows } from './historyModel';
import { currencyOf, isInverted, NEWEST_FIRST, type OverviewActions, type OverviewGuard, type OverviewState } from './state';

/** Characters. */
const MAX_SEARCH_LENGTH = 100;
/** Value of a date field. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Solana started in 2020. While a year is typed, the field holds years such as 0002: those are not requested. */
const FIRST_DAY = '2020-01-01';

/** The days for which closed positions are shown; an empty field leaves its end open. */
function dateFields(range: DateRange, { choose }: Pick<OverviewActions, 'choose'>): TemplateResult<1> {
  const isWrong = isInverted(range);
  const field = (end: 'from' | 'to', label: string): TemplateResult<1> =>
    html`<label class="labelled"><span>${label}</span>
      <input class="field" type="date" min=${FIRST_DAY} max="9999-12-31" .value=${range[end] ?? ''} aria-invalid=${isWrong ? 'true' : nothing} aria-describedby=${isWrong ? 'dates-error' : nothing}
        @change=${(event: Event) => withField(event, (input) => input.validity.valid && choose({ range: changed(range, end, input.value) }))}
        @blur=${(event: Event) => withField(event, (input) => (input.value = input.validity.valid ? input.value : (range[end] ?? '')))} /></label>`;
  return html`<div class="dates" role="group" aria-label=${l10n.t('Closed between')}>
    ${field('from', l10n.t('From'))} ${field('to', l10n.t('To'))}
    ${range.from === undefined && range.to === undefined ? nothing : iconButton('clear-all', l10n.t('Clear Dates'), () => choose({ range: {} }))}
    ${isWrong ? html`<p class="field-error" id="dates-error" role="alert">${icon('error')} ${l10n.t('The first day is after the last day.')}</p>` : nothing}
  </div>`;
}

function withField(event: Event, work: (input: HTMLInputElement) => unknown): void {
  if (event.target instanceof HTMLInputElement) {
    work(event.target);
  }
}

function changed(range: DateRange, end: 'from' | 'to', value: string): DateRange {
  const rest: DateRange =
    end === 'from'
      ? { ...(range.to === undefined ? {} : { to: range.to }) }
      : { ...(range.from === undefined ? {} : { from: range.from }) };
  return DAY.test(value) ? { ...rest, [end]: value } : rest;
}

const NAMES = { csv: 'CSV', json: 'JSON' } as const;

/** Exports all closed positions of the chosen days, not only the loaded or found ones. */
function exportControls({ exporting, range, figures }: OverviewState, { post }: OverviewActions): TemplateResult<1> {
  if (exporting !== undefined) {
    const { rows, totalCount, format } = exporting;
    const of =
      totalCount === undefined
        ? figures.text.counted(rows, 'row')
        : l10n.t`${figures.text.count(rows)} of ${figures.text.counted(totalCount, 'row')}`;
    return html`<div class="export-progress" role="group" aria-label=${l10n.t('Export')}>
      <span class="figure">${l10n.t`Exporting ${NAMES[format]}: ${of}`}</span>
      <progress class="progress" aria-label=${l10n.t('Exported rows')} max=${totalCount === undefined || totalCount === 0 ? nothing : totalCount} value=${totalCount === undefined || totalCount === 0 ? nothing : Math.min(rows, totalCount)}></progress>
      <vscode-button appearance="secondary" @click=${() => post({ kind: 'cancelExport' })}>${l10n.t('Cancel Export')}</vscode-button>
    </div>`;
  }
  const button = (format: 'csv' | 'json'): TemplateResult<1> =>
    html`<vscode-button appearance="secondary" ?disabled=${isInverted(range)} title=${l10n.t`Save all closed positions of these days as ${NAMES[format]}, regardless of the search`} @click=${() => post({ kind: 'export', format, range })}>${l10n.t`Export ${NAMES[format]}`}</vscode-button>`;
  return html`<div class="toolbar" role="group" aria-label=${l10n.t('Export')}>${button('csv')}${button('json')}</div>`;
}

/** The loaded closed positions as a table, with search, days, columns and export. */
export class HistorySection {
  readonly #actions: OverviewActions;
  readonly #table = new VirtualTable<ClosedRow>({ id: 'history', label: l10n.t('Closed positions'), keyOf: ({ key }) => key });
  readonly #rows = new HistoryRows();
  #columns: { readonly figures: Figures; readonly currency: CurrencyView; readonly columns: ReturnType<typeof historyColumns> } | undefined;

  constructor(actions: OverviewActions) {
    this.#actions = actions;
  }

  view(state: OverviewState, guard: OverviewGuard): TemplateResult<1> {
    const { history, figures } = state;
    return html`<section class="section" aria-labelledby="history-title">
      <div class="section-header"><h2 id="history-title">${l10n.t('History')}</h2>${asOf(history, figures)}<span class="spring"></span>${exportControls(state, this.#actions)}</div>
      ${this.#tools(state)}
      ${guard(history, 'history', (part) =>
        partView(part, {
          label: l10n.t('the closed positions'),
          skeleton: skeletonBlock(),
          empty: (data) => (data.rows.length === 0 && !data.hasMore && !data.isReadingMore ? nothingClosed(data) : undefined),
          ready: (data) => this.#ready(state, data),
          retry: () => this.#actions.post({ kind: 'retry', part: 'history' }),
          figures,
        }),
      )}
    </section>`;
  }

  #tools(state: OverviewState): TemplateResult<1> {
    const { choose } = this.#actions;
    const search = (text: string): void => {
      this.#table.scrollToTop();
      choose({ search: text });
    };
    return html`<div class="toolbar history-tools" role="search">
${searchField(l10n.t('Search by pair, address or followed wallet'), l10n.t('Search by pair'), state.search, MAX_SEARCH_LENGTH, search)}
      ${dateFields(state.range, this.#actions)}
      ${columnChooser({ columns: this.#columnsOf(state), chosen: state.columns ?? FIRST_COLUMNS, onChoose: (columns) => choose({ columns }) })}
    </div>`;
  }

  #ready(state: OverviewState, history: History): TemplateResult<1> {
    const { choose, post } = this.#actions;
    const { sort, search } = state;
    const rows = this.#rows.of(history.rows, { search, sort, currency: currencyOf(state) });
    const canLoadMore = history.hasMore && !history.isReadingMore;
    // With a search or another order, the end of the table is not the end of the loaded rows.
    const loadsByScrolling = canLoadMore && search.trim() === '' && isNewestFirst(sort);
    return html`${this.#table.view({
      rows,
      columns: this.#columnsOf(state),
      chosen: state.columns ?? FIRST_COLUMNS,
      sort: { key: sort.column, order: sort.order },
      onSort: ({ key, order }) => {
        this.#table.scrollToTop();
        choose({ sort: { column: key as HistoryColumn, order } });
      },
      actions: (row) => this.#rowActions(row),
      onOpen: (row) => row.pool !== undefined && post({ kind: 'openPool', pool: row.pool }),
      isMarked: ({ followed }) => followed !== undefined,
      totalCount: search.trim() === '' ? history.totalCount : undefined,
      ...(loadsByScrolling ? { onNearEnd: () => post({ kind: 'moreHistory', all: false }) } : {}),
      empty: emptyState(
        history.hasMore ? l10n.t('No loaded position matches. Load all to search the rest.') : l10n.t('No matching closed positions.'),
        'search-stop',
      ),
      isBusy: history.isReadingMore,
    })}
      ${this.#footer(state, history, rows.length)}`;
  }

  #footer(
    { sort, search, figures }: OverviewState,
    { rows, totalCount, hasMore, isReadingMore }: History,
    found: number,
  ): TemplateResult<1> {
    const { post } = this.#actions;
    const { text } = figures;
    const isSearched = search.trim() !== '';
    const more = (all: boolean): Template =>
      html`<vscode-button appearance="secondary" ?disabled=${isReadingMore} @click=${() => post({ kind: 'moreHistory', all })}>${all ? l10n.t('Load All') : l10n.t('Load More')}</vscode-button>`;
    return html`<div class="toolbar history-footer">
      <span role="status">
        ${isSearched ? l10n.t`${text.count(found)} found.` : nothing} ${loadedText(rows.length, totalCount, hasMore, text)} ${hasMore && (isSearched || !isNewestFirst(sort)) ? l10n.t('Search and sort cover loaded positions only.') : nothing}
      </span>
      ${isReadingMore ? html`<span class="reading">${icon('loading codicon-modifier-spin')} ${l10n.t('Loading…')}</span>` : nothing} ${hasMore ? [more(false), more(true)] : nothing}
    </div>`;
  }

  #rowActions({ pool, address, pairName }: ClosedRow): readonly RowAction[] {
    const { post } = this.#actions;
    return [
      ...(pool === undefined
        ? []
        : [{ id: 'pool', icon: 'graph', label: l10n.t`Open Pool ${pairName}`, run: () => post({ kind: 'openPool', pool }) }]),
      ...(address === undefined
        ? []
        : [{ id: 'copy', icon: 'copy', label: l10n.t('Copy Position Address'), run: () => post({ kind: 'copyAddress', address }) }]),
    ];
  }

  /** Cached: the table redraws its rows for a new array. */
  #columnsOf(state: OverviewState): ReturnType<typeof historyColumns> {
    const currency = currencyOf(state);
    if (this.#columns?.figures !== state.figures || this.#columns.currency !== currency) {
      this.#columns = { figures: state.figures, currency, columns: historyColumns(state.figures, currency) };
    }
    return this.#columns.columns;
  }
}

/** For example "300 of 1,240 positions loaded". */
function loadedText(
  loaded: number,
  totalCount: number | undefined,
  hasMore: boolean,
  text: Pick<Figures['text'], 'count' | 'counted'>,
): string {
  if (!hasMore) {
    return text.counted(loaded, 'position');
  }
  return totalCount === undefined
    ? l10n.t`${text.counted(loaded, 'position')} loaded; more available.`
    : l10n.t`${text.count(loaded)} of ${text.counted(totalCount, 'position')} loaded.`;
}

function nothingClosed({ range }: History): Template {
  return range.from === undefined && range.to === undefined
    ? emptyState(l10n.t('No closed positions yet. Closed positions are listed here.'), 'history')
    : emptyState(l10n.t('No positions closed on these days.'), 'calendar');
}

function isNewestFirst({ column, order }: OverviewState['sort']): boolean {
  return column === NEWEST_FIRST.column && order === NEWEST_FIRST.order;
}
