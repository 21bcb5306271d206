import { html, nothing, type TemplateResult } from 'lit-html';
import { PERIODS, type OverviewView, type PeriodView } from '../../src/protocol/overview';
import type { Template } from '../shared/template';
import { PERIOD_LABELS, PERIOD_NAMES } from './periodWords';
import { combinedFigure } from './protocols';
import { currencyOf, type OverviewState } from './state';

/** Every figure that the service gives for each period, beside each other. */
export function periodsTable(state: OverviewState, overview: OverviewView): TemplateResult<1> {
  const { figures } = state;
  const { text } = figures;
  const currency = currencyOf(state);
  const rows: readonly (readonly [string, (period: PeriodView) => Template])[] = [
    ['PnL', (period) => figures.difference(overview.totalPnl[period], currency)],
    ['Fees earned', (period) => figures.amount(overview.totalFee[period], currency)],
    ['Win rate', (period) => combinedFigure(overview, ({ winRate }) => winRate[period][currency], ({ winRate }) => figures.plain(text.fraction(winRate[period][currency])))],
    ['Expected value', (period) => combinedFigure(overview, ({ expectedValue }) => expectedValue[period][currency], ({ expectedValue }) => figures.difference(expectedValue[period], currency))],
    ['Put in on average', (period) => figures.amount(overview.averageInflow[period], currency)],
    ['Closed', (period) => figures.plain(text.count(overview.closedPositions[period]))],
  ];
  return html`<section class="section" aria-labelledby="periods-title">
    <div class="section-header"><h2 id="periods-title">Periods compared</h2></div>
    <div class="periods-region" role="region" aria-label="Periods compared, table" tabindex="0">
      <table class="data-table periods">
        <thead>
          <tr><td></td>${PERIODS.map((period) => html`<th scope="col" class=${chosenClass(period, state.period)} title=${PERIOD_NAMES[period]} aria-current=${period === state.period ? 'true' : nothing}>${PERIOD_LABELS[period]}</th>`)}</tr>
        </thead>
        <tbody>${rows.map(([label, cell]) => html`<tr><th scope="row">${label}</th>${PERIODS.map((period) => html`<td class=${chosenClass(period, state.period)}>${cell(period)}</td>`)}</tr>`)}</tbody>
      </table>
    </div>
  </section>`;
}

function chosenClass(period: PeriodView, chosen: PeriodView): string {
  return period === chosen ? 'is-chosen' : '';
}
