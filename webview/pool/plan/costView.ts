import { html, nothing, type TemplateResult } from 'lit-html';
import { lamportsAsSol } from '../../../src/format/money';
import { counted, UNKNOWN } from '../../../src/format/numbers';
import type { PlanFigures } from '../../../src/protocol/plan';
import type { Figures } from '../../shared/figures';
import { asOf, partView, skeletonLines } from '../../shared/partView';
import type { Template } from '../../shared/template';
import { worthOf } from './amountView';
import type { Cost } from './cost';
import type { PlanEstimate } from './planModel';
import type { PlanActions, PlanState } from './types';

/** What entering takes out of the wallet, what of it comes back, and what is left. */
export function costView({ figures }: PlanState, reckoned: PlanEstimate, { retry }: PlanActions, writers: Figures): TemplateResult<1> {
  return html`<section class="plan-section" aria-labelledby="plan-cost-title">
    <div class="section-header"><h3 id="plan-cost-title">What it takes</h3><span class="spring"></span>${asOf(figures, writers)}</div>
    ${partView(figures, { label: 'the balance of the wallet', skeleton: skeletonLines(5), ready: (data) => facts(data, reckoned, writers), retry, figures: writers })}
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
      ${row('Goes into the pool', amountLamports === undefined ? plain(UNKNOWN) : sol(amount), worth)}
      ${cost.rentLamports === undefined ? nothing : row('Rent of the position', sol(cost.rentLamports), cost.widerLamports === 0n ? 'comes back when it is closed' : `comes back when it is closed; ${sol(cost.widerLamports)} of it for the bins above 70`)}
      ${cost.rentLamports === undefined ? nothing : arrays(cost, figures, sol)}
      ${row('Network fees and tip', `at most ${sol(cost.feesLamports)}`, `about ${counted(cost.transactions, 'transaction', locale)} to sign`)}
      <div class="sum"><dt>Left in the wallet</dt><dd>${rest < 0n ? 'not enough' : `about ${sol(rest)}`}</dd></div>
    </dl>
    <p class="soft">${cost.rentLamports === undefined ? 'The rent of the position and of' : 'The rent of'} token accounts that the wallet does not have yet is not counted here. The review counts everything, before anything is signed.</p>`;
}

/** The bin arrays of the range that are not there yet: whoever comes first pays for them, and does not get it back. */
function arrays({ binArrays: { missing, unknown }, binArrayLamports }: Cost, { binArrayLamports: each }: PlanFigures, sol: (lamports: bigint) => string): TemplateResult<1> {
  const most = sol(BigInt(unknown) * BigInt(each));
  if (unknown === 0) {
    return missing === 0 ? row('Missing bin arrays', 'none', undefined) : row('Missing bin arrays', sol(binArrayLamports), `${missing} to be made: this does not come back`);
  }
  return missing === 0
    ? row('Missing bin arrays', 'not known', `nobody tells without an RPC: at most ${most} more, which would not come back`)
    : row('Missing bin arrays', `at least ${sol(binArrayLamports)}`, `${missing} to be made; of ${unknown} more nobody tells: at most ${most}. None of it comes back`);
}

function row(name: string, figure: Template, note: string | undefined): TemplateResult<1> {
  return html`<div><dt>${name}</dt><dd>${figure}</dd>${note === undefined ? nothing : html`<dd class="plan-note">${note}</dd>`}</div>`;
}
