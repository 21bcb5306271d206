import { html, nothing, type TemplateResult } from 'lit-html';
import type { Figures } from '../../shared/figures';
import { icon } from '../../shared/icons';
import { amountView, slippageView, splitView } from './amountView';
import { costView } from './costView';
import { estimatePlan, type PlanEstimate } from './planModel';
import { rangeView } from './rangeView';
import { strategyView } from './strategyView';
import type { PlanActions, PlanState } from './types';

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
  return html`<p class="soft">${pool.poolType === 'dammV2' ? 'This pool has no bins: a position spans all prices, and half of the SOL goes to each token.' : 'No range can be laid: the service does not tell where this pool trades.'}</p>`;
}

function goOn({ hindrance, plan }: PlanEstimate, actions: PlanActions): TemplateResult<1> {
  return html`<div class="plan-continue">
    <vscode-button
      class="plan-go" appearance="primary" ?disabled=${plan === undefined} aria-describedby="plan-hindrance"
      @click=${() => plan !== undefined && actions.goOn(plan)}
    >Continue…</vscode-button>
    <p id="plan-hindrance" class="soft" role="status">
      ${hindrance === undefined ? 'The editor sums it up next, reviews the transactions, and asks before anything is signed.' : html`${icon('info')} ${hindrance}`}
    </p>
  </div>`;
}
