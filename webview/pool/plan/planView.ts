import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { STRATEGIES, type Strategy } from '../../../src/base/dlmm/strategy';
import { lamportsAsSol } from '../../../src/base/format/money';
import { counted, UNKNOWN } from '../../../src/base/format/numbers';
import type { PlanFigures } from '../../../src/protocol/plan';
import { asOf, partView, skeletonLines } from '../../shared/asyncView';
import type { Figures } from '../../shared/figures';
import { icon } from '../../shared/icons';
import type { Template } from '../../shared/template';
import { amountView, slippageView, splitView, worthOf } from './amountView';
import type { Cost } from './cost';
import { type BinPlanEstimate, estimatePlan, type PlanEstimate } from './planModel';
import { rangeView } from './rangeView';
import type { PlanActions, PlanState } from './types';

interface StrategyWords {
  readonly short: string;
  readonly long: string;
  /** Heights of the bars of its picture, 0 to 1. */
  readonly picture: readonly number[];
}

const wordsText = (): Readonly<Record<Strategy, StrategyWords>> => ({
  Spot: {
    short: l10n.t('the same in every bin'),
    long: l10n.t('Earns the same wherever the price moves within the range.'),
    picture: [0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6],
  },
  Curve: {
    short: l10n.t('most around the price'),
    long: l10n.t('Earns more while the price stays near, less when it moves away. For calm pairs.'),
    picture: [0.25, 0.5, 0.75, 1, 0.75, 0.5, 0.25],
  },
  BidAsk: {
    short: l10n.t('most at the ends'),
    long: l10n.t('Earns more when the price swings far, less where it is now. For wild pairs.'),
    picture: [1, 0.75, 0.5, 0.25, 0.5, 0.75, 1],
  },
});

const BAR = 5;
const HEIGHT = 20;

/** How the liquidity is spread over the range: three, each with its picture. */
export function strategyView({ strategy }: BinPlanEstimate, { change }: PlanActions): TemplateResult<1> {
  return html`<fieldset class="plan-section plan-strategies">
    <legend><h3>Strategy</h3></legend>
    <div class="plan-cards">
      ${STRATEGIES.map(
        (one) => html`<label class="plan-card" title=${wordsText()[one].long}>
          <input type="radio" name="plan-strategy" value=${one} .checked=${one === strategy} @change=${() => change((now) => ({ ...now, strategy: one }))} />
          <svg class="plan-picture" aria-hidden="true" viewBox="0 0 ${BAR * 7} ${HEIGHT}" width=${BAR * 7} height=${HEIGHT}>${bars(wordsText()[one].picture)}</svg>
          <span class="plan-card-words"><strong>${one}</strong><span class="soft">${wordsText()[one].short}</span></span>
        </label>`,
      )}
    </div>
    <p class="soft">${wordsText()[strategy].long}</p>
  </fieldset>`;
}

function bars(heights: readonly number[]): readonly TemplateResult<2>[] {
  return heights.map(
    (height, index) => svg`<rect x=${index * BAR + 0.5} y=${HEIGHT * (1 - height)} width=${BAR - 1} height=${HEIGHT * height} />`,
  );
}

/** What entering takes out of the wallet, what of it comes back, and what is left. */
export function costView({ figures }: PlanState, reckoned: PlanEstimate, { retry }: PlanActions, writers: Figures): TemplateResult<1> {
  return html`<section class="plan-section" aria-labelledby="plan-cost-title">
    <div class="section-header"><h3 id="plan-cost-title">What it takes</h3><span class="spring"></span>${asOf(figures, writers)}</div>
    ${partView(figures, { label: l10n.t('the balance of the wallet'), skeleton: skeletonLines(5), ready: (data) => facts(data, reckoned, writers), retry, figures: writers })}
  </section>`;
}

function facts(figures: PlanFigures, { cost, wallet, amountLamports }: PlanEstimate, { locale, plain }: Figures): Template {
  if (cost === undefined || wallet === undefined) {
    return nothing;
  }
  const sol = (lamports: bigint): string => lamportsAsSol(lamports, locale);
  const amount = amountLamports ?? 0n;
  const rest = wallet.balanceLamports - amount - cost.totalLamports;
  const worth = amountLamports === undefined ? undefined : worthOf(amountLamports, wallet.solUsd, locale);
  return html`<dl class="facts plan-facts">
      ${row(l10n.t('Goes into the pool'), amountLamports === undefined ? plain(UNKNOWN) : sol(amount), worth)}
      ${cost.rentLamports === undefined ? nothing : row(l10n.t('Rent of the position'), sol(cost.rentLamports), cost.widerLamports === 0n ? l10n.t('comes back when it is closed') : l10n.t`comes back when it is closed; ${sol(cost.widerLamports)} of it for the bins above 70`)}
      ${cost.rentLamports === undefined ? nothing : arrays(cost, figures, sol)}
      ${row(l10n.t('Network fees and tip'), l10n.t`at most ${sol(cost.feesLamports)}`, l10n.t`about ${counted(cost.transactions, 'transaction', locale)} to sign`)}
      <div class="sum"><dt>Left in the wallet</dt><dd>${rest < 0n ? l10n.t('not enough') : l10n.t`about ${sol(rest)}`}</dd></div>
    </dl>
    <p class="soft">${cost.rentLamports === undefined ? l10n.t('The rent of the position and of') : l10n.t('The rent of')} token accounts that the wallet does not have yet is not counted here. The review counts everything, before anything is signed.</p>`;
}

/** The bin arrays of the range that are not there yet: whoever comes first pays for them, and does not get it back. */
function arrays(
  { binArrays: { missing, unknown }, binArrayLamports }: Cost,
  { binArrayLamports: each }: PlanFigures,
  sol: (lamports: bigint) => string,
): TemplateResult<1> {
  const most = sol(BigInt(unknown) * BigInt(each));
  if (unknown === 0) {
    return missing === 0
      ? row(l10n.t('Missing bin arrays'), 'none', undefined)
      : row(l10n.t('Missing bin arrays'), sol(binArrayLamports), l10n.t`${missing} to be made: this does not come back`);
  }
  return missing === 0
    ? row(
        l10n.t('Missing bin arrays'),
        l10n.t('not known'),
        l10n.t`nobody tells without an RPC: at most ${most} more, which would not come back`,
      )
    : row(
        l10n.t('Missing bin arrays'),
        l10n.t`at least ${sol(binArrayLamports)}`,
        l10n.t`${missing} to be made; of ${unknown} more nobody tells: at most ${most}. None of it comes back`,
      );
}

function row(name: string, figure: Template, note: string | undefined): TemplateResult<1> {
  return html`<div><dt>${name}</dt><dd>${figure}</dd>${note === undefined ? nothing : html`<dd class="plan-note">${note}</dd>`}</div>`;
}

/**
 * Planning a position, below the distribution: what is chosen at the left, what it takes at the right. Nothing is bought here: it ends with
 * a plan that is handed to the extension.
 */
export function planView(state: PlanState, actions: PlanActions, figures: Figures): TemplateResult<1> {
  const reckoned = estimatePlan(state);
  const { bins } = reckoned;
  return html`<section class="section plan" aria-labelledby="plan-title">
    <div class="section-header">
      <h2 id="plan-title">Plan a position in ${state.pool.pairName}</h2>
      <span class="spring"></span>
      <vscode-button appearance="secondary" @click=${actions.leave}>Stop Planning</vscode-button>
    </div>
    <div class="plan-columns">
      <div class="plan-choices">
        ${bins === undefined ? noBins(state) : html`${rangeView(state, reckoned, bins, actions)}${strategyView(bins, actions)}`} ${amountView(state, reckoned, actions)}
        ${bins === undefined ? nothing : splitView(state, reckoned, bins, actions)} ${slippageView(state, reckoned, actions)}
      </div>
      <div class="plan-outcome card">${costView(state, reckoned, actions, figures)} ${goOn(reckoned, actions)}</div>
    </div>
  </section>`;
}

function noBins({ pool }: PlanState): TemplateResult<1> {
  return html`<p class="soft">${pool.poolType === 'dammV2' ? l10n.t('This pool has no bins: a position spans all prices, and half of the SOL goes to each token.') : l10n.t('No range can be laid: the service does not tell where this pool trades.')}</p>`;
}

function goOn({ hindrance, plan }: PlanEstimate, actions: PlanActions): TemplateResult<1> {
  return html`<div class="plan-continue">
    <vscode-button
      class="plan-go" appearance="primary" ?disabled=${plan === undefined} aria-describedby="plan-hindrance"
      @click=${() => plan !== undefined && actions.goOn(plan)}
    >Continue…</vscode-button>
    <p id="plan-hindrance" class="soft" role="status">
      ${hindrance === undefined ? l10n.t('The editor sums it up next, reviews the transactions, and asks before anything is signed.') : html`${icon('info')} ${hindrance}`}
    </p>
  </div>`;
}
