import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { type OverviewView, PERIODS, type PeriodView } from '../../src/protocol/overview';
import type { Template } from '../shared/template';
import { combinedFigure } from './protocols';
import { currencyOf, type OverviewState } from './state';

/** Period names for sentences: "Realized PnL, past 7 days". */
export const periodNames = (): Readonly<Record<PeriodView, string>> => ({
  '7D': l10n.t('past 7 days'),
  '1M': l10n.t('past month'),
  '3M': l10n.t('past 3 months'),
  '1Y': l10n.t('past year'),
  YTD: l10n.t('this year'),
  ALL: l10n.t('all time'),
});

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
          ({ winRate }) => figures.plain(text.fraction(winRate[period][currency])),
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
    <div class="periods-region" role="region" aria-label=${l10n.t('Periods compared, table')} tabindex="0">
      <table class="data-table periods">
        <thead>
          <tr><td></td>${PERIODS.map((period) => html`<th scope="col" class=${chosenClass(period, state.period)} title=${periodNames()[period]} aria-current=${period === state.period ? 'true' : nothing}>${periodLabel(period)}</th>`)}</tr>
        </thead>
        <tbody>${rows.map(([label, cell]) => html`<tr><th scope="row">${label}</th>${PERIODS.map((period) => html`<td class=${chosenClass(period, state.period)}>${cell(period)}</td>`)}</tr>`)}</tbody>
      </table>
    </div>
  </section>`;
}

function chosenClass(period: PeriodView, chosen: PeriodView): string {
  return period === chosen ? 'is-chosen' : '';
}
