import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PositionView } from '../../src/protocol/position';
import { icon } from '../shared/icons';
import type { Template } from '../shared/template';
import type { PositionActions, PositionState } from './state';

/** The buttons of the panel. Whatever moves money continues in the extension's own dialogs. */
export function positionActions(state: PositionState, { post }: PositionActions, position: PositionView): TemplateResult<1> {
  const disabledReason = disabledReasonOf(state, position);
  const isDisabled = disabledReason !== undefined;
  const { address, pool } = position;
  return html`<div class="toolbar actions" role="group" aria-label=${l10n.t('Actions')}>
    <vscode-button ?disabled=${isDisabled} title=${disabledReason ?? l10n.t('Withdraw liquidity. You choose how much, then review and confirm.')} @click=${() => post({ kind: 'zapOut' })}>${l10n.t('Zap Out…')}</vscode-button>
    ${
      position.poolType === 'dlmm'
        ? html`<vscode-button appearance="secondary" ?disabled=${isDisabled} title=${disabledReason ?? l10n.t('Move the range to the current price. You review and confirm before anything is signed.')} @click=${() => post({ kind: 'rebalance' })}>${l10n.t('Rebalance…')}</vscode-button>`
        : nothing
    }
    ${pool === undefined ? nothing : secondary(l10n.t('Open Pool'), 'graph', () => post({ kind: 'openPool' }))}
    ${address === undefined ? nothing : secondary(l10n.t('Explorer'), 'link-external', () => post({ kind: 'openInExplorer' }), l10n.t('Open the account in a Solana explorer'))}
    ${address === undefined ? nothing : secondary(l10n.t('Copy Address'), 'copy', () => post({ kind: 'copyAddress', address }), address)}
    ${disabledReason === undefined || state.gone || position.isBusy ? nothing : html`<span class="soft disabled-reason">${icon('eye')} ${disabledReason}</span>`}
  </div>`;
}

function secondary(label: string, iconName: string, run: () => void, title = label): Template {
  return html`<vscode-button appearance="secondary" title=${title} @click=${run}>${label}<span slot="start" class="codicon codicon-${iconName}" aria-hidden="true"></span></vscode-button>`;
}

/** Why liquidity cannot be withdrawn; `undefined`: it can. */
function disabledReasonOf({ gone, ambient }: PositionState, { isBusy }: PositionView): string | undefined {
  if (gone) {
    return l10n.t('This position is no longer open.');
  }
  if (isBusy) {
    return l10n.t('An operation on this position is in progress.');
  }
  return ambient?.canSign === false ? l10n.t('This is a watch-only wallet. Import its key to sign.') : undefined;
}
