import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PositionView } from '../../src/protocol/position';
import { icon } from '../shared/icons';
import type { Template } from '../shared/template';
import type { PositionActions, PositionState } from './state';

/** What can be done with the position. Whatever moves money goes on in the extension's own dialogue. */
export function positionActions(state: PositionState, { post }: PositionActions, position: PositionView): TemplateResult<1> {
  const hindrance = disabledReasonOf(state, position);
  const isHindered = hindrance !== undefined;
  const { address, pool } = position;
  return html`<div class="toolbar actions" role="group" aria-label="Actions">
    <vscode-button ?disabled=${isHindered} title=${hindrance ?? l10n.t('Take liquidity out: asks how much, shows what is signed, and waits for a yes')} @click=${() => post({ kind: 'zapOut' })}>Zap Out…</vscode-button>
    ${
      position.poolType === 'dlmm'
        ? html`<vscode-button appearance="secondary" ?disabled=${isHindered} title=${hindrance ?? l10n.t('Move the range to where the price is: shows what is signed, and waits for a yes')} @click=${() => post({ kind: 'rebalance' })}>Rebalance…</vscode-button>`
        : nothing
    }
    ${pool === undefined ? nothing : secondary(l10n.t('Open Pool'), 'graph', () => post({ kind: 'openPool' }))}
    ${address === undefined ? nothing : secondary('Explorer', 'link-external', () => post({ kind: 'openInExplorer' }), l10n.t('Show the account in a Solana explorer'))}
    ${address === undefined ? nothing : secondary(l10n.t('Copy Address'), 'copy', () => post({ kind: 'copyAddress', address }), address)}
    ${hindrance === undefined || state.gone || position.isBusy ? nothing : html`<span class="soft hindrance">${icon('eye')} ${hindrance}</span>`}
  </div>`;
}

function secondary(label: string, iconName: string, run: () => void, title = label): Template {
  return html`<vscode-button appearance="secondary" title=${title} @click=${run}>${label}<span slot="start" class="codicon codicon-${iconName}" aria-hidden="true"></span></vscode-button>`;
}

/** Why nothing can be taken out, where it is so. */
function disabledReasonOf({ gone, ambient }: PositionState, { isBusy }: PositionView): string | undefined {
  if (gone) {
    return l10n.t('The position is not open any more.');
  }
  if (isBusy) {
    return l10n.t('An operation on this position is under way.');
  }
  return ambient?.canSign === false ? l10n.t('This wallet is watched only: its key is not here.') : undefined;
}
