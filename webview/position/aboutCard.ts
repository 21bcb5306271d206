import { html, nothing, type TemplateResult } from 'lit-html';
import type { PositionView } from '../../src/protocol/position';
import { icon } from '../shared/icons';
import type { Template } from '../shared/template';
import { POOL_TYPES } from './positionHeader';
import type { PositionActions, PositionState } from './state';

/** What does not change from day to day. */
export function aboutCard({ figures, nowMs }: PositionState, { post }: PositionActions, position: PositionView): TemplateResult<1> {
  const { text } = figures;
  const addressed = (label: string, address: string | undefined): Template =>
    address === undefined
      ? nothing
      : fact(
          label,
          html`${figures.short(address)}<button type="button" class="icon-button" title="Copy ${address}" aria-label="Copy the address of the ${label.toLowerCase()}" @click=${() => post({ kind: 'copyAddress', address })}>${icon('copy')}</button>`,
        );
  return html`<section class="card" aria-labelledby="about-title">
    <div class="section-header"><h2 id="about-title">About</h2></div>
    <dl class="facts">
      ${fact('Opened', figures.moment(position.createdAtMs, nowMs))} ${fact('Kind', POOL_TYPES[position.poolType])}
      ${position.poolType === 'dammV2'
        ? nothing
        : html`${fact('Strategy', position.strategy ?? figures.plain(text.count(undefined)))} ${fact('Bin step', figures.plain(text.bps(position.binStepBps)))}
          ${fact('Bins', figures.plain(text.bins(position.lowerBinId, position.upperBinId)))} ${fact('Active bin', figures.plain(text.bin(position.activeBinId)))}`}
      ${addressed('Position', position.address)} ${addressed('Pool', position.pool)} ${addressed(position.x.symbol, position.x.address)} ${addressed(position.y.symbol, position.y.address)}
      ${fact('Updated by the service', figures.moment(position.updatedAtMs, nowMs))}
    </dl>
  </section>`;
}

function fact(label: string, figure: Template): TemplateResult<1> {
  return html`<div><dt>${label}</dt><dd>${figure}</dd></div>`;
}
