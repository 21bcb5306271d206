import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { shortAddress } from '../../src/base/format/identifiers';
import { POSITION_OPERATIONS, type PositionOperation, type PositionView } from '../../src/protocol/position';
import { badge, currencyToggle, icon, iconButton } from '../shared/controls';
import { sandboxBadge } from '../shared/facts';
import { type Figures, poolTypeName, nonBreaking } from '../shared/figures';
import { asOf } from '../shared/partView';
import type { Template } from '../shared/rendering';
import { pairLogos } from '../shared/tokenLogo';
import { currencyOf, type PositionActions, type PositionState } from './state';

/** The position's name and state, and the controls of the whole panel. */
export function positionHeader(state: PositionState, actions: PositionActions): TemplateResult<1> {
  const { data } = state.position;
  return html`<header class="page-header">
    ${data === undefined ? html`<h1 class="name">${l10n.t('Position')}</h1>` : named(data, state, actions.post)}
    <span class="spring"></span>
    <div class="toolbar">
      ${sandboxBadge(state.ambient)} ${asOf(state.position, state.figures)} ${currencyToggle(currencyOf(state), actions.chooseCurrency)}
      ${iconButton('refresh', l10n.t('Refresh'), () => actions.post({ kind: 'refresh' }))}
    </div>
  </header>`;
}

/** For example "DLMM · Spot · Bin step 100 bps (1%)". */
function kindOf(position: PositionView, figures: Figures): string {
  return [
    poolTypeName(position.poolType),
    position.strategy,
    position.binStepBps === undefined || position.poolType === 'dammV2'
      ? undefined
      : `${l10n.t('Bin step')} ${figures.text.bps(position.binStepBps)}`,
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

/** The address with what copies it, as beside the name of a pool. */
function copyButton({ address }: PositionView, post: PositionActions['post']): Template {
  return address === undefined
    ? nothing
    : iconButton('copy', l10n.t`Copy ${shortAddress(address)}`, () => post({ kind: 'copyAddress', address }), {
        title: l10n.t`Copy ${address}`,
      });
}

function named(position: PositionView, state: PositionState, post: PositionActions['post']): TemplateResult<1> {
  return html`<div class="identity">
    ${pairLogos(position.x, position.y)}
    <div class="identity-words">
      <div class="identity-name"><h1 class="name">${position.pairName}</h1>${copyButton(position, post)}${state.gone ? closedBadge() : rangeBadge(position)}</div>
      <p class="soft">${nonBreaking(kindOf(position, state.figures))}</p>
    </div>
  </div>`;
}

function rangeBadge({ inRange, poolType }: PositionView): Template {
  if (poolType === 'dammV2') {
    return badge(html`${icon('pulse')} ${l10n.t('Full range')}`, l10n.t('Earns fees at every price.'));
  }
  if (inRange === false) {
    return badge(html`${icon('warning')} ${l10n.t('Out of range')}`, l10n.t('Earns no fees until the price returns.'), 'badge-warning');
  }
  return inRange === true
    ? badge(html`${icon('pass')} ${l10n.t('In range')}`, undefined, 'badge-good')
    : badge(html`${icon('question')} ${l10n.t('Range unknown')}`, l10n.t('Not reported by the service.'));
}

function closedBadge(): Template {
  return badge(html`${icon('archive')} ${l10n.t('Not open')}`);
}

interface OperationButton {
  readonly label: string;
  /** Whether positions in pools without bins have it. */
  readonly isForAll: boolean;
  /** Whether only the services that Binsight runs have it. */
  readonly isOwn?: boolean;
}

const operationButtons = (): Readonly<Record<PositionOperation, OperationButton>> => ({
  zapOut: { label: l10n.t('Zap Out…'), isForAll: true },
  claim: { label: l10n.t('Claim Fees…'), isForAll: true, isOwn: true },
  compound: { label: l10n.t('Compound Fees…'), isForAll: true, isOwn: true },
  add: { label: l10n.t('Add Liquidity…'), isForAll: true, isOwn: true },
  rebalance: { label: l10n.t('Rebalance…'), isForAll: false },
});

function operationButton(
  operation: PositionOperation,
  { poolType }: PositionView,
  {
    disabledReason,
    isOwnService,
    isMain,
  }: { readonly disabledReason: string | undefined; readonly isOwnService: boolean; readonly isMain: boolean },
  run: () => void,
): Template {
  const { label, isForAll, isOwn = false } = operationButtons()[operation];
  const appearance = isMain ? 'primary' : 'secondary';
  return (isForAll || poolType === 'dlmm') && (isOwnService || !isOwn)
    ? html`<vscode-button appearance=${appearance} ?disabled=${disabledReason !== undefined} title=${disabledReason ?? l10n.t('Nothing is signed yet. You review first.')} @click=${run}>${label}</vscode-button>`
    : nothing;
}

/** Fees worth a claim: more than the network fee and tip, US dollars. */
const WORTH_A_CLAIM_USD = 1;

/** What the state of the position suggests: to come back into the range, else to claim the fees that wait. */
export function mainOperation(
  { inRange, poolType, uncollectedFee }: Pick<PositionView, 'inRange' | 'poolType' | 'uncollectedFee'>,
  isOwnService: boolean,
): PositionOperation {
  if (inRange === false && poolType === 'dlmm') {
    return 'rebalance';
  }
  return isOwnService && (uncollectedFee.usd ?? 0) >= WORTH_A_CLAIM_USD ? 'claim' : 'zapOut';
}

/** The buttons of the panel, that of the main operation first. Whatever moves money continues in the extension's own dialogs. */
export function positionActions(state: PositionState, { post }: PositionActions, position: PositionView): TemplateResult<1> {
  const disabledReason = disabledReasonOf(state, position);
  const { address, pool } = position;
  const isOwnService = state.ambient?.isOwnService === true;
  const main = mainOperation(position, isOwnService);
  const operations = [main, ...POSITION_OPERATIONS.filter((operation) => operation !== main)];
  return html`<div class="toolbar actions" role="group" aria-label=${l10n.t('Actions')}>
    ${operations.map((operation) => operationButton(operation, position, { disabledReason, isOwnService, isMain: operation === main }, () => post({ kind: 'operate', operation })))}
    ${pool === undefined ? nothing : secondary(l10n.t('Open Pool'), 'graph', () => post({ kind: 'openPool' }))}
    ${address === undefined || state.ambient?.hasExplorer !== true ? nothing : secondary(l10n.t('Open in Explorer'), 'link-external', () => post({ kind: 'openInExplorer' }))}
    ${disabledReason === undefined || state.gone || position.isBusy ? nothing : html`<span class="soft disabled-reason">${icon(position.poolType === 'other' ? 'info' : 'eye')} ${disabledReason}</span>`}
  </div>`;
}

function secondary(label: string, iconName: string, run: () => void): Template {
  return html`<vscode-button appearance="secondary" @click=${run}>${label}<span slot="start" class="codicon codicon-${iconName}" aria-hidden="true"></span></vscode-button>`;
}

/** Why liquidity cannot be withdrawn; `undefined`: it can. */
function disabledReasonOf({ gone, ambient }: PositionState, { isBusy, poolType }: PositionView): string | undefined {
  if (gone) {
    return l10n.t('This position is no longer listed. It may have been closed.');
  }
  if (poolType === 'other') {
    return l10n.t('Binsight supports only Meteora DLMM and DAMM v2 pools: it signs nothing that it cannot check.');
  }
  if (isBusy) {
    return l10n.t('An operation on this position is in progress. Wait until it ends.');
  }
  return ambient?.canSign === false ? l10n.t('This is a watch-only wallet. Import its key to sign.') : undefined;
}
