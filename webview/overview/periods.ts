import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { type OverviewView, PERIODS, type PeriodView } from '../../src/protocol/overview';
import type { Template } from '../shared/template';
import { combinedFigure } from './protocols';
import { currencyOf, type OverviewState } from './state';

/** What a period is called where there is room: "PnL, last 7 days". */
export const periodNames = (): Readonly<Record<PeriodView, string>> => ({
  '7D': 'last 7 days',
  '1M': l10n.t('last month'),
  '3M': 'last 3 months',
  '1Y': l10n.t('last year'),
  YTD: l10n.t('this year'),
  ALL: l10n.t('all time'),
});

/** What it is called where there is none. */
export const PERIOD_LABELS: Readonly<Record<PeriodView, string>> = {
  '7D': '7D',
  '1M': '1M',
  '3M': '3M',
  '1Y': '1Y',
  YTD: 'YTD',
  ALL: 'All',
};

/** Every figure that the service gives for each period, beside each other. */
export function periodsTable(state: OverviewState, overview: OverviewView): TemplateResult<1> {
  const { figures } = state;
  const { text } = figures;
  const currency = currencyOf(state);
  const rows: readonly (readonly [string, (period: PeriodView) => Template])[] = [
    ['PnL', (period) => figures.difference(overview.totalPnl[period], currency)],
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
    [l10n.t('Put in on average'), (period) => figures.amount(overview.averageInflow[period], currency)],
    ['Closed', (period) => figures.plain(text.count(overview.closedPositions[period]))],
  ];
  return html`<section class="section" aria-labelledby="periods-title">
    <div class="section-header"><h2 id="periods-title">Periods compared</h2></div>
    <div class="periods-region" role="region" aria-label="Periods compared, table" tabindex="0">
      <table class="data-table periods">
        <thead>
          <tr><td></td>${PERIODS.map((period) => html`<th scope="col" class=${chosenClass(period, state.period)} title=${periodNames()[period]} aria-current=${period === state.period ? 'true' : nothing}>${PERIOD_LABELS[period]}</th>`)}</tr>
        </thead>
        <tbody>${rows.map(([label, cell]) => html`<tr><th scope="row">${label}</th>${PERIODS.map((period) => html`<td class=${chosenClass(period, state.period)}>${cell(period)}</td>`)}</tr>`)}</tbody>
      </table>
    </div>
  </section>`;
}

function chosenClass(period: PeriodView, chosen: PeriodView): string {
  return period === chosen ? 'is-chosen' : '';
}
