import * as l10n from '@vscode/l10n';
import type { AutoRebalanceConsent, AutoRebalanceState, PlannedPosition } from '../../autoRebalance/types';
import { counted } from '../../base/format/numbers';
import { shortAddress } from '../../base/format/identifiers';
import { exactTime } from '../../base/format/time';
import { escapedMarkdown, escapedSentence, paragraphs, plainText } from '../shell/views/text';
import { modeSentence, stopKeys } from './rulesMessages';
import { doneTodayText } from './windowStatus';

/** The content of the status bar item. */
export interface AutoRebalanceStatusBarModel {
  /** With codicons. */
  readonly text: string;
  /** Markdown with codicons. */
  readonly tooltip: string;
  /** The label for screen readers. */
  readonly spoken: string;
  /** It waits for the user. */
  readonly warns: boolean;
}

/**
 * Gives the content of the status bar item; `undefined` while auto-rebalance is off, when there is none.
 * @param isAsking an action waits for the user's answer
 */
export function autoRebalanceStatusBarModel(state: AutoRebalanceState, isAsking = false): AutoRebalanceStatusBarModel | undefined {
  switch (state.kind) {
    case 'off':
      return undefined;
    case 'paused':
      return {
        text: `$(debug-pause) ${l10n.t('Auto-rebalance is paused')}`,
        tooltip: tooltipOf(l10n.t('Auto-rebalance is paused'), [escapedSentence(state.why), ...grantLines(state.grant)]),
        spoken: l10n.t`Binsight: auto-rebalance is paused. ${withoutIcons(state.why)}`,
        warns: true,
      };
    case 'on':
      return state.role === 'standby' ? standby(state.grant) : active(state, isAsking);
  }
}

function active(
  { grant, acting, planned, lastCheckMs, doneToday }: Extract<AutoRebalanceState, { kind: 'on' }>,
  isAsking: boolean,
): AutoRebalanceStatusBarModel {
  const waiting = planned.filter(({ decision }) => decision.kind === 'user');
  const doing = acting.length === 0 ? undefined : doingText(acting, planned, isAsking);
  const icon = isAsking ? '$(question)' : '$(sync~spin)';
  const isAskMode = grant.rules.mode === 'ask';
  const lines = [
    doing === undefined ? undefined : `${icon} ${escapedSentence(doing)}`,
    waiting.length === 0
      ? undefined
      : `$(warning) **${waitingText(waiting.length)}** ${waiting.map(({ position }) => escapedMarkdown(position.pairName)).join(', ')}`,
    modeSentence(grant.rules),
    ...grantLines(grant),
    lastCheckMs === undefined
      ? l10n.t('No check yet.')
      : l10n.t`Last check: ${exactTime(new Date(lastCheckMs))}, ${counted(planned.length, 'position')}.`,
    doneTodayText(doneToday),
  ];
  const idleText = isAskMode ? l10n.t('Auto-rebalance: asks first') : l10n.t('Auto-rebalance: signs automatically');
  const text = doing ?? (waiting.length === 0 ? idleText : l10n.t`Auto-rebalance: ${waiting.length} waiting for you`);
  return {
    text: `${doing === undefined ? '$(sync)' : icon} ${text}`,
    tooltip: tooltipOf(l10n.t('Auto-rebalance is on'), lines),
    spoken: [
      isAskMode
        ? l10n.t('Binsight: auto-rebalance is on and asks first.')
        : l10n.t('Binsight: auto-rebalance is on and signs automatically.'),
      ...(doing === undefined ? [] : [`${doing}.`]),
      ...(waiting.length === 0 ? [] : [waitingText(waiting.length)]),
    ].join(' '),
    warns: isAsking || waiting.length > 0,
  };
}

function standby(grant: AutoRebalanceConsent): AutoRebalanceStatusBarModel {
  return {
    text: `$(sync-ignored) ${l10n.t('Auto-rebalance: another window')}`,
    tooltip: tooltipOf(l10n.t('Auto-rebalance is on'), [
      l10n.t('Another window is running it. This one takes over when that one closes.'),
      ...grantLines(grant),
    ]),
    spoken: l10n.t('Binsight: auto-rebalance is on in another window.'),
    warns: false,
  };
}

function doingText(acting: readonly string[], planned: readonly PlannedPosition[], isAsking: boolean): string {
  const names = acting.map((key) => nameOf(key, planned)).join(', ');
  if (isAsking) {
    return l10n.t`Auto-rebalance asks about ${names}`;
  }
  return acting.some((key) => isClosing(key, planned)) ? l10n.t`Closing ${names}` : l10n.t`Rebalancing ${names}`;
}

function waitingText(count: number): string {
  return count === 1 ? l10n.t('1 position waits for you.') : l10n.t`${count} positions wait for you.`;
}

function tooltipOf(title: string, lines: readonly (string | undefined)[]): string {
  return paragraphs([`**${title}**`, ...lines, l10n.t`Click for actions. “Stop All Automation” (${stopKeys()}) stops it immediately.`]);
}

function grantLines({ owner, sinceMs }: AutoRebalanceConsent): readonly string[] {
  return [l10n.t`For ${shortAddress(owner)} since ${exactTime(new Date(sinceMs))}.`];
}

function nameOf(key: string, planned: readonly PlannedPosition[]): string {
  const found = planned.find(({ position }) => position.key === key);
  return found === undefined ? l10n.t('a position') : plainText(found.position.pairName);
}

/** Whether the action on a position is a stop-loss or take-profit. */
function isClosing(key: string, planned: readonly PlannedPosition[]): boolean {
  return planned.some(({ position, decision }) => position.key === key && decision.kind === 'act' && decision.action === 'close');
}

/** A sentence that may quote a service, without codicons. */
function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}
