import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { EarningsView } from '../../src/protocol/earnings';
import type { PositionView } from '../../src/protocol/position';
import type { MoneyView } from '../../src/protocol/schemas';
import { infoTooltip } from '../shared/controls';
import { fact } from '../shared/facts';
import { earningsReason } from '../shared/earningsReason';
import { asOf, partView, skeletonLines } from '../shared/partView';
import type { Template } from '../shared/rendering';
import { nativePerUsd } from './holdings';
import { currencyOf, type PositionActions, type PositionState } from './state';

type KnownEarnings = Extract<EarningsView, { known: true }>;
type UnknownEarnings = Exclude<EarningsView, KnownEarnings>;

/** Part of the traded amount above which trading cost unusually much. */
const HIGH_TRADING_COST = 0.05;
/** Less is not shown, SOL: a lamport. */
const LEAST_SOL = 1e-9;

/** What the position really earned: the change of the wallet, and what it consists of. */
export function earningsCard(state: PositionState, actions: PositionActions, position: PositionView): TemplateResult<1> {
  const { earnings, figures } = state;
  return html`<section class="card" aria-labelledby="earnings-title">
    <div class="section-header">
      <h2 id="earnings-title">${l10n.t('What it really earned')}</h2>
      ${infoTooltip('about-earnings', l10n.t('What it really earned'), l10n.t("How all transactions of the position changed your wallet, and what is still in it. Trading: what you got less than at the pool's price."))}
      ${asOf(earnings, figures)}
    </div>
    ${partView(earnings, {
      skeleton: skeletonLines(7),
      ready: (data) => (data.known ? sum(state, position, data) : unknown(state, actions, position, data)),
      retry: () => actions.post({ kind: 'retry', part: 'earnings' }),
      figures,
    })}
  </section>`;
}

function sum(state: PositionState, position: PositionView, earnings: KnownEarnings): TemplateResult<1> {
  const { figures } = state;
  const { text } = figures;
  const currency = currencyOf(state);
  const rate = nativePerUsd(position.value);
  const money = (sol: number): MoneyView => ({ native: sol, usd: rate === undefined ? undefined : sol / rate });
  const difference = (value: MoneyView): Template => figures.difference(value, currency);
  const { lines, linesUsd, realSol, reportedSol, tradedSol, transferFeesSol = 0, openSol } = earnings;
  const { fees, impermanentLoss, trading, commission, costs, priceOfDeposit, afterWithdrawal, heldTokens } = inBoth(lines, linesUsd, money);
  const realUsd =
    linesUsd === undefined ? money(realSol).usd : Object.values<number>({ ...linesUsd }).reduce((total, one) => total + one, 0);
  const againstHolding = [fees, impermanentLoss, trading, commission, costs].reduce(sumOf);
  const line = (label: Template, value: MoneyView, aside = ''): Template =>
    fact(html`${label}${aside === '' ? nothing : html` <span class="aside">${aside}</span>`}`, difference(value));
  const lineIfAny = (label: Template, value: MoneyView): Template =>
    Math.abs(value.native ?? 0) < LEAST_SOL ? nothing : line(label, value);
  // The service counts SOL's own gains and losses among dollars, these lines do not: only in SOL can they be compared.
  const reportedIn = linesUsd === undefined ? currency : 'native';
  const reported = (sol: number): Template => figures.difference(money(sol), reportedIn);
  const tradingCost = tradedSol > 0 ? -(lines.trading + transferFeesSol) / tradedSol : 0;
  const traded = [
    ...(tradedSol < LEAST_SOL ? [] : [l10n.t`${text.money(money(tradedSol), currency)} traded: ${text.fraction(tradingCost)}`]),
    ...(transferFeesSol < LEAST_SOL ? [] : [l10n.t`transfer fee ${text.money(money(transferFeesSol), currency)}`]),
  ].join(' · ');
  return html`<dl class="facts sum-lines">
      <div class="sum"><dt>${openSol === undefined ? l10n.t('In your wallet') : l10n.t('In your wallet and the position')}</dt><dd>${difference({ native: realSol, usd: realUsd })}</dd></div>
      ${line(l10n.t('Fees'), fees)}
      ${line(l10n.t('Impermanent loss'), impermanentLoss)} ${line(l10n.t('Trading'), trading, traded)} ${lineIfAny(l10n.t('Commission of the service'), commission)}
      ${line(l10n.t('Network, tips, rent lost'), costs)}
      <div class="sum"><dt><span class="sum-sign" aria-hidden="true">=</span>${l10n.t('Against holding')}</dt><dd>${difference(againstHolding)}</dd></div>
      ${line(l10n.t('Price of the deposited tokens'), priceOfDeposit)} ${lineIfAny(l10n.t('Price after partial withdrawals'), afterWithdrawal)}
      ${lineIfAny(l10n.t('Price of tokens in the wallet'), heldTokens)}
      ${reportedSol === undefined ? nothing : [fact(l10n.t('Reported by the service'), reported(reportedSol)), fact(l10n.t('Difference'), reported(realSol - reportedSol))]}
    </dl>
    ${tradingCost > HIGH_TRADING_COST ? html`<p class="soft">${l10n.t('The trading cost is unusually high.')}</p>` : nothing}
    <p class="soft">${remainders(state, earnings, money)} ${source(state, earnings)}</p>`;
}

/** Each line in SOL and in US dollars: those at the price of SOL when they happened, where that is known. */
function inBoth(
  lines: KnownEarnings['lines'],
  linesUsd: KnownEarnings['linesUsd'],
  money: (sol: number) => MoneyView,
): Readonly<Record<keyof KnownEarnings['lines'], MoneyView>> {
  const both = (name: keyof KnownEarnings['lines']): MoneyView =>
    linesUsd === undefined ? money(lines[name]) : { native: lines[name], usd: linesUsd[name] };
  return {
    fees: both('fees'),
    impermanentLoss: both('impermanentLoss'),
    trading: both('trading'),
    commission: both('commission'),
    costs: both('costs'),
    priceOfDeposit: both('priceOfDeposit'),
    afterWithdrawal: both('afterWithdrawal'),
    heldTokens: both('heldTokens'),
  };
}

function sumOf(one: MoneyView, other: MoneyView): MoneyView {
  return {
    native: (one.native ?? NaN) + (other.native ?? NaN),
    usd: one.usd === undefined || other.usd === undefined ? undefined : one.usd + other.usd,
  };
}

/** What is not in the wallet yet, or not in SOL. */
function remainders(state: PositionState, { lockedSol, leftovers, hasRewards }: KnownEarnings, money: (sol: number) => MoneyView): string {
  const { text } = state.figures;
  const currency = currencyOf(state);
  const named = (some: KnownEarnings['leftovers']): string =>
    some
      .map(({ symbol, amount, sol }) => {
        const tokens = `${text.tokens(Math.abs(amount))} ${symbol}`;
        return sol === undefined ? tokens : `${tokens} (≈ ${text.money(money(Math.abs(sol)), currency)})`;
      })
      .join(', ');
  const [left, taken] = [leftovers.filter(({ amount }) => amount > 0), leftovers.filter(({ amount }) => amount < 0)];
  return [
    lockedSol < LEAST_SOL ? '' : l10n.t`Still locked: ${text.money(money(lockedSol), currency)} rent.`,
    left.length === 0 ? '' : l10n.t`Still in the wallet: ${named(left)}.`,
    taken.length === 0 ? '' : l10n.t`Taken from the wallet: ${named(taken)}.`,
    hasRewards ? l10n.t('Without unclaimed rewards.') : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function source(state: PositionState, { transactions, positions, sinceMs, linesUsd }: KnownEarnings): string {
  const { text } = state.figures;
  const from = text.counted(transactions, 'transaction');
  const over = positions === 1 ? from : `${from}, ${text.counted(positions - 1, 'rebalance')}`;
  const scope = l10n.t`Since the first deposit on ${text.day(sinceMs)}: ${over}.`;
  return currencyOf(state) === 'usd' && linesUsd === undefined ? `${scope} ${l10n.t('At the current price of SOL.')}` : scope;
}

function unknown(state: PositionState, { post }: PositionActions, position: PositionView, earnings: UnknownEarnings): TemplateResult<1> {
  const { figures } = state;
  return html`<dl class="facts sum-lines">${fact(l10n.t('Reported by the service'), figures.difference(position.pnl, currencyOf(state)))}</dl>
    <p class="soft">${earningsReason(earnings, state.figures.text)}</p>
    ${
      earnings.why === 'many'
        ? html`<vscode-button appearance="secondary" @click=${() => post({ kind: 'readTransactions' })}>${l10n.t`Read ${figures.text.count(earnings.count)} Transactions`}</vscode-button>`
        : nothing
    }`;
}
