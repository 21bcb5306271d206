import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PositionView } from '../../src/protocol/position';
import type { CurrencyView, MoneyView } from '../../src/protocol/schemas';
import { infoTooltip } from '../shared/controls';
import { currencyOf, type PositionState } from './state';

/** A component of a position's PnL. `rest` is the difference that the other components do not explain. */
type SumPart = 'value' | 'uncollectedFee' | 'uncollectedReward' | 'collectedFee' | 'output' | 'collectedReward' | 'input' | 'rest';

interface SumLine {
  readonly part: SumPart;
  readonly sign: 1 | -1;
  /** `undefined`: not known. Only `rest` may be negative; the others are as the service reports them. */
  readonly amount: number | undefined;
}

export interface PnlSum {
  readonly lines: readonly SumLine[];
  readonly pnl: number | undefined;
  /** All parts are known, so the lines add up to the PnL. */
  readonly isComplete: boolean;
}

type SumFigures = Pick<
  PositionView,
  'value' | 'uncollectedRewards' | 'uncollectedFee' | 'collectedFee' | 'collectedReward' | 'output' | 'input' | 'pnl'
>;

const PARTS = [
  ['value', 1],
  ['uncollectedFee', 1],
  ['collectedFee', 1],
  ['output', 1],
  ['input', -1],
] as const;

/** A difference below this share of the largest part, or below the smallest unit shown, is rounding. */
const ROUNDING_SHARE = 1e-4;
const LEAST_SHOWN = { usd: 0.01, native: 0.0001 } as const;

/**
 * Breaks the service's PnL down: value + unclaimed fees and rewards + claimed fees + withdrawn − deposited. Claimed rewards become a line only if they
 * alone explain a remaining difference; any other difference becomes the line `rest`. So complete lines always add up to the service's PnL.
 */
export function pnlSum(position: SumFigures, currency: CurrencyView): PnlSum {
  const pnl = position.pnl[currency];
  const waiting = position.uncollectedRewards?.worth;
  const lines: SumLine[] = PARTS.flatMap(([part, sign]): SumLine[] => [
    { part, sign, amount: position[part][currency] },
    ...(part === 'uncollectedFee' && waiting !== undefined
      ? [{ part: 'uncollectedReward', sign: 1, amount: waiting[currency] } as const]
      : []),
  ]);
  const amounts = lines
    .map(({ sign, amount }) => (amount === undefined ? undefined : sign * amount))
    .filter((amount) => amount !== undefined);
  if (pnl === undefined || amounts.length < lines.length) {
    return { lines, pnl, isComplete: false };
  }
  const rounding = Math.max(LEAST_SHOWN[currency], ROUNDING_SHARE * Math.max(...amounts.map(Math.abs), Math.abs(pnl)));
  const rest = pnl - amounts.reduce((sum, amount) => sum + amount, 0);
  if (Math.abs(rest) <= rounding) {
    return { lines, pnl, isComplete: true };
  }
  const reward = position.collectedReward[currency];
  const last: SumLine =
    reward !== undefined && Math.abs(rest - reward) <= rounding
      ? { part: 'collectedReward', sign: 1, amount: reward }
      : { part: 'rest', sign: 1, amount: rest };
  return {
    lines: [
      ...lines.slice(0, -1),
      ...(last.part === 'collectedReward' ? [last] : []),
      ...lines.slice(-1),
      ...(last.part === 'rest' ? [last] : []),
    ],
    pnl,
    isComplete: true,
  };
}

const names = (): Readonly<Record<SumPart, string>> => ({
  value: l10n.t('Current value'),
  uncollectedFee: l10n.t('Unclaimed fees'),
  uncollectedReward: l10n.t('Unclaimed rewards'),
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
    <div class="section-header"><h2 id="pnl-title">${l10n.t('PnL')}</h2>${infoTooltip('about-pnl', l10n.t('About PnL'), l10n.t('Current value plus fees and withdrawals, minus deposits, since the first deposit. Price changes of the tokens before and after are not included.'))}</div>
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
    <dt><span class="sum-sign" aria-hidden="true">${isFirst ? '' : minus ? '−' : '+'}</span>${isFirst ? nothing : html`<span class="visually-hidden">${word} </span>`}${names()[part]}${part === 'rest' ? infoTooltip('about-rest', l10n.t('About the remaining difference'), l10n.t('A difference that the lines above do not explain: the service read them at different times, or counts something else.')) : nothing}</dt>
    <dd>${figures.plain(currency === 'usd' ? figures.text.exactMoney(money, currency) : figures.text.money(money, currency), figures.text.exactMoney(money, currency))}</dd>
  </div>`;
}
