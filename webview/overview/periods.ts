import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { type OverviewView, PERIODS, type PeriodView } from '../../src/protocol/overview';
import { figureCard } from '../shared/facts';
import type { Template } from '../shared/rendering';
import { combinedFigure, protocolsNote } from './protocols';
import { currencyOf, type OverviewActions, type OverviewState } from './state';

/** Short name of a period, for buttons and column headers. */
export function periodLabel(period: PeriodView): string {
  switch (period) {
    case '7D':
      return l10n.t('7D');
    case '1M':
      return l10n.t('1M');
    case '3M':
      return l10n.t('3M');
    case '1Y':
      return l10n.t('1Y');
    case 'YTD':
      return l10n.t('YTD');
    case 'ALL':
      return l10n.t('All');
  }
}

/** A table of every figure that the service reports per period. */
export function periodsTable(state: OverviewState, overview: OverviewView): TemplateResult<1> {
  const { figures } = state;
  const { text } = figures;
  const currency = currencyOf(state);
  const rows: readonly (readonly [string, (period: PeriodView) => Template])[] = [
    [l10n.t('PnL'), (period) => figures.difference(overview.totalPnl[period], currency)],
    [l10n.t('Fees earned'), (period) => figures.amount(overview.totalFee[period], currency)],
    [
      l10n.t('Win rate'),
      (period) =>
        combinedFigure(
          overview,
          ({ winRate }) => winRate[period][currency],
          ({ winRate }) => figures.plain(text.columnFraction(winRate[period][currency])),
        ),
    ],
    [
      l10n.t('Expected value'),
      (period) =>
        combinedFigure(
          overview,
          ({ expectedValue }) => expectedValue[period][currency],
          ({ expectedValue }) => figures.difference(expectedValue[period], currency),
        ),
    ],
    [l10n.t('Average deposit'), (period) => figures.amount(overview.averageInflow[period], currency)],
    [l10n.t('Closed'), (period) => figures.plain(text.count(overview.closedPositions[period]))],
  ];
  return html`<section class="section" aria-labelledby="periods-title">
    <div class="section-header"><h2 id="periods-title">${l10n.t('Periods compared')}</h2></div>
    <div class="periods-region" role="region" aria-label=${l10n.t`${l10n.t('Periods compared')} as a table`} tabindex="0">
      <table class="data-table periods">
        <thead>
          <tr><td></td>${PERIODS.map((period) => html`<th scope="col" class=${chosenClass(period, state.period)} aria-current=${period === state.period ? 'true' : nothing}>${periodLabel(period)}</th>`)}</tr>
        </thead>
        <tbody>${rows.map(([label, cell]) => html`<tr><th scope="row">${label}</th>${PERIODS.map((period) => html`<td class=${chosenClass(period, state.period)}>${cell(period)}</td>`)}</tr>`)}</tbody>
      </table>
    </div>
  </section>`;
}

function chosenClass(period: PeriodView, chosen: PeriodView): string {
  return period === chosen ? 'is-chosen' : '';
}

/** The main figures of the period. */
export function headline(state: OverviewState, overview: OverviewView, actions: OverviewActions): TemplateResult<1> {
  const { figures, period } = state;
  const { text } = figures;
  const currency = currencyOf(state);
  const other = currency === 'usd' ? 'native' : 'usd';
  const both = (money: OverviewView['totalPnl']['ALL']): Template => figures.amount(money, other);
  const closed = overview.closedPositions[period];
  return html`${protocolsNote(overview, actions)}<div class="headline">
    <div class="card lead">
      <h3 class="card-label">${l10n.t('Realized PnL')}</h3>
      <div class="lead-figure">${figures.difference(overview.totalPnl[period], currency)}</div>
      <div class="card-note">${figures.difference(overview.totalPnl[period], other)}</div>
    </div>
    ${figureCard(l10n.t('Fees earned'), figures.amount(overview.totalFee[period], currency), both(overview.totalFee[period]))}
    ${figureCard(
      l10n.t('Win rate'),
      combinedFigure(
        overview,
        ({ winRate }) => winRate[period][currency],
        ({ winRate }) => figures.plain(text.fraction(winRate[period][currency])),
      ),
      html`${figures.plain(text.count(closed))} ${l10n.t('closed')}`,
    )}
    ${figureCard(
      l10n.t('Expected value'),
      combinedFigure(
        overview,
        ({ expectedValue }) => expectedValue[period][currency],
        ({ expectedValue }) => figures.difference(expectedValue[period], currency),
      ),
      html`${figures.difference(overview.expectedValue[period], other)} ${l10n.t('per position')}`,
    )}
    ${figureCard(l10n.t('Average deposit'), figures.amount(overview.averageInflow[period], currency), html`${both(overview.averageInflow[period])} ${l10n.t('per position')}`)}
  </div>`;
}

export function headlineSkeleton(): TemplateResult<1> {
  return html`<div class="headline" aria-hidden="true">
    ${Array.from({ length: 5 }, (_, index) => html`<div class="card ${index === 0 ? 'lead' : ''}">${cardSkeleton()}</div>`)}
  </div>`;
}

/** A label, a large figure and a note. */
export function cardSkeleton(): TemplateResult<1> {
  return html`<div class="skeleton-lines" aria-hidden="true"><span class="skeleton card-label"></span><span class="skeleton card-figure"></span><span class="skeleton card-note"></span></div>`;
}
