import * as l10n from '@vscode/l10n';
import type { AutoRebalanceConsent, AutoRebalanceState } from '../../autoRebalance/types';
import { count } from '../../base/format/numbers';
import { shortAddress } from '../../base/format/identifiers';
import { exactTime } from '../../base/format/time';

/** What decides whether a window may take part in auto-rebalance. */
export interface WindowStatus {
  /** It was stopped here, but the consent file could not be removed. */
  readonly isStoppedHere: boolean;
  /** The user confirmed the rules that are on in this VS Code. */
  readonly isConfirmed: boolean;
  /** The folder is trusted, or no folder is open. */
  readonly isTrusted: boolean;
  /** VS Code runs in a browser. */
  readonly isInBrowser: boolean;
  /** The service is the sandbox, whose money is not real. */
  readonly isSandbox: boolean;
}

/** Why a window may not take part, in sentences; `undefined` if it may. */
export function disabledReasonOf({ isStoppedHere, isConfirmed, isTrusted, isInBrowser, isSandbox }: WindowStatus): string | undefined {
  if (isStoppedHere) {
    return l10n.t("It is stopped in this window, but that couldn't be saved, so other windows may continue. Stop it again, or close them.");
  }
  if (!isConfirmed) {
    return l10n.t(
      'It is on by rules that you did not confirm in this VS Code: another VS Code of yours turned it on, or someone else wrote the file. This window does nothing. Start it here to confirm the rules, or stop it for all windows.',
    );
  }
  if (!isTrusted) {
    return l10n.t(
      'This folder is in Restricted Mode: nothing is signed in this window until you trust it. Your other windows may continue.',
    );
  }
  return isInBrowser && !isSandbox
    ? l10n.t('VS Code runs in a browser here: keys of real wallets are not used in this window. Your desktop windows may continue.')
    : undefined;
}

/**
 * The state of auto-rebalance in a window.
 * @param granted the consent on disk
 * @param why the reason why this window may not take part, in sentences
 * @param state of this window's scheduler, if it has one
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
  // Before the scheduler's first look, all that is known is that it is on.
  return state === undefined || state.kind === 'off'
    ? { kind: 'on', grant: granted, role: 'active', lastCheckMs: undefined, acting: [], planned: [], doneToday: 0 }
    : state;
}

/** The state in one or two sentences. */
export function statusSentence(state: AutoRebalanceState): string {
  switch (state.kind) {
    case 'off':
      return l10n.t('Auto-rebalance is off.');
    case 'paused':
      return l10n.t`Auto-rebalance is paused. ${state.why}`;
    case 'on': {
      const { owner, sinceMs, rules } = state.grant;
      const [wallet, since] = [shortAddress(owner), exactTime(new Date(sinceMs))];
      const isOn =
        state.role === 'standby'
          ? l10n.t`Auto-rebalance is on in another window for ${wallet} since ${since}.`
          : l10n.t`Auto-rebalance is on for ${wallet} since ${since}.`;
      const how = rules.mode === 'ask' ? l10n.t('It asks first.') : l10n.t('It signs automatically.');
      return `${isOn} ${how} ${doneTodayText(state.doneToday)}`;
    }
  }
}

/** How many rebalances count against the daily limit; those by hand count, too. */
export function doneTodayText(done: number): string {
  return l10n.t`Rebalances in the last 24 hours, manual and automatic: ${count(done)}.`;
}
