import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { PoolView } from '../../src/protocol/pool';
import { emptyState, partView, skeletonBlock, skeletonLines } from '../shared/asyncView';
import { errorBanner, guardFor, sharedError } from '../shared/errors';
import type { Figures } from '../shared/figures';
import { hint } from '../shared/tooltip';
import type { PoolActions } from './actions';
import type { Distribution } from './distribution/distribution';
import { help } from './distribution/shell';
import { activityCard, feesCard, keyFigures, poolCard } from './facts/facts';
import { feeStats } from './facts/feeStats';
import { tokens } from './facts/tokens';
import { header } from './header';
import type { TopLpers } from './lpers/topLpers';
import { poolMoney, type PoolMoney } from './money';
import type { PlanOverlay } from './plan/overlay';
import { planView } from './plan/planView';
import type { PlanState } from './plan/types';
import { chosenCurrency, type PoolState } from './state';

/** What the panel is made of: made once, they outlive the views. */
export interface PoolParts {
  readonly address: string;
  readonly actions: PoolActions;
  readonly distribution: Distribution;
  readonly overlay: PlanOverlay;
  readonly lpers: TopLpers;
}

/** The pool panel. What a change has nothing to do with is not written again: figures are many, and a plan changes with each pixel. */
export function poolPanel(state: PoolState, figures: Figures, parts: PoolParts): TemplateResult<1> {
  const { actions, address } = parts;
  const money = poolMoney(chosenCurrency(state), state.pool.data, state.planFigures.data?.solUsd);
  const { ambient, pool, lpers, lperRanges, lpersQuery, lpersColumns, rangesOf, currency, isPriceSwapped, mode } = state;
  const trouble = sharedError({ pool, lpers });
  const shown = guardFor(trouble);
  return html`<main class="page pool-page">
    ${guard([ambient, pool, isPriceSwapped, currency, money.solUsd, mode, figures], () => header({ state, actions, figures, money, address }))}
    ${errorBanner(trouble, { pool, lpers }, figures, actions.retry)}
    ${
      trouble?.isAll === true
        ? nothing
        : html`${shown(pool, 'pool', (part) => partView(part, { label: l10n.t('the pool'), skeleton: skeleton(), retry: () => actions.retry('pool'), figures, ready: (data) => body(data, state, figures, money, parts) }))}
        ${guard([ambient, lpers, lperRanges, lpersQuery, lpersColumns, rangesOf, currency, pool.data?.activeBinId, trouble === undefined, figures], () => parts.lpers.view(state, figures, shown))}`
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
  };
  const looks = [pool, figures, money.currency, money.solUsd];
  return html`<div class="pool-body">
    ${guard(looks, () => keyFigures(pool, figures, money))}
    <div class="pool-stage ${isPlanning ? 'is-planning' : ''}">
      ${distribution(pool, state, figures, money, parts, isPlanning ? plan : undefined)}
      ${isPlanning ? planView(plan, actions.plan, figures) : nothing}
      ${guard(looks, () => html`<div class="pool-aside">${activityCard(pool, figures, money)}${feesCard(pool, figures, money)}${poolCard(pool, figures, Date.now())}</div>`)}
    </div>
    ${guard(looks, () => tokens(pool, figures, money, actions))}
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
  const hasBins = pool.activeBinId !== undefined || pool.bins.length > 0;
  return html`<section class="section card distribution-card" aria-labelledby="distribution-title">
    <header><h2 id="distribution-title">${hasBins ? l10n.t('Liquidity by bin') : 'Liquidity'}</h2>${hasBins ? hint('hint-distribution', l10n.t('moving about in the chart'), help()) : nothing}</header>
    ${ownNotice(state, parts.actions)}
    ${
      hasBins
        ? parts.distribution.view({
            pool,
            own: own.length === 0 ? NONE : own,
            figures,
            currency,
            solUsd,
            isPriceSwapped: state.isPriceSwapped,
            overlay,
          })
        : emptyState(
            pool.poolType === 'dammV2'
              ? l10n.t('This pool has no bins: its liquidity lies over all prices alike.')
              : l10n.t('The service does not tell how the liquidity of this pool is distributed.'),
            'graph',
          )
    }
  </section>`;
}

/** The same list each time: what is drawn from it is not reckoned again. */
const NONE: readonly never[] = [];

/** Where the wallet's own positions could not be read, nobody is to think that there are none. */
function ownNotice({ own }: PoolState, actions: PoolActions): TemplateResult<1> | typeof nothing {
  return own.standing !== 'failed' && own.standing !== 'stale'
    ? nothing
    : html`<p class="own-notice soft">
        ${own.standing === 'stale' ? l10n.t('Your own positions are shown as they were; they could not be read again.') : l10n.t('Your own positions could not be read, and are not shown.')}
        <button type="button" class="link-button" @click=${() => actions.retry('own')}>Try Again</button>
      </p>`;
}

function skeleton(): TemplateResult<1> {
  return html`<div class="pool-body" aria-hidden="true">
    <div class="tiles">${[0, 1, 2, 3].map(() => html`<div class="card">${skeletonLines(3)}</div>`)}</div>
    <div class="pool-stage"><div class="card distribution-card">${skeletonBlock()}</div><div class="pool-aside"><div class="card">${skeletonLines(5)}</div><div class="card">${skeletonLines(5)}</div></div></div>
  </div>`;
}
