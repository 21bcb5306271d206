import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { PositionView } from '../../src/protocol/position';
import { asOf } from '../shared/asyncView';
import { sandboxSign } from '../shared/facts';
import { type Figures, unparted } from '../shared/figures';
import { icon, iconButton } from '../shared/icons';
import { poolTypeName } from '../shared/poolTypes';
import { currencyToggle } from '../shared/segmented';
import type { Template } from '../shared/template';
import { pairLogos } from '../shared/tokenLogo';
import { currencyOf, type PositionActions, type PositionState } from './state';

/** The position's name and state, and the controls of the whole panel. */
export function positionHeader(state: PositionState, actions: PositionActions): TemplateResult<1> {
  const { data } = state.position;
  return html`<header class="page-header">
    ${data === undefined ? html`<h1 class="name">${l10n.t('Position')}</h1>` : named(data, state)}
    <span class="spring"></span>
    <div class="toolbar">
      ${sandboxSign(state.ambient)} ${asOf(state.position, state.figures)} ${currencyToggle(currencyOf(state), actions.chooseCurrency)}
      ${iconButton('refresh', l10n.t('Refresh'), () => actions.post({ kind: 'refresh' }))}
    </div>
  </header>`;
}

/** For example "DLMM · Spot · bin step 100 bps (1%)". */
export function kindOf(position: PositionView, figures: Figures): string {
  return [
    poolTypeName(position.poolType),
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
      <div class="identity-name"><h1 class="name">${position.pairName}</h1>${state.gone ? closedBadge() : rangeBadge(position)}</div>
      <p class="soft">${unparted(kindOf(position, state.figures))}</p>
    </div>
  </div>`;
}

function rangeBadge({ inRange, poolType }: PositionView): Template {
  if (inRange === false) {
    return html`<span class="badge badge-warning" title=${l10n.t('The price has left the range. No fees accrue until it returns.')}>${icon('warning')} ${l10n.t('Out of range')}</span>`;
  }
  if (poolType === 'dammV2') {
    return html`<span class="badge badge-good" title=${l10n.t('Earns fees at every price.')}>${icon('pass')} ${l10n.t('Full range')}</span>`;
  }
  return inRange === true
    ? html`<span class="badge badge-good" title=${l10n.t('The price is inside the range: fees accrue.')}>${icon('pass')} ${l10n.t('In range')}</span>`
    : html`<span class="badge" title=${l10n.t("The service doesn't report whether the price is inside the range.")}>${icon('question')} ${l10n.t('Range not known')}</span>`;
}

function closedBadge(): Template {
  return html`<span class="badge">${icon('archive')} ${l10n.t('Not open')}</span>`;
}
