import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { Directive, directive, type ElementPart } from 'lit-html/directive.js';
import type { LperRanges, LperRow, LpersPage } from '../../src/protocol/pool';
import { type CurrencyView, LOADING, type Part } from '../../src/protocol/schemas';
import { UNKNOWN } from '../../src/base/format/numbers';
import { iconButton } from '../shared/controls';
import type { Figures } from '../shared/figures';
import { asOf, emptyState, type PartGuard, partView, skeletonBlock, skeletonLines } from '../shared/partView';
import { columnChooser } from '../shared/table/columnChooser';
import { type Column, type RowAction, VirtualTable } from '../shared/table/virtualTable';
import type { PoolActions } from './actions';
import { FIRST_COLUMNS, inCurrencyOf, lperColumns } from './lperColumns';
import { chosenCurrency, type PoolState } from './state';
import { placeText } from './plan/range';

/** The top LPers of a pool, one page at a time, sorted by the service. Create once per panel. */
export class TopLpers {
  readonly #actions: PoolActions;
  readonly #table = new VirtualTable<LperRow>({
    id: 'top-lpers',
    label: l10n.t`${l10n.t('Top LPers')} as a table`,
    keyOf: ({ owner }) => owner,
  });
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

  /** @param shown renders the table, unless the page already shows an error that it shares with the pool */
  view(state: PoolState, figures: Figures, shown: PartGuard<'lpers'>): TemplateResult<1> {
    const { lpers } = state;
    const currency = chosenCurrency(state);
    const columns = this.#columnsFor(figures, currency, lpers.data);
    const chosen = state.lpersColumns ?? FIRST_COLUMNS;
    return html`<section class="section" aria-labelledby="lpers-title">
      <div class="section-header">
        <h2 id="lpers-title">${l10n.t('Top LPers')}</h2>
        ${asOf(lpers, figures)}
        <span class="spring"></span>
        ${columnChooser({ columns, chosen, onChoose: this.#actions.chooseColumns })}
      </div>
      ${rangesCard(state, figures, currency, this.#actions)}
      ${shown(lpers, 'lpers', (part) =>
        partView(part, {
          skeleton: skeletonBlock(),
          retry: () => this.#actions.retry('lpers'),
          figures,
          empty: (page) =>
            page.rows.length === 0 && page.query.page === 1
              ? emptyState(l10n.t('Not reported by the service.'), 'organization')
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
    const { requestLpers: askLpers } = this.#actions;
    const wanted = state.lpersQuery;
    const isOther = wanted.page !== query.page || wanted.orderBy !== query.orderBy || wanted.sortOrder !== query.sortOrder;
    // A page that failed to load is not coming: another one may be requested.
    const isTurning = isOther && (state.lpers.status === 'ready' || state.lpers.status === 'loading');
    const turn = (by: 1 | -1) => () => isTurning || askLpers({ ...query, page: query.page + by });
    return html`${this.#table.view({
      rows: page.rows,
      columns,
      chosen,
      sort: { key: inCurrencyOf(query.orderBy, currency), order: query.sortOrder },
      onSort: ({ key, order }) => askLpers({ orderBy: key, sortOrder: order, page: 1 }),
      actions: (row) => this.#rowActions(row, state, figures),
      isMarked: ({ isOwn }) => isOwn,
      isBusy: isTurning || state.lpers.status === 'loading',
      empty: emptyState(l10n.t('No wallets on this page.')),
    })}
    <nav class="pages" aria-label=${l10n.t('Top LPers')}>
      ${iconButton('chevron-left', l10n.t('Previous Page'), turn(-1), { isDisabled: query.page <= 1 })}
      <span class="figure" role="status">${placeOf(page, figures)}${isTurning ? ` · ${l10n.t('Loading…')}` : ''}</span>
      ${iconButton('chevron-right', l10n.t('Next Page'), turn(1), { isDisabled: !page.hasNextPage })}
    </nav>`;
  }

  #rowActions({ owner, isOwn }: LperRow, { pool }: PoolState, figures: Figures): readonly RowAction[] {
    const who = figures.text.address(owner);
    const { copyAddress, watchAddress, requestRanges: askRanges } = this.#actions;
    return [
      { id: 'copy', icon: 'copy', label: l10n.t`Copy ${who}`, run: () => copyAddress(owner) },
      ...(isOwn ? [] : [{ id: 'watch', icon: 'eye', label: l10n.t`Watch ${who}`, run: () => watchAddress(owner) }]),
      ...(pool.data?.activeBinId === undefined
        ? []
        : [{ id: 'range', icon: 'edit', label: l10n.t`Open ranges of ${who}`, run: () => askRanges(owner) }]),
    ];
  }

  /** Cached, so the table keeps its rows unless the cells look different. */
  #columnsFor(figures: Figures, currency: CurrencyView, page: LpersPage | undefined): readonly Column<LperRow>[] {
    if (this.#columns?.figures !== figures || this.#columns.currency !== currency || this.#columns.page !== page) {
      this.#columns = { figures, currency, page, all: lperColumns(figures, currency, Date.now()) };
    }
    return this.#columns.all;
  }
}

/** For example "21–40 of 232 wallets · page 2 of 12". */
function placeOf({ query, rows, pageSize, totalCount, totalPages }: LpersPage, { text }: Figures): string {
  const from = (query.page - 1) * pageSize + 1;
  const shown = rows.length === 0 ? UNKNOWN : `${text.count(from)}–${text.count(from + rows.length - 1)}`;
  const wallets = totalCount === undefined ? shown : l10n.t`${shown} of ${text.counted(totalCount, 'wallet')}`;
  return totalPages === undefined || totalPages <= 1
    ? wallets
    : `${wallets} · ${l10n.t`page ${text.count(query.page)} of ${text.count(totalPages)}`}`;
}

/** The open ranges of the selected top LPer, to plan with. */
function rangesCard(
  { rangesOf, lperRanges, pool, isPriceSwapped }: PoolState,
  figures: Figures,
  currency: CurrencyView,
  actions: PoolActions,
): TemplateResult<1> | typeof nothing {
  if (rangesOf === undefined) {
    return nothing;
  }
  // Still the ranges of the LPer that was selected before.
  const part: Part<LperRanges> = lperRanges.data !== undefined && lperRanges.data.owner !== rangesOf ? LOADING : lperRanges;
  return html`<section class="card ranges-card" aria-labelledby="ranges-title">
    <header>
      <h3 id="ranges-title" tabindex="-1" title=${rangesOf} ${focusOnce(rangesOf)}>${l10n.t`Open ranges of ${figures.text.address(rangesOf)}`}</h3>
      ${iconButton('close', l10n.t('Close'), () => actions.requestRanges(undefined))}
    </header>
    ${partView(part, {
      skeleton: skeletonLines(2),
      retry: () => actions.retry('lperRanges'),
      figures,
      empty: ({ ranges }) => (ranges.length === 0 ? emptyState(l10n.t('No open positions.')) : undefined),
      ready: ({ ranges }) => html`<ul class="range-list">
        ${ranges.map(
          ({ lowerBinId, upperBinId, strategy, value }) => html`<li>
            <span class="figure">${placeText({ fromBinId: lowerBinId, toBinId: upperBinId }, pool.data, isPriceSwapped, figures.text)}</span>
            <span class="soft">${strategy ?? ''}</span>
            <span class="figure">${figures.amount(value, currency)}</span>
            <vscode-button appearance="secondary" @click=${() => actions.startPlan({ fromBinId: lowerBinId, toBinId: upperBinId })}>${l10n.t('Plan with This Range')}</vscode-button>
          </li>`,
        )}
      </ul>`,
    })}
  </section>`;
}

/** Focuses an element once for each new value. */
class FocusOnce extends Directive {
  #key: string | undefined;

  render(key: string): typeof nothing {
    this.#key = key;
    return nothing;
  }

  override update({ element }: ElementPart, [key]: [string]): typeof nothing {
    if (key !== this.#key && element instanceof HTMLElement) {
      // The element is not on the page yet.
      queueMicrotask(() => element.focus());
    }
    return this.render(key);
  }
}

const focusOnce = directive(FocusOnce);
