import * as l10n from '@vscode/l10n';
import type { AutoRebalanceConsent, AutoRebalanceState, PlannedPosition } from '../../autoRebalance/types';
import { counted } from '../../base/format/numbers';
import { shortAddress } from '../../base/format/places';
import { exactTime } from '../../base/format/time';
import { escapedMarkdown, escapedSentence, paragraphs, plainText } from '../shell/views/text';
import { modeSentence, stopKeys } from './rulesMessages';

/** What the sign in the status bar shows while automation is on. */
export interface AutoRebalanceStatusBarModel {
  /** With codicons. */
  readonly text: string;
  /** Markdown with codicons. */
  readonly tooltip: string;
  /** The sign as a sentence. */
  readonly spoken: string;
  /** It waits for the user. */
  readonly warns: boolean;
}

const NAME = 'Auto-rebalance';

/**
 * Gives what the sign shows; `undefined` while automation is off: there is none then.
 * @param isAsking what is acted on waits for the user's answer
 */
export function autoRebalanceStatusBarModel(state: AutoRebalanceState, isAsking = false): AutoRebalanceStatusBarModel | undefined {
  switch (state.kind) {
    case 'off':
      return undefined;
    case 'paused':
      return sign(
        '$(debug-pause)',
        l10n.t`${NAME} is paused`,
        l10n.t('is on, and paused'),
        [escapedSentence(state.why), ...grantLines(state.grant)],
        l10n.t`paused. ${plainSentence(state.why)}`,
        true,
      );
    case 'on':
      return state.role === 'standby' ? standby(state.grant) : active(state, isAsking);
  }
}

function active(
  { grant, acting, planned, lastCheckMs, doneToday }: Extract<AutoRebalanceState, { kind: 'on' }>,
  isAsking: boolean,
): AutoRebalanceStatusBarModel {
  const waiting = planned.filter(({ decision }) => decision.kind === 'user');
  const doing =
    acting.length === 0
      ? undefined
      : `${isAsking ? l10n.t`${NAME} asks about` : acting.some((key) => isClosing(key, planned)) ? 'Closing' : 'Rebalancing'} ${acting.map((key) => nameOf(key, planned)).join(', ')}`;
  const icon = isAsking ? '$(question)' : '$(sync~spin)';
  const asks = grant.rules.mode === 'ask' ? l10n.t('asks first') : l10n.t('signs by the rules');
  const lines = [
    doing === undefined ? undefined : `${icon} ${escapedSentence(doing)}`,
    waiting.length === 0
      ? undefined
      : l10n.t`$(warning) **${counted(waiting.length, 'position')} ${waiting.length === 1 ? 'waits' : 'wait'} for you:** ${waiting.map(({ position }) => escapedMarkdown(position.pairName)).join(', ')}`,
    modeSentence(grant.rules),
    ...grantLines(grant),
    l10n.t`${lastCheckMs === undefined ? l10n.t('No check yet.') : l10n.t`Last check: ${exactTime(new Date(lastCheckMs))}, ${counted(planned.length, 'position')}.`} ${counted(doneToday, 'rebalance')} in the last 24 hours, by hand or by itself.`,
  ];
  const text =
    doing ??
    (waiting.length === 0 ? `${NAME}: ${asks}` : l10n.t`${NAME}: ${waiting.length} ${waiting.length === 1 ? 'waits' : 'wait'} for you`);
  return sign(
    doing === undefined ? '$(sync)' : icon,
    text,
    l10n.t('is on'),
    lines,
    l10n.t`on, ${asks}.${doing === undefined ? '' : ` ${doing}.`}${waiting.length === 0 ? '' : l10n.t` ${counted(waiting.length, 'position')} for you to look at.`}`,
    isAsking || waiting.length > 0,
  );
}

function standby(grant: AutoRebalanceConsent): AutoRebalanceStatusBarModel {
  return sign(
    '$(sync-ignored)',
    l10n.t`${NAME}: another window`,
    l10n.t('is on'),
    [l10n.t('Another window of yours does it. This one takes over when that one closes.'), ...grantLines(grant)],
    l10n.t('on, in another window.'),
    false,
  );
}

function sign(
  icon: string,
  text: string,
  standing: string,
  lines: readonly (string | undefined)[],
  spoken: string,
  warns: boolean,
): AutoRebalanceStatusBarModel {
  return {
    text: `${icon} ${text}`,
    tooltip: paragraphs([
      `**${NAME} ${standing}**`,
      ...lines,
      l10n.t`Click for what can be done. “Stop All Automation” (${stopKeys()}) stops it at once.`,
    ]),
    spoken: l10n.t`Binsight: auto-rebalance is ${spoken}`,
    warns,
  };
}

function grantLines({ owner, sinceMs }: AutoRebalanceConsent): readonly string[] {
  return [l10n.t`For ${shortAddress(owner)} since ${exactTime(new Date(sinceMs))}.`];
}

function nameOf(key: string, planned: readonly PlannedPosition[]): string {
  const found = planned.find(({ position }) => position.key === key);
  return found === undefined ? 'a position' : plainText(found.position.pairName);
}

/** Whether a stop-loss or take-profit is what is acted on. */
function isClosing(key: string, planned: readonly PlannedPosition[]): boolean {
  return planned.some(({ position, decision }) => position.key === key && decision.kind === 'act' && decision.action === 'close');
}

/** A sentence that may quote what a service said, fit to be read aloud or shown in one line. */
function plainSentence(text: string): string {
  return text.replaceAll('$(', '$ (');
}
