import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PoolView } from '../../src/protocol/pool';
import { currencyToggle } from '../shared/segmented';
import type { Figures } from '../shared/figures';
import { iconButton } from '../shared/icons';
import { asOf } from '../shared/asyncView';
import { POOL_TYPES } from '../shared/poolTypes';
import { sandboxSign } from '../shared/facts';
import { pairLogos } from '../shared/tokenLogo';
import type { PoolActions } from './actions';
import { changes } from './facts/facts';
import { bothOf, type PoolMoney } from './money';
import { chosenCurrency, type PoolState } from './state';

/** What the header is shown from. */
export interface Header {
  readonly state: PoolState;
  readonly actions: PoolActions;
  readonly figures: Figures;
  readonly money: PoolMoney;
  /** The pool's address. */
  readonly address: string;
}

/** Which pool it is, its price both ways, and what can be done with it. Its address is known before anything else is. */
export function header(of: Header): TemplateResult<1> {
  const { state, actions, figures, address } = of;
  const pool = state.pool.data;
  return html`<header class="pool-header">
    <div class="page-header">
      ${pool === undefined ? nothing : pairLogos(pool.x, pool.y)}
      <div class="pool-title">
        <h1>${pool?.pairName ?? html`Pool ${figures.short(address)}`}</h1>
        ${pool === undefined ? nothing : badges(pool, figures)} ${sandboxSign(state.ambient)}
      </div>
      <span class="spring"></span>
      <div class="toolbar">
        ${asOf(state.pool, figures)}
        ${iconButton('refresh', l10n.t('Read the pool again'), () => actions.retry('pool'))}${iconButton('copy', l10n.t('Copy the address of the pool'), () => actions.copyAddress(address))}${iconButton('link-external', l10n.t('Open the pool in the explorer'), actions.openInExplorer)}
        ${currencyToggle(chosenCurrency(state), actions.chooseCurrency)}
      </div>
    </div>
    ${pool === undefined ? nothing : priceLine(pool, of)}
  </header>`;
}

function badges(pool: PoolView, { text }: Figures): TemplateResult<1> {
  return html`<span class="badge" title="Type of the pool">${POOL_TYPES[pool.poolType]}</span>
    ${pool.binStepBps === undefined ? nothing : html`<span class="badge" title="What lies between the prices of two bins">Bin step ${text.bps(pool.binStepBps)}</span>`}`;
}

function priceLine(pool: PoolView, { state, actions, figures, money }: Header): TemplateResult<1> {
  const isSwapped = state.isPriceSwapped;
  const [base, quote] = isSwapped ? [pool.y, pool.x] : [pool.x, pool.y];
  const { text } = figures;
  const price = pool.price === undefined || pool.price <= 0 ? undefined : pool.price;
  const shown = price === undefined ? undefined : isSwapped ? 1 / price : price;
  const other = price === undefined ? undefined : isSwapped ? price : 1 / price;
  return html`<div class="price-line">
    <div class="price-now">
      <p class="price-figure">
        <span class="soft">1 ${base.symbol} =</span> ${figures.plain(text.price(shown))} <span>${quote.symbol}</span>
        ${iconButton('arrow-swap', l10n.t`Tell prices the other way round: ${base.symbol} for one ${quote.symbol}`, actions.swapPrice)}
      </p>
      <p class="soft figure">1 ${quote.symbol} = ${text.price(other)} ${base.symbol}${base.priceUsd === undefined ? '' : ` · 1 ${base.symbol} = ${priceIn(base.priceUsd, text, money)}`}</p>
    </div>
    ${changes(pool, figures)}
    <span class="spring"></span>
    ${
      state.mode === 'plan' || pool.poolType === 'other'
        ? nothing
        : html`<vscode-button class="plan-button" appearance="primary" @click=${() => actions.startPlan()}>Plan a Position<span slot="start" class="codicon codicon-edit" aria-hidden="true"></span></vscode-button>`
    }
  </div>`;
}

/** The price of a token in the currency that is shown. */
export function priceIn(usd: number | undefined, text: Figures['text'], money: PoolMoney): string {
  return money.currency === 'usd' || usd === undefined ? text.priceUsd(usd) : l10n.t`${text.price(bothOf(usd, money).native)} SOL`;
}
