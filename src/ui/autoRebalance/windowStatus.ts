import * as l10n from '@vscode/l10n';
import type { AutoRebalanceConsent, AutoRebalanceState } from '../../autoRebalance/types';
import { counted } from '../../base/format/numbers';
import { shortAddress } from '../../base/format/places';
import { exactTime } from '../../base/format/time';

/** How a window stands towards automation, whatever is on. */
export interface WindowStatus {
  /** It was stopped here, and that could not be written down. */
  readonly isStoppedHere: boolean;
  /** The user has confirmed in this VS Code the rules that are on. */
  readonly isConfirmed: boolean;
  /** The folder is trusted, or none is open. */
  readonly isTrusted: boolean;
  /** VS Code runs in a browser. */
  readonly isInBrowser: boolean;
  /** The service is the sandbox, whose money is pretended. */
  readonly isSandbox: boolean;
}

/** What keeps a window from taking part in automation, in sentences; `undefined`: nothing. */
export function disabledReasonOf({ isStoppedHere, isConfirmed, isTrusted, isInBrowser, isSandbox }: WindowStatus): string | undefined {
  if (isStoppedHere) {
    return l10n.t(
      'It does nothing more in this window. That it is off could not be written down, so other windows may go on: stop it again, or close them.',
    );
  }
  if (!isConfirmed) {
    return l10n.t(
      'It is written down as on, and you did not confirm these rules in this VS Code: another one of yours may have turned it on, or the file was put there. This window does nothing. Start it here to confirm the rules, or stop it for all.',
    );
  }
  if (!isTrusted) {
    return l10n.t(
      'This folder is in Restricted Mode: nothing is signed in this window until you trust it. Another window of yours goes on with it.',
    );
  }
  return isInBrowser && !isSandbox
    ? l10n.t('VS Code runs in a browser here: keys of real wallets are not used in this window. A desktop window of yours goes on with it.')
    : undefined;
}

/**
 * How automation stands in a window.
 * @param granted what is on, in whatever window
 * @param why what keeps this window from taking part, in sentences
 * @param state of this window's loop, where it has one
 */
export function stateInWindow(
  granted: AutoRebalanceConsent | undefined,
  why: string | undefined,
  state: AutoRebalanceState | undefined,
): AutoRebalanceState {
  if (granted === undefined) {
    return { kind: 'off' };
  }
  if (why !== undefined) {
    return { kind: 'paused', grant: granted, why };
  }
  // Until the loop has looked for the first time, or again, nothing more is known than that it is on.
  return state === undefined || state.kind === 'off'
    ? { kind: 'on', grant: granted, role: 'active', lastCheckMs: undefined, acting: [], planned: [], doneToday: 0 }
    : state;
}

/** How automation stands, in one sentence or more. */
export function statusSentence(state: AutoRebalanceState): string {
  switch (state.kind) {
    case 'off':
      return l10n.t('Auto-rebalance is off.');
    case 'paused':
      return l10n.t`Auto-rebalance is paused. ${state.why}`;
    case 'on': {
      const { owner, sinceMs, rules } = state.grant;
      const how = rules.mode === 'ask' ? l10n.t('and asks first') : l10n.t('and signs by the rules');
      const where = state.role === 'standby' ? l10n.t(', in another window') : '';
      return l10n.t`Auto-rebalance is on${where} for ${shortAddress(owner)} since ${exactTime(new Date(sinceMs))}, ${how}. ${counted(state.doneToday, 'rebalance')} in the last 24 hours, by hand or by itself.`;
    }
  }
}
