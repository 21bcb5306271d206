import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import {
  type ClosedRow,
  type History,
  HISTORY_RESULTS,
  type HistoryColumn,
  type HistoryRequest,
  type HistoryResult,
  type HistorySums,
  type HistoryWindow,
  MOST_EARNINGS_ROWS,
} from '../../src/protocol/overview';
import { shortAddress } from '../../src/base/format/identifiers';
import type { EarnedSums } from '../../src/protocol/earnings';
import type { CurrencyView } from '../../src/protocol/schemas';
import { icon, searchField, segmented } from '../shared/controls';
import type { Figures } from '../shared/figures';
import { asOf, emptyState, partView } from '../shared/partView';
import type { Template } from '../shared/rendering';
import { columnChooser } from '../shared/table/columnChooser';
import type { RowSource, ShownRows, TableFoot } from '../shared/table/columns';
import { type RowAction, VirtualTable } from '../shared/table/virtualTable';
import { EARNED_COLUMNS, FIRST_COLUMNS, historyColumns } from './historyColumns';
import { HistoryRequests, rowsOf } from './historyRequests';
import { dateFields, exportControls } from './historyTools';
import {
  currencyOf,
  type HistoryEarnings,
  historyQueryOf,
  NEWEST_FIRST,
  type OverviewActions,
  type OverviewGuard,
  type OverviewState,
} from './state';

/** Characters. */
const MAX_SEARCH_LENGTH = 100;
/** The loaded closed positions as a table, with search, days, columns and export. */
export class HistorySection {
  readonly #actions: OverviewActions;
  readonly #table = new VirtualTable<ClosedRow>({ id: 'history', label: l10n.t`${l10n.t('History')} as a table`, keyOf: ({ key }) => key });
  readonly #requests = new HistoryRequests();
  /** Cached: the table follows its current row when it gets other rows. */
  #rows: { readonly window: HistoryWindow; readonly rows: RowSource<ClosedRow> } | undefined;
  #columns:
    | {
        readonly figures: Figures;
        readonly currency: CurrencyView;
        readonly earnings: HistoryEarnings;
        readonly columns: ReturnType<typeof historyColumns>;
      }
    | undefined;
  /** The rows whose results were requested last. */
  #earningsOf = '';

  constructor(actions: OverviewActions) {
    this.#actions = actions;
  }

  /** The rows that the panel begins with. */
  firstRequest(state: OverviewState): HistoryRequest {
    return this.#requests.first(historyQueryOf(state));
  }

  view(state: OverviewState, guard: OverviewGuard): TemplateResult<1> {
    const { history, figures } = state;
    return html`<section class="section" aria-labelledby="history-title">
      <div class="section-header"><h2 id="history-title">${l10n.t('History')}</h2>${asOf(history, figures)}<span class="spring"></span>${isUnused(state) ? nothing : exportControls(state, this.#actions)}</div>
      ${isUnused(state) ? nothing : this.#tools(state)}
      ${guard(history, 'history', (part) =>
        partView(part, {
          skeleton: tableSkeleton(),
          empty: (data) => (isEmpty(data) ? nothingClosed(data) : undefined),
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
    const results = resultNames();
    return html`<div class="toolbar history-tools" role="search">
${searchField(l10n.t('Pair, address or followed wallet'), l10n.t('Pair, address or followed wallet'), state.search, MAX_SEARCH_LENGTH, search)}
      ${segmented<HistoryResult>({
        id: 'result',
        label: l10n.t('Result'),
        options: HISTORY_RESULTS.map((value) => ({ value, label: results[value] })),
        chosen: state.result,
        onChoose: (result) => {
          this.#table.scrollToTop();
          choose({ result });
        },
      })}
      ${dateFields(state.range, this.#actions)}
      ${columnChooser({ columns: this.#columnsOf(state), chosen: state.columns ?? FIRST_COLUMNS, onChoose: (columns) => choose({ columns }) })}
    </div>`;
  }

  #ready(state: OverviewState, history: History): TemplateResult<1> {
    const { choose, post } = this.#actions;
    const { sort } = state;
    const canLoadMore = history.hasMore && !history.isReadingMore;
    // With a search or another order, the end of the table is not the end of the loaded rows.
    const loadsByScrolling = canLoadMore && !isFiltered(state) && isNewestFirst(sort);
    return html`${this.#table.view({
      rows: this.#rowsOf(history.window),
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
      totalCount: isFiltered(state) ? undefined : history.totalCount,
      foot: footOf(state, history.window),
      onShown: (shown) => this.#request(state, shown, history.window),
      ...(loadsByScrolling ? { onNearEnd: () => post({ kind: 'moreHistory', all: false }) } : {}),
      empty: emptyState(l10n.t('No matching closed positions.'), 'search-stop'),
      isBusy: history.isReadingMore || !this.#requests.isAnswered(historyQueryOf(state), history.window),
    })}
      ${this.#footer(state, history)}`;
  }

  #request(state: OverviewState, shown: ShownRows, window: HistoryWindow): void {
    const request = this.#requests.next(historyQueryOf(state), shown, window);
    if (request !== undefined) {
      this.#actions.post({ kind: 'historyRows', request });
    }
    this.#requestEarnings(state, shown, window);
  }

  /** Only for rows that are shown, and only while a column shows what it is for. */
  #requestEarnings({ columns }: OverviewState, { from, to }: ShownRows, window: HistoryWindow): void {
    const rows = rowsOf(window);
    const keys = EARNED_COLUMNS.some((id) => columns?.includes(id) === true)
      ? Array.from({ length: Math.min(to - from, MOST_EARNINGS_ROWS) }, (_, index) => rows.at(from + index)?.key).filter(
          (key) => key !== undefined,
        )
      : [];
    const wanted = keys.join('\n');
    if (wanted !== this.#earningsOf) {
      this.#earningsOf = wanted;
      this.#actions.post({ kind: 'historyEarnings', keys });
    }
  }

  #rowsOf(window: HistoryWindow): RowSource<ClosedRow> {
    if (this.#rows?.window !== window) {
      this.#rows = { window, rows: rowsOf(window) };
    }
    return this.#rows.rows;
  }

  #footer(state: OverviewState, { window, loadedCount, totalCount, hasMore, isReadingMore }: History): TemplateResult<1> {
    const { post } = this.#actions;
    const { text } = state.figures;
    const isAnswered = this.#requests.isAnswered(historyQueryOf(state), window);
    const chosen = state.columns ?? FIRST_COLUMNS;
    const columns = this.#columnsOf(state).filter(({ id }) => chosen.includes(id));
    const incomplete = isAnswered ? incompleteSums(window, columns, currencyOf(state), text) : undefined;
    const earned = isAnswered ? earnedCounts(state.earnedSums, window.found, columns, text) : undefined;
    const isPartial = hasMore && (isFiltered(state) || !isNewestFirst(state.sort));
    const more = (all: boolean): Template =>
      html`<vscode-button appearance="secondary" @click=${() => post({ kind: 'moreHistory', all })}>${all ? l10n.t('Load All') : l10n.t('Load More')}</vscode-button>`;
    const loading = html`<span class="reading">${icon('loading codicon-modifier-spin')} ${l10n.t('Loading…')}</span>
      <vscode-button appearance="secondary" @click=${() => post({ kind: 'stopHistory' })}>${l10n.t('Stop Loading')}</vscode-button>`;
    return html`<div class="toolbar history-footer">
      <span role="status">
        ${isFiltered(state) && isAnswered ? l10n.t`${text.count(window.found)} found.` : nothing} ${loadedText(loadedCount, totalCount, hasMore, text)} ${isPartial ? l10n.t('Only loaded positions are searched and sorted.') : nothing} ${incomplete ?? nothing} ${earned ?? nothing}
      </span>
      ${isReadingMore ? loading : hasMore ? [more(false), more(true)] : nothing}
    </div>`;
  }

  #rowActions({ pool, address }: ClosedRow): readonly RowAction[] {
    const { post } = this.#actions;
    return [
      ...(pool === undefined
        ? []
        : [{ id: 'pool', icon: 'graph', label: l10n.t('Open Pool'), run: () => post({ kind: 'openPool', pool }) }]),
      ...(address === undefined
        ? []
        : [{ id: 'copy', icon: 'copy', label: l10n.t`Copy ${shortAddress(address)}`, run: () => post({ kind: 'copyAddress', address }) }]),
    ];
  }

  /** Cached: the table redraws its rows for a new array. */
  #columnsOf(state: OverviewState): ReturnType<typeof historyColumns> {
    const currency = currencyOf(state);
    const { figures, historyEarnings: earnings } = state;
    if (this.#columns?.figures !== figures || this.#columns.currency !== currency || this.#columns.earnings !== earnings) {
      this.#columns = { figures, currency, earnings, columns: historyColumns(figures, currency, earnings) };
    }
    return this.#columns.columns;
  }
}

const resultNames = (): Readonly<Record<HistoryResult, string>> => ({
  all: l10n.t('All'),
  gains: l10n.t('Gains'),
  losses: l10n.t('Losses'),
});

/** Whether rows may be left out. */
function isFiltered({ search, result }: OverviewState): boolean {
  return search.trim() !== '' || result !== 'all';
}

/** The sums of the found positions, below their columns. */
function footOf(state: OverviewState, { found, sums }: HistoryWindow): TableFoot {
  const { figures, earnedSums } = state;
  const { text } = figures;
  const currency = currencyOf(state);
  const percent = sums.pnlPercent[currency];
  const share = percent === undefined ? undefined : percent / 100;
  const amount = (money: HistorySums['input']) => ({ cell: figures.amount(money, currency), text: text.money(money, currency) });
  return {
    label: l10n.t`Total of ${text.count(found)}`,
    cell: (column) => {
      switch (column) {
        case 'input':
        case 'output':
        case 'fee':
        case 'reward':
          return amount(sums[column]);
        case 'pnl':
          return { cell: figures.difference(sums.pnl, currency), text: text.signedMoney(sums.pnl, currency) };
        case 'pnlPercent':
          return { cell: figures.columnDifference(share), text: text.signedColumnFraction(share) };
        case 'really':
        case 'difference': {
          const { sol, count } = earnedSums[column];
          return count === 0
            ? undefined
            : { cell: figures.difference({ native: sol }, 'native'), text: text.signedMoney({ native: sol }, 'native') };
        }
        default:
          return undefined;
      }
    },
  };
}

/** As tall as the table that comes. */
function tableSkeleton(): TemplateResult<1> {
  return html`<div class="table-skeleton" aria-hidden="true">${Array.from({ length: 18 }, () => html`<span class="skeleton"></span>`)}</div>`;
}

/** For example "300 of 1,240 positions loaded". */
function loadedText(
  loaded: number,
  totalCount: number | undefined,
  hasMore: boolean,
  text: Pick<Figures['text'], 'count' | 'counted'>,
): string {
  // The service may count positions that it does not list, or more than are kept.
  if (!hasMore && (totalCount === undefined || totalCount <= loaded)) {
    return text.counted(loaded, 'position');
  }
  return totalCount === undefined
    ? l10n.t`${text.counted(loaded, 'position')} loaded.`
    : l10n.t`${l10n.t`${text.count(loaded)} of ${text.counted(totalCount, 'position')}`} loaded.`;
}

function isEmpty({ loadedCount, hasMore, isReadingMore }: History): boolean {
  return loadedCount === 0 && !hasMore && !isReadingMore;
}

/** The wallet has closed no position yet: there is nothing to search or export. */
function isUnused({ history: { data }, range }: OverviewState): boolean {
  return data !== undefined && isEmpty(data) && range.from === undefined && range.to === undefined;
}

function nothingClosed({ range }: History): Template {
  return range.from === undefined && range.to === undefined
    ? emptyState(l10n.t('No closed positions yet.'), 'history')
    : emptyState(l10n.t('No positions closed on these days.'), 'calendar');
}

function isNewestFirst({ column, order }: OverviewState['sort']): boolean {
  return column === NEWEST_FIRST.column && order === NEWEST_FIRST.order;
}

/** A column, as it is named in the table. */
interface NamedColumn {
  readonly id: string;
  readonly label: string;
}

/** How many of the found positions each sum leaves out, as a sentence; `undefined` if the sums of these columns are complete. */
export function incompleteSums(
  { found, sums }: Pick<HistoryWindow, 'found' | 'sums'>,
  columns: readonly NamedColumn[],
  currency: CurrencyView,
  { count }: Pick<Figures['text'], 'count'>,
): string | undefined {
  const parts = columns.flatMap(({ id, label }) => {
    const leftOut = isSummed(id) ? found - sums.counts[id][currency] : id === 'pnlPercent' ? sums.leftOut[currency] : 0;
    return leftOut > 0 ? [`${label} ${count(leftOut)}`] : [];
  });
  return parts.length === 0 ? undefined : l10n.t`Not in sums, as unknown or implausible: ${parts.join(', ')}.`;
}

/** Of how many found positions the sums of results by transactions are, as a sentence; `undefined` if they are complete, or no column shows them. */
export function earnedCounts(
  sums: EarnedSums,
  found: number,
  columns: readonly NamedColumn[],
  { count }: Pick<Figures['text'], 'count'>,
): string | undefined {
  const counts = columns.flatMap(({ id, label }) => (id === 'really' || id === 'difference' ? [{ label, of: sums[id].count }] : []));
  return counts.every(({ of }) => of === found)
    ? undefined
    : l10n.t`In sums so far: ${counts.map(({ label, of }) => `${label} ${count(of)}`).join(', ')}, of ${count(found)}. Others are read once on the screen.`;
}

function isSummed(id: string): id is keyof HistorySums['counts'] {
  return id === 'input' || id === 'output' || id === 'fee' || id === 'reward' || id === 'pnl';
}
