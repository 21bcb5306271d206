import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { PoolView } from '../../src/protocol/pool';
import { icon, iconButton, infoTooltip } from '../shared/controls';
import type { Figures } from '../shared/figures';
import { emptyState, errorBanner, partGuard, partView, sharedError, skeletonBlock, skeletonLines } from '../shared/partView';
import type { PoolActions } from './actions';
import type { Distribution } from './distribution/distribution';
import { help } from './distribution/shell';
import { activityCard, feesCard, feeStats, keyFigures, poolCard, tokens } from './facts';
import type { Template } from '../shared/rendering';
import { header } from './header';
import { poolMoney, type PoolMoney } from './money';
import type { PlanOverlay } from './plan/overlay';
import { planView } from './plan/planView';
import type { PlanState } from './plan/types';
import { chosenCurrency, type PoolState } from './state';
import { priceSection } from './priceChart';
import type { TopLpers } from './topLpers';

/** Parts that are created once and outlive the views. */
export interface PoolParts {
  readonly address: string;
  readonly actions: PoolActions;
  readonly distribution: Distribution;
  readonly overlay: PlanOverlay;
  readonly lpers: TopLpers;
}

/** The pool panel. Guards keep unaffected parts from rendering: there are many figures, and dragging changes the plan with every pixel. */
export function poolPanel(state: PoolState, figures: Figures, parts: PoolParts): TemplateResult<1> {
  const { actions, address } = parts;
  const money = poolMoney(chosenCurrency(state), state.pool.data, state.planFigures.data?.solUsd);
  const { ambient, pool, lpers, lperRanges, lpersQuery, lpersColumns, rangesOf, currency, isPriceSwapped, mode } = state;
  const error = sharedError({ pool, lpers });
  const shown = partGuard(error);
  return html`<main class="page pool-page">
    ${guard([ambient, pool, state.name, isPriceSwapped, currency, money.solUsd, mode, figures], () => header({ state, actions, figures, money, address }))}
    ${errorBanner(error, { pool, lpers }, figures, actions.retry, actions.help)}
    ${
      error?.isAll === true
        ? nothing
        : html`${shown(pool, 'pool', (part) => partView(part, { skeleton: skeleton(), retry: () => actions.retry('pool'), figures, ready: (data) => body(data, state, figures, money, parts) }))}
        ${guard([ambient, lpers, lperRanges, lpersQuery, lpersColumns, rangesOf, currency, isPriceSwapped, pool.data?.activeBinId, error === undefined, figures], () => parts.lpers.view(state, figures, shown))}`
    }
  </main>`;
}

function body(pool: PoolView, state: PoolState, figures: Figures, money: PoolMoney, parts: PoolParts): TemplateResult<1> {
  const { actions } = parts;
  const isPlanning = state.mode === 'plan';
  const plan: PlanState = {
    ambient: state.ambient,
    pool,
    figures: state.planFigures,
    draft: state.draft,
    isPriceSwapped: state.isPriceSwapped,
    volatility: state.volatility,
    counterRecord: state.counterRecord,
    ownForecasts: state.ownForecasts,
    horizon: state.horizon,
    currency: money.currency,
    canAdd: state.ambient?.isOwnService === true && (state.own.data ?? []).length > 0,
  };
  const looks = [pool, figures, money.currency, money.solUsd];
  return html`<div class="pool-body">
    ${openedNotice(state, figures, money, actions)} ${guard(looks, () => keyFigures(pool, figures, money))}
    <div class="pool-stage ${isPlanning ? 'is-planning' : ''} ${hasBins(pool) ? '' : 'without-bins'}">
      ${distribution(pool, state, figures, money, parts, isPlanning ? plan : undefined)}
      ${isPlanning ? planView(plan, actions.plan, figures) : nothing}
      ${guard(looks, () => html`<div class="pool-aside">${activityCard(pool, figures, money)}${feesCard(pool, figures)}${poolCard(pool, figures, Date.now())}</div>`)}
    </div>
    ${guard(looks, () => tokens(pool, figures, money, actions))}
    ${guard([pool, state.own.data, state.priceHistory, state.ownTrades, state.chartPeriod, state.isPriceSwapped, isPlanning, isPlanning && state.draft.fromBinId, isPlanning && state.draft.toBinId, figures], () => priceSection(pool, state, figures, actions))}
    ${guard(looks, () => feeStats(pool, figures, money))}
  </div>`;
}

function distribution(
  pool: PoolView,
  state: PoolState,
  figures: Figures,
  { currency, solUsd }: PoolMoney,
  parts: PoolParts,
  plan: PlanState | undefined,
): TemplateResult<1> {
  const own = state.own.data ?? [];
  const overlay = plan === undefined ? undefined : parts.overlay.show(plan);
  const isByBin = hasBins(pool);
  return html`<section class="section card distribution-card" aria-labelledby="distribution-title">
    <header><h2 id="distribution-title">${l10n.t('Liquidity')}</h2>${isByBin ? infoTooltip('hint-distribution', l10n.t('Liquidity'), help()) : nothing}</header>
    ${ownNotice(state, parts.actions)}
    ${
      isByBin
        ? parts.distribution.view({
            pool,
            own: own.length === 0 ? NONE : own,
            figures,
            currency,
            solUsd,
            isPriceSwapped: state.isPriceSwapped,
            overlay,
          })
        : pool.poolType === 'dammV2'
          ? html`<p class="soft">${l10n.t('Full range')}</p>`
          : emptyState(l10n.t('Not reported by the service.'), 'graph')
    }
  </section>`;
}

function hasBins({ activeBinId, bins }: PoolView): boolean {
  return activeBinId !== undefined || bins.length > 0;
}

/** What the plan has become, in place of the plan. */
function openedNotice({ opened }: PoolState, { text }: Figures, { currency }: PoolMoney, actions: PoolActions): Template {
  if (opened === undefined) {
    return nothing;
  }
  const { key, value, inRange } = opened;
  const worth = text.money(value, currency);
  const words = inRange === undefined ? worth : `${worth} · ${inRange ? l10n.t('in range') : l10n.t('out of range')}`;
  return html`<div class="banner" role="status">${icon('pass')}<p>${l10n.t('Opened')}: ${words}</p>
    <vscode-button appearance="primary" @click=${() => actions.openPosition(key)}>${l10n.t('Open Position')}</vscode-button>
    ${iconButton('close', l10n.t('Close'), actions.dismissOpened)}
  </div>`;
}

/** One shared empty list, so that comparing by identity finds no change. */
const NONE: readonly never[] = [];

/** A notice if the wallet's positions could not be loaded: without it, missing positions would look like none. */
function ownNotice({ own }: PoolState, actions: PoolActions): TemplateResult<1> | typeof nothing {
  return own.status !== 'failed' && own.status !== 'stale'
    ? nothing
    : html`<p class="own-notice soft">
        ${l10n.t('Your positions could not be loaded.')}
        <button type="button" class="link-button" @click=${() => actions.retry('own')}>${l10n.t('Try Again')}</button>
      </p>`;
}

function skeleton(): TemplateResult<1> {
  return html`<div class="pool-body" aria-hidden="true">
    <div class="tiles">${[0, 1, 2, 3].map(() => html`<div class="card">${skeletonLines(3)}</div>`)}</div>
    <div class="pool-stage"><div class="card distribution-card">${skeletonBlock()}</div><div class="pool-aside"><div class="card">${skeletonLines(5)}</div><div class="card">${skeletonLines(5)}</div></div></div>
  </div>`;
}
