import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { PositionView } from '../../src/protocol/position';
import { asOf } from '../shared/asyncView';
import { sandboxSign } from '../shared/facts';
import { type Figures, unparted } from '../shared/figures';
import { icon, iconButton } from '../shared/icons';
import { POOL_TYPES } from '../shared/poolTypes';
import { currencyToggle } from '../shared/segmented';
import type { Template } from '../shared/template';
import { pairLogos } from '../shared/tokenLogo';
import { currencyOf, type PositionActions, type PositionState } from './state';

/** Which position it is, how it stands, and what holds for the whole panel. */
export function positionHeader(state: PositionState, actions: PositionActions): TemplateResult<1> {
  const { data } = state.position;
  return html`<header class="page-header">
    ${data === undefined ? html`<h1 class="name">Position</h1>` : named(data, state)}
    <span class="spring"></span>
    <div class="toolbar">
      ${sandboxSign(state.ambient)} ${asOf(state.position, state.figures)} ${currencyToggle(currencyOf(state), actions.chooseCurrency)}
      ${iconButton('refresh', 'Refresh', () => actions.post({ kind: 'refresh' }))}
    </div>
  </header>`;
}

/** "DLMM · Spot · bin step 100 bps (1 %)" */
export function kindOf(position: PositionView, figures: Figures): string {
  return [
    POOL_TYPES[position.poolType],
    position.strategy,
    position.binStepBps === undefined || position.poolType === 'dammV2'
      ? undefined
      : l10n.t`bin step ${figures.text.bps(position.binStepBps)}`,
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

function named(position: PositionView, state: PositionState): TemplateResult<1> {
  return html`<div class="identity">
    ${pairLogos(position.x, position.y)}
    <div class="identity-words">
      <div class="identity-name"><h1 class="name">${position.pairName}</h1>${state.gone ? closedBadge() : standing(position)}</div>
      <p class="soft">${unparted(kindOf(position, state.figures))}</p>
    </div>
  </div>`;
}

function standing({ inRange, poolType }: PositionView): Template {
  if (inRange === false) {
    return html`<span class="badge badge-warning" title="The price has left the range: no fees accrue until it returns.">${icon('warning')} Out of range</span>`;
  }
  if (poolType === 'dammV2') {
    return html`<span class="badge badge-good" title="It earns fees at every price.">${icon('pass')} Full range</span>`;
  }
  return inRange === true
    ? html`<span class="badge badge-good" title="The price is inside the range: fees accrue.">${icon('pass')} In range</span>`
    : html`<span class="badge" title="The service does not say whether the price is inside the range.">${icon('question')} Range not known</span>`;
}

function closedBadge(): Template {
  return html`<span class="badge">${icon('archive')} Not open</span>`;
}
