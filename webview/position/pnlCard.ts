import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PositionView } from '../../src/protocol/position';
import type { CurrencyView, MoneyView } from '../../src/protocol/schemas';
import { hint } from '../shared/tooltip';
import { pnlSum, type SumLine, type SumPart } from './pnlBreakdown';
import { currencyOf, type PositionState } from './state';

const names = (): Readonly<Record<SumPart, string>> => ({
  value: l10n.t('Worth now'),
  uncollectedFee: l10n.t('Fees not collected'),
  collectedFee: l10n.t('Fees collected'),
  output: l10n.t('Taken out'),
  collectedReward: l10n.t('Rewards collected'),
  input: l10n.t('Put in'),
  rest: 'Other',
});

/** How the PnL comes about, as a sum. */
export function pnlCard(state: PositionState, position: PositionView): TemplateResult<1> {
  const { figures } = state;
  const currency = currencyOf(state);
  const { lines, isComplete } = pnlSum(position, currency);
  const hasReward = lines.some(({ part }) => part === 'collectedReward');
  return html`<section class="card" aria-labelledby="pnl-title">
    <div class="section-header"><h2 id="pnl-title">PnL</h2>${hint('about-pnl', l10n.t('the PnL'), l10n.t('From the first deposit on: what it is worth, with fees and all that was taken out, less what was put in. What the tokens did before and after is left out.'))}</div>
    <dl class="facts sum-lines">
      ${lines.map((line, index) => sumLine(state, line, currency, index === 0))}
      <div class="sum"><dt><span class="sum-sign" aria-hidden="true">=</span>PnL</dt><dd>${figures.difference(position.pnl, currency)}</dd></div>
      <div><dt>Of what was put in</dt><dd>${figures.percentDifference(position.pnlPercent[currency])}</dd></div>
      ${hasReward || (position.collectedReward[currency] ?? 0) === 0 ? nothing : html`<div><dt>Rewards collected <span class="aside">(not in the sum)</span></dt><dd>${figures.amount(position.collectedReward, currency)}</dd></div>`}
    </dl>
    ${isComplete ? nothing : html`<p class="soft">Some parts are not known, so that they may not add up.</p>`}
  </section>`;
}

function sumLine({ figures }: PositionState, { part, sign, amount }: SumLine, currency: CurrencyView, isFirst: boolean): TemplateResult<1> {
  const minus = sign < 0 || (part === 'rest' && amount !== undefined && amount < 0);
  const money: MoneyView = { [currency]: amount === undefined || part !== 'rest' ? amount : Math.abs(amount) };
  const word = minus ? 'minus' : 'plus';
  return html`<div>
    <dt><span class="sum-sign" aria-hidden="true">${isFirst ? '' : minus ? '−' : '+'}</span>${isFirst ? nothing : html`<span class="visually-hidden">${word} </span>`}${names()[part]}${part === 'rest' ? hint('about-rest', l10n.t('the rest'), l10n.t('What the lines above do not explain: the service read them at different moments, or counts something else besides.')) : nothing}</dt>
    <dd>${figures.plain(currency === 'usd' ? figures.text.exactMoney(money, currency) : figures.text.money(money, currency), figures.text.exactMoney(money, currency))}</dd>
  </div>`;
}
