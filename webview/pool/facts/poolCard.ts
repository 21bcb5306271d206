import { html, nothing, type TemplateResult } from 'lit-html';
import type { PoolView } from '../../../src/protocol/pool';
import { fact } from '../../shared/facts';
import type { Figures } from '../../shared/figures';
import { icon } from '../../shared/icons';
import { hint } from '../../shared/tooltip';

const HOUR_MS = 3_600_000;

/** The pool itself, and what speaks for care with it. */
export function poolCard(pool: PoolView, figures: Figures, nowMs: number): TemplateResult<1> {
  const { text } = figures;
  const { createdAtMs, mintOrFreezeEnabled: isEnabled } = pool;
  return html`<section class="card" aria-labelledby="risk-title">
    <h2 id="risk-title">Pool and risk</h2>
    <dl class="facts">
      ${fact('Age', createdAtMs === undefined ? figures.plain(text.count(undefined)) : figures.plain(text.age((nowMs - createdAtMs) / HOUR_MS), text.exact(createdAtMs)))}
      ${pool.activeBinId === undefined ? nothing : fact('Active bin', figures.plain(text.bin(pool.activeBinId)))}
      ${pool.binStepBps === undefined ? nothing : fact('Bin step', figures.plain(text.bps(pool.binStepBps)))}
      ${fact('Top holders', figures.plain(text.percent(pool.topHolderPercent)), hint('hint-holders', 'the top holders', `The share of all ${pool.x.symbol} that its largest holders have.`))}
      ${fact('Mint or freeze', isEnabled === undefined ? figures.plain(text.count(undefined)) : html`<span class="risk">${icon(isEnabled ? 'warning' : 'pass')} ${isEnabled ? 'enabled' : 'disabled'}</span>`)}
    </dl>
  </section>`;
}
