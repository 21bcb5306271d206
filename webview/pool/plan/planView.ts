import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { EntryCost } from '../../../src/base/dlmm/entryCost';
import { STRATEGIES, type Strategy } from '../../../src/base/dlmm/strategy';
import { lamportsAsSol } from '../../../src/base/format/money';
import { counted } from '../../../src/base/format/counted';
import { UNKNOWN } from '../../../src/base/format/numbers';
import type { PlanFigures } from '../../../src/protocol/pool';
import { icon, radioGroup } from '../../shared/controls';
import type { Figures } from '../../shared/figures';
import { asOf, partView, skeletonLines } from '../../shared/partView';
import type { Template } from '../../shared/rendering';
import { planOutlook } from './planOutlook';
import { amountView, rangeView, slippageView, splitView, warning, worthOf } from './fields';
import { type BinPlanEstimate, estimatePlan, type PlanEstimate } from './planModel';
import type { PlanActions, PlanState } from './types';

interface StrategyTexts {
  readonly words: string;
  /** Heights of the bars in its picture, 0 to 1. */
  readonly picture: readonly number[];
}

const strategyTexts = (): Readonly<Record<Strategy, StrategyTexts>> => ({
  Spot: { words: l10n.t('evenly across the range'), picture: [0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6] },
  Curve: { words: l10n.t('around the price, for stable pairs'), picture: [0.25, 0.5, 0.75, 1, 0.75, 0.5, 0.25] },
  BidAsk: { words: l10n.t('at the bounds, for volatile pairs'), picture: [1, 0.75, 0.5, 0.25, 0.5, 0.75, 1] },
});

const BAR = 5;
const HEIGHT = 20;

/** The choice of the strategy, which spreads the liquidity over the range. */
function strategyView({ strategy }: BinPlanEstimate, { change }: PlanActions): TemplateResult<1> {
  return html`<section class="plan-section plan-strategies" aria-labelledby="plan-strategy-title">
    <h3 id="plan-strategy-title">${l10n.t('Strategy')}</h3>
    ${radioGroup<Strategy>(
      {
        id: 'plan-strategy',
        label: l10n.t('Strategy'),
        options: STRATEGIES.map((one) => ({
          value: one,
          label: html`<svg class="plan-picture" aria-hidden="true" viewBox="0 0 ${BAR * 7} ${HEIGHT}" width=${BAR * 7} height=${HEIGHT}>${bars(strategyTexts()[one].picture)}</svg>
          <span class="plan-card-words"><strong>${one}</strong><span class="soft">${strategyTexts()[one].words}</span></span>`,
        })),
        chosen: strategy,
        onChoose: (chosen) => change((now) => ({ ...now, strategy: chosen })),
      },
      'plan-cards',
    )}
  </section>`;
}

function bars(heights: readonly number[]): readonly TemplateResult<2>[] {
  return heights.map(
    (height, index) => svg`<rect x=${index * BAR + 0.5} y=${HEIGHT * (1 - height)} width=${BAR - 1} height=${HEIGHT * height} />`,
  );
}

/** The cost of entering, what of it is refundable, and the remaining balance. */
function costView({ figures }: PlanState, estimate: PlanEstimate, { retry }: PlanActions, writers: Figures): TemplateResult<1> {
  return html`<section class="plan-section" aria-labelledby="plan-cost-title">
    <div class="section-header"><h3 id="plan-cost-title">${l10n.t('Costs')}</h3><span class="spring"></span>${asOf(figures, writers)}</div>
    ${partView(figures, { skeleton: skeletonLines(5), ready: (data) => facts(data, estimate, writers), retry, figures: writers })}
  </section>`;
}

function facts(figures: PlanFigures, { bins, cost, wallet, amountLamports }: PlanEstimate, { locale, plain }: Figures): Template {
  if (cost === undefined || wallet === undefined) {
    return nothing;
  }
  const sol = (lamports: bigint): string => lamportsAsSol(lamports, locale);
  // Without an RPC the rent of today is unknown.
  const rent = (lamports: bigint): string => (figures.isRentUpperBound ? l10n.t`at most ${sol(lamports)}` : sol(lamports));
  const amount = amountLamports ?? 0n;
  const rest = wallet.balanceLamports - amount - cost.totalLamports;
  const worth = amountLamports === undefined ? undefined : worthOf(amountLamports, wallet.solUsd, locale);
  return html`<dl class="facts plan-facts">
      ${row(l10n.t('Deposit'), amountLamports === undefined ? plain(UNKNOWN) : sol(amount), worth)}
      ${row(l10n.t('Position rent'), rent(cost.rentLamports), l10n.t('refunded when closed'))}
      ${bins !== undefined ? arrays(cost, figures, sol) : nothing}
      ${row(l10n.t('Network fees and tip'), l10n.t`at most ${sol(cost.feesLamports)}`, `≈ ${counted(cost.transactions, 'transaction', locale)}`)}
      <div class="sum"><dt>${l10n.t('Remaining balance')}</dt><dd>${rest < 0n ? l10n.t('insufficient') : l10n.t`about ${sol(rest)}`}</dd></div>
    </dl>
    <p class="soft">${l10n.t('Without rent for new token accounts.')}</p>`;
}

/** The bin arrays of the range that do not exist yet: the first position that needs one pays its rent, which is not refunded. */
function arrays(
  { binArrays: { missing, unknown }, binArrayLamports }: EntryCost,
  { binArrayLamports: each, isRentUpperBound }: PlanFigures,
  sol: (lamports: bigint) => string,
): TemplateResult<1> {
  if (missing + unknown === 0) {
    return row(l10n.t('New bin arrays'), l10n.t('none'), undefined);
  }
  const most = binArrayLamports + BigInt(unknown) * BigInt(each);
  const count = unknown === 0 ? String(missing) : `${missing}–${missing + unknown}`;
  return row(
    l10n.t('New bin arrays'),
    unknown > 0 || isRentUpperBound ? l10n.t`at most ${sol(most)}` : sol(most),
    warning(l10n.t`${count} new, non-refundable`),
  );
}

function row(name: string, figure: Template, note: Template | undefined): TemplateResult<1> {
  return html`<div><dt>${name}</dt><dd>${figure}</dd>${note === undefined ? nothing : html`<dd class="plan-note">${note}</dd>`}</div>`;
}

/**
 * The planning section below the distribution: choices on the left, costs on the right. Nothing is bought here: the finished plan is handed to
 * the extension.
 */
export function planView(state: PlanState, actions: PlanActions, figures: Figures): TemplateResult<1> {
  const estimate = estimatePlan(state);
  const { bins } = estimate;
  return html`<section class="section plan" aria-labelledby="plan-title">
    <div class="section-header">
      <h2 id="plan-title">${l10n.t`Plan a position in ${state.pool.pairName}`}</h2>
      <span class="spring"></span>
      <vscode-button appearance="secondary" @click=${actions.leave}>${l10n.t('Stop Planning')}</vscode-button>
    </div>
    <div class="plan-columns">
      <div class="plan-choices">
        ${bins === undefined ? noBins(state) : html`${rangeView(state, estimate, bins, actions)}${strategyView(bins, actions)}`} ${amountView(state, estimate, actions)}
        ${bins === undefined ? nothing : splitView(state, estimate, bins, actions)} ${slippageView(state, estimate, actions)}
      </div>
      <div class="plan-outcome card">${planOutlook(state, estimate, actions, figures)} ${costView(state, estimate, actions, figures)} ${goOn(state, estimate, actions)}</div>
    </div>
  </section>`;
}

function noBins({ pool }: PlanState): TemplateResult<1> {
  return html`<p class="soft">${pool.poolType === 'dammV2' ? l10n.t('Full price range; half of the SOL goes to each token') : l10n.t('The service did not report the active bin of the pool.')}</p>`;
}

function goOn({ canAdd }: PlanState, { disabledReason, plan, tokensPlan }: PlanEstimate, actions: PlanActions): TemplateResult<1> {
  return html`<div class="plan-continue">
    <vscode-button
      class="plan-go" appearance="primary" ?disabled=${plan === undefined} aria-describedby="plan-disabled-reason"
      @click=${() => plan !== undefined && actions.goOn(plan)}
    >${l10n.t('Continue…')}</vscode-button>
    ${
      canAdd
        ? html`<vscode-button
            class="plan-add" appearance="secondary" ?disabled=${plan === undefined} aria-describedby="plan-disabled-reason"
            @click=${() => plan !== undefined && actions.addTo(plan)}
          >${l10n.t('Add to Open Position…')}</vscode-button>`
        : nothing
    }
    <vscode-button
      class="plan-tokens" appearance="secondary" ?disabled=${tokensPlan === undefined}
      title=${l10n.t('nothing is swapped')}
      @click=${() => tokensPlan !== undefined && actions.goOn(tokensPlan)}
    >${l10n.t('Deposit Tokens from Wallet…')}</vscode-button>
    <p id="plan-disabled-reason" class="soft" role="status">
      ${disabledReason === undefined ? l10n.t('Nothing is signed yet. You review first.') : html`${icon('info')} ${disabledReason}`}
    </p>
  </div>`;
}
