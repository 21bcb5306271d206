import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PositionView } from '../../src/protocol/position';
import type { CurrencyView, MoneyView } from '../../src/protocol/schemas';
import { hint } from '../shared/tooltip';
import { pnlSum, type SumLine, type SumPart } from './pnlBreakdown';
import { currencyOf, type PositionState } from './state';

const names = (): Readonly<Record<SumPart, string>> => ({
  value: l10n.t('Current value'),
  uncollectedFee: l10n.t('Unclaimed fees'),
  collectedFee: l10n.t('Claimed fees'),
  output: l10n.t('Withdrawn'),
  collectedReward: l10n.t('Claimed rewards'),
  input: l10n.t('Deposited'),
  rest: l10n.t('Other'),
});

/** The PnL as a sum of its components. */
export function pnlCard(state: PositionState, position: PositionView): TemplateResult<1> {
  const { figures } = state;
  const currency = currencyOf(state);
  const { lines, isComplete } = pnlSum(position, currency);
  const hasReward = lines.some(({ part }) => part === 'collectedReward');
  return html`<section class="card" aria-labelledby="pnl-title">
    <div class="section-header"><h2 id="pnl-title">${l10n.t('PnL')}</h2>${hint('about-pnl', l10n.t('About PnL'), l10n.t('Current value plus fees and withdrawals, minus deposits, since the first deposit. Price changes of the tokens before and after are not included.'))}</div>
    <dl class="facts sum-lines">
      ${lines.map((line, index) => sumLine(state, line, currency, index === 0))}
      <div class="sum"><dt><span class="sum-sign" aria-hidden="true">=</span>${l10n.t('PnL')}</dt><dd>${figures.difference(position.pnl, currency)}</dd></div>
      <div><dt>${l10n.t('Return on deposits')}</dt><dd>${figures.percentDifference(position.pnlPercent[currency])}</dd></div>
      ${hasReward || (position.collectedReward[currency] ?? 0) === 0 ? nothing : html`<div><dt>${l10n.t('Claimed rewards')} <span class="aside">${l10n.t('(not in the sum)')}</span></dt><dd>${figures.amount(position.collectedReward, currency)}</dd></div>`}
    </dl>
    ${isComplete ? nothing : html`<p class="soft">${l10n.t('Some amounts are unknown, so the lines may not add up.')}</p>`}
  </section>`;
}

function sumLine({ figures }: PositionState, { part, sign, amount }: SumLine, currency: CurrencyView, isFirst: boolean): TemplateResult<1> {
  const minus = sign < 0 || (part === 'rest' && amount !== undefined && amount < 0);
  const money: MoneyView = { [currency]: amount === undefined || part !== 'rest' ? amount : Math.abs(amount) };
  const word = minus ? l10n.t('minus') : l10n.t('plus');
  return html`<div>
    <dt><span class="sum-sign" aria-hidden="true">${isFirst ? '' : minus ? '−' : '+'}</span>${isFirst ? nothing : html`<span class="visually-hidden">${word} </span>`}${names()[part]}${part === 'rest' ? hint('about-rest', l10n.t('About the remaining difference'), l10n.t('A difference that the lines above do not explain: the service read them at different times, or counts something else.')) : nothing}</dt>
    <dd>${figures.plain(currency === 'usd' ? figures.text.exactMoney(money, currency) : figures.text.money(money, currency), figures.text.exactMoney(money, currency))}</dd>
  </div>`;
}
