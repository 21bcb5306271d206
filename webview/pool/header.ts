import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PoolView } from '../../src/protocol/pool';
import { badge, currencyToggle, iconButton } from '../shared/controls';
import { sandboxBadge } from '../shared/facts';
import { type Figures, poolTypeName } from '../shared/figures';
import { asOf } from '../shared/partView';
import { pairLogos } from '../shared/tokenLogo';
import type { PoolActions } from './actions';
import { changes } from './facts';
import { type PoolMoney, priceIn } from './money';
import { chosenCurrency, type PoolState } from './state';

export interface Header {
  readonly state: PoolState;
  readonly actions: PoolActions;
  readonly figures: Figures;
  readonly money: PoolMoney;
  /** The pool's address. */
  readonly address: string;
}

/** The pool's name, price in both directions, and actions. The address is known before anything else. */
export function header(of: Header): TemplateResult<1> {
  const { state, actions, figures, address } = of;
  const pool = state.pool.data;
  return html`<header class="pool-header">
    <div class="page-header">
      ${pool === undefined ? nothing : pairLogos(pool.x, pool.y)}
      <div class="pool-title">
        <h1>${pool?.pairName ?? state.name ?? html`${l10n.t('Pool')} ${figures.short(address)}`}</h1>
        ${pool === undefined ? nothing : badges(pool, figures)} ${sandboxBadge(state.ambient)}
      </div>
      <span class="spring"></span>
      <div class="toolbar">
        ${asOf(state.pool, figures)}
        ${iconButton('refresh', l10n.t('Refresh'), () => actions.retry('pool'))}${iconButton('copy', l10n.t`Copy ${figures.text.address(address)}`, () => actions.copyAddress(address), { title: l10n.t`Copy ${address}` })}${state.ambient?.hasExplorer === true ? iconButton('link-external', l10n.t('Open in Explorer'), actions.openInExplorer) : nothing}
        ${currencyToggle(chosenCurrency(state), actions.chooseCurrency)}
      </div>
    </div>
    ${pool === undefined ? nothing : priceLine(pool, of)}
  </header>`;
}

function badges(pool: PoolView, { text }: Figures): TemplateResult<1> {
  return html`${badge(poolTypeName(pool.poolType), l10n.t('Pool type'))}
    ${pool.binStepBps === undefined ? nothing : badge(`${l10n.t('Bin step')} ${text.bps(pool.binStepBps)}`)}`;
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
        ${iconButton('arrow-swap', l10n.t('Invert Price'), actions.swapPrice)}
      </p>
      <p class="soft figure">1 ${quote.symbol} = ${text.price(other)} ${base.symbol}${base.priceUsd === undefined ? '' : ` · 1 ${base.symbol} = ${priceIn(base.priceUsd, text, money)}`}</p>
    </div>
    ${changes(pool, figures)}
    <span class="spring"></span>
    ${
      state.mode === 'plan' || pool.poolType === 'other'
        ? nothing
        : html`<vscode-button class="plan-button" appearance="primary" @click=${() => actions.startPlan()}>${l10n.t('Zap In…')}<span slot="start" class="codicon codicon-add" aria-hidden="true"></span></vscode-button>`
    }
  </div>`;
}
