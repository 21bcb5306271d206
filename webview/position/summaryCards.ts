import { html, type TemplateResult } from 'lit-html';
import type { PositionView } from '../../src/protocol/position';
import type { MoneyView } from '../../src/protocol/schemas';
import { figureCard } from '../shared/facts';
import type { Template } from '../shared/template';
import { hint } from '../shared/tooltip';
import { currencyOf, type PositionState } from './state';

/** What one wants to know first. */
export function summaryCards(state: PositionState, position: PositionView): TemplateResult<1> {
  const { figures } = state;
  const currency = currencyOf(state);
  const other = currency === 'usd' ? 'native' : 'usd';
  const inBoth = (label: string, money: MoneyView, note: Template): Template => figureCard(label, figures.amount(money, currency), html`${figures.amount(money, other)}${note}`);
  return html`<section class="cards summary" aria-label="Summary">
    ${inBoth('Value', position.value, '')}
    ${figureCard(html`PnL`, figures.difference(position.pnl, currency), html`${figures.percentDifference(position.pnlPercent[currency])} of what was put in`)}
    ${inBoth('Fees not collected', position.uncollectedFee, '')} ${inBoth('Fees collected', position.collectedFee, '')}
    ${figureCard(
      html`Daily return${hint('about-daily', 'daily return', 'PnL over what was put in, for each day since it was opened.')}`,
      figures.fractionDifference(position.dailyReturn[currency]),
      html`APR ${figures.plain(figures.text.percent(position.aprPercent))}`,
    )}
    ${figureCard('Age', figures.plain(figures.text.age(position.ageHours)), position.createdAtMs === undefined ? 'not known since when' : html`since <span title=${figures.text.exact(position.createdAtMs)}>${figures.text.day(position.createdAtMs)}</span>`)}
  </section>`;
}
