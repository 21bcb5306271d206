import { html, nothing, type TemplateResult } from 'lit-html';
import type { PositionView } from '../../src/protocol/position';
import { fact } from '../shared/facts';
import { iconButton } from '../shared/iconButton';
import { POOL_TYPES } from '../shared/poolTypes';
import type { Template } from '../shared/template';
import type { PositionActions, PositionState } from './state';

/** What does not change from day to day. */
export function aboutCard({ figures, nowMs }: PositionState, { post }: PositionActions, position: PositionView): TemplateResult<1> {
  const { text } = figures;
  const addressed = (label: string, spoken: string, address: string | undefined): Template =>
    address === undefined
      ? nothing
      : fact(
          label,
          html`${figures.short(address)}${iconButton('copy', `Copy the address of ${spoken}`, () => post({ kind: 'copyAddress', address }), { title: `Copy ${address}` })}`,
        );
  return html`<section class="card" aria-labelledby="about-title">
    <div class="section-header"><h2 id="about-title">About</h2></div>
    <dl class="facts">
      ${fact('Opened', figures.moment(position.createdAtMs, nowMs))} ${fact('Kind', POOL_TYPES[position.poolType])}
      ${position.poolType === 'dammV2'
        ? nothing
        : html`${fact('Strategy', position.strategy ?? figures.plain(text.count(undefined)))} ${fact('Bin step', figures.plain(text.bps(position.binStepBps)))}
          ${fact('Bins', figures.plain(text.bins(position.lowerBinId, position.upperBinId)))} ${fact('Active bin', figures.plain(text.bin(position.activeBinId)))}`}
      ${addressed('Position', 'the position', position.address)} ${addressed('Pool', 'the pool', position.pool)} ${addressed(position.x.symbol, position.x.symbol, position.x.address)} ${addressed(position.y.symbol, position.y.symbol, position.y.address)}
      ${fact('Updated by the service', figures.moment(position.updatedAtMs, nowMs))}
    </dl>
  </section>`;
}
