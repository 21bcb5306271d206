import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { LperRow, LpersPage } from '../../../src/protocol/pool';
import type { CurrencyView } from '../../../src/protocol/schemas';
import type { Figures } from '../../shared/figures';
import { iconButton } from '../../shared/icons';
import { asOf, emptyState, partView, skeletonBlock } from '../../shared/asyncView';
import { columnChooser } from '../../shared/table/columnChooser';
import { VirtualTable, type Column, type RowAction } from '../../shared/table/virtualTable';
import type { PartGuard } from '../../shared/errors';
import type { PoolActions } from '../actions';
import { chosenCurrency, type PoolState } from '../state';
import { FIRST_COLUMNS, lperColumns } from './columns';
import { inCurrencyOf } from './query';
import { rangesCard } from './ranges';

/** The top LPers of a pool: a page of them at a time, as the service sorts them. To be made once for a panel. */
export class TopLpers {
  readonly #actions: PoolActions;
  readonly #table = new VirtualTable<LperRow>({ id: 'top-lpers', label: l10n.t('Table of the top LPers'), keyOf: ({ owner }) => owner });
  #columns:
    | {
        readonly figures: Figures;
        readonly currency: CurrencyView;
        readonly page: LpersPage | undefined;
        readonly all: readonly Column<LperRow>[];
      }
    | undefined;

  constructor(actions: PoolActions) {
    this.#actions = actions;
  }

  /** @param shown how the table is shown where its trouble is the pool's, too */
  view(state: PoolState, figures: Figures, shown: PartGuard<'lpers'>): TemplateResult<1> {
    const { lpers } = state;
    const currency = chosenCurrency(state);
    const columns = this.#columnsFor(figures, currency, lpers.data);
    const chosen = state.lpersColumns ?? FIRST_COLUMNS;
    return html`<section class="section" aria-labelledby="lpers-title">
      <div class="section-header">
        <h2 id="lpers-title">Top LPers</h2>
        ${asOf(lpers, figures)}
        <span class="spring"></span>
        ${columnChooser({ columns, chosen, onChoose: this.#actions.chooseColumns })}
      </div>
      ${rangesCard(state, figures, currency, this.#actions)}
      ${shown(lpers, 'lpers', (part) =>
        partView(part, {
          label: l10n.t('the top LPers'),
          skeleton: skeletonBlock(),
          retry: () => this.#actions.retry('lpers'),
          figures,
          empty: (page) =>
            page.rows.length === 0 && page.query.page === 1
              ? emptyState(l10n.t('Nobody has provided liquidity to this pool yet, as far as the service knows.'), 'organization')
              : undefined,
          ready: (page) => this.#page(page, state, figures, currency, columns, chosen),
        }),
      )}
    </section>`;
  }

  #page(
    page: LpersPage,
    state: PoolState,
    figures: Figures,
    currency: CurrencyView,
    columns: readonly Column<LperRow>[],
    chosen: readonly string[],
  ): TemplateResult<1> {
    const { query } = page;
    const { askLpers } = this.#actions;
    const wanted = state.lpersQuery;
    const isOther = wanted.page !== query.page || wanted.orderBy !== query.orderBy || wanted.sortOrder !== query.sortOrder;
    // What could not be read does not come any more: it is asked for again, or something else is.
    const isTurning = isOther && (state.lpers.standing === 'ready' || state.lpers.standing === 'loading');
    const turn = (by: 1 | -1) => () => isTurning || askLpers({ ...query, page: query.page + by });
    return html`${this.#table.view({
      rows: page.rows,
      columns,
      chosen,
      sort: { key: inCurrencyOf(query.orderBy, currency), order: query.sortOrder },
      onSort: ({ key, order }) => askLpers({ orderBy: key, sortOrder: order, page: 1 }),
      actions: (row) => this.#rowActions(row, state, figures),
      isMarked: ({ isOwn }) => isOwn,
      isBusy: isTurning || state.lpers.standing === 'loading',
      empty: emptyState(l10n.t('There is nobody on this page.')),
    })}
    <nav class="pages" aria-label="Pages of the top LPers">
      ${iconButton('chevron-left', l10n.t('Previous page'), turn(-1), { isDisabled: query.page <= 1 })}
      <span class="figure" role="status">${placeOf(page, figures)}${isTurning ? l10n.t(' · turning the page…') : ''}</span>
      ${iconButton('chevron-right', l10n.t('Next page'), turn(1), { isDisabled: !page.hasNextPage })}
    </nav>`;
  }

  #rowActions({ owner, isOwn }: LperRow, { pool }: PoolState, figures: Figures): readonly RowAction[] {
    const who = figures.text.address(owner);
    const { copyAddress, watchAddress, askRanges } = this.#actions;
    return [
      { id: 'copy', icon: 'copy', label: l10n.t`Copy the address ${who}`, run: () => copyAddress(owner) },
      ...(isOwn ? [] : [{ id: 'watch', icon: 'eye', label: l10n.t`Watch ${who}`, run: () => watchAddress(owner) }]),
      ...(pool.data?.activeBinId === undefined
        ? []
        : [{ id: 'range', icon: 'edit', label: l10n.t`Zap in with the range of ${who}`, run: () => askRanges(owner) }]),
    ];
  }

  /** Made anew only where cells look different: the table keeps what it has drawn. */
  #columnsFor(figures: Figures, currency: CurrencyView, page: LpersPage | undefined): readonly Column<LperRow>[] {
    if (this.#columns?.figures !== figures || this.#columns.currency !== currency || this.#columns.page !== page) {
      this.#columns = { figures, currency, page, all: lperColumns(figures, currency, Date.now()) };
    }
    return this.#columns.all;
  }
}

/** "21–40 of 232 wallets" */
function placeOf({ query, rows, pageSize, totalCount, totalPages }: LpersPage, { text }: Figures): string {
  const from = (query.page - 1) * pageSize + 1;
  const shown = rows.length === 0 ? l10n.t`page ${text.count(query.page)}` : `${text.count(from)}–${text.count(from + rows.length - 1)}`;
  const all = totalCount === undefined ? '' : l10n.t` of ${text.counted(totalCount, 'wallet')}`;
  return totalPages === undefined || totalPages <= 1
    ? `${shown}${all}`
    : l10n.t`${shown}${all} · page ${text.count(query.page)} of ${text.count(totalPages)}`;
}
