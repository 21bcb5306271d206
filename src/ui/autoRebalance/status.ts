import * as l10n from '@vscode/l10n';
import type { AutoRebalanceConsent, AutoRebalanceState, PauseCause, PlannedPosition } from '../../autoRebalance/types';
import { counted } from '../../base/format/counted';
import { count } from '../../base/format/numbers';
import { shortAddress } from '../../base/format/identifiers';
import { exactTime } from '../../base/format/time';
import { escapedMarkdown, escapedSentence, paragraphs, plainText } from '../shell/views/text';
import { modeSentence } from './rulesMessages';
import { sentence } from '../../base/format/sentence';

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

/** What the status bar item says besides the state. */
export interface StatusContext {
  /** Pairs that a question is open about, also if its notification is no longer visible. */
  readonly asking: readonly string[];
  /** The shortcut that stops auto-rebalance. */
  readonly keys: string;
  /** The wallet that it is on for, while the views show another one. */
  readonly wallet?: string | undefined;
}

/** Gives the content of the status bar item; `undefined` while auto-rebalance is off, when there is none. */
export function autoRebalanceStatusBarModel(state: AutoRebalanceState, context: StatusContext): AutoRebalanceStatusBarModel | undefined {
  const model = modelOf(state, context);
  const { wallet } = context;
  return model === undefined || wallet === undefined
    ? model
    : {
        ...model,
        text: `${model.text} · ${wallet}`,
        tooltip: paragraphs([model.tooltip, walletText(escapedMarkdown(wallet))]),
        spoken: `${model.spoken} ${walletText(wallet)}`,
      };
}

const walletText = (wallet: string): string => l10n.t`It continues for ${wallet}, which the views do not show.`;

function modelOf(state: AutoRebalanceState, context: StatusContext): AutoRebalanceStatusBarModel | undefined {
  switch (state.kind) {
    case 'off':
      return undefined;
    case 'paused': {
      const { why, cause, consent, lastCheckMs } = state;
      const title = pausedTitle(cause);
      return {
        text: `$(debug-pause) ${title}`,
        tooltip: tooltipOf(
          title,
          [
            escapedSentence(why),
            ...consentLines(consent),
            lastCheckMs === undefined ? undefined : l10n.t`Last check: ${exactTime(new Date(lastCheckMs))}.`,
          ],
          context,
        ),
        spoken: `${spokenText(title)} ${withoutIcons(why)}`,
        warns: true,
      };
    }
    case 'on':
      return state.role === 'standby' ? standby(state.consent, context) : active(state, context);
  }
}

/** The state in two or three sentences. */
export function statusSentence(state: AutoRebalanceState): string {
  switch (state.kind) {
    case 'off':
      return l10n.t('Auto-rebalance is off.');
    case 'paused':
      return `${sentence(pausedTitle(state.cause))} ${state.why}`;
    case 'on': {
      return [
        sentence(l10n.t('Auto-rebalance is on')),
        ...consentLines(state.consent),
        ...(state.role === 'standby' ? [elsewhereText()] : []),
        modeSentence(state.consent.rules),
        doneTodayText(state.doneToday, state.consent),
      ].join(' ');
    }
  }
}

/** Without a full stop, for the status bar. */
function pausedTitle(cause: PauseCause | undefined): string {
  switch (cause) {
    case undefined:
      return l10n.t('Auto-rebalance is paused');
    case 'reload':
      return l10n.t('Auto-rebalance is off until the window is reloaded');
    case 'secretStorage':
      return l10n.t('Auto-rebalance waits for the secret storage');
  }
}

/** What a screen reader says of the item. */
const spokenText = (title: string): string => l10n.t`Binsight: ${sentence(title)}`;

function active(
  { consent, acting, planned, lastCheckMs, doneToday }: Extract<AutoRebalanceState, { kind: 'on' }>,
  context: StatusContext,
): AutoRebalanceStatusBarModel {
  const isAsking = context.asking.length > 0;
  const waiting = planned.filter(({ decision }) => decision.kind === 'user');
  const doing = isAsking
    ? l10n.t`Auto-rebalance asks about ${context.asking.map(plainText).join(', ')}`
    : acting.length === 0
      ? undefined
      : doingText(acting, planned);
  const icon = isAsking ? '$(question)' : '$(sync~spin)';
  const isAskMode = consent.rules.mode === 'ask';
  const lines = [
    doing === undefined ? undefined : `${icon} ${escapedSentence(doing)}${isAsking ? `. ${l10n.t('Click to answer.')}` : ''}`,
    waiting.length === 0
      ? undefined
      : `$(warning) **${waitingText(waiting.length)}** ${waiting.map(({ position }) => escapedMarkdown(position.pairName)).join(', ')}`,
    modeSentence(consent.rules),
    ...consentLines(consent),
    lastCheckMs === undefined
      ? undefined
      : l10n.t`Last check: ${`${exactTime(new Date(lastCheckMs))}, ${counted(planned.length, 'position')}`}.`,
    doneTodayText(doneToday, consent),
  ];
  const idleText = isAskMode ? l10n.t('Auto-rebalance: asks first') : l10n.t('Auto-rebalance: signs automatically');
  const text = doing ?? (waiting.length === 0 ? idleText : l10n.t`Auto-rebalance: ${waiting.length} waiting for you`);
  return {
    text: `${doing === undefined ? '$(sync)' : icon} ${text}`,
    tooltip: tooltipOf(l10n.t('Auto-rebalance is on'), lines, context),
    spoken: [
      spokenText(l10n.t('Auto-rebalance is on')),
      modeSentence(consent.rules),
      ...(doing === undefined ? [] : [`${doing}.`]),
      ...(waiting.length === 0 ? [] : [waitingText(waiting.length)]),
    ].join(' '),
    warns: isAsking || waiting.length > 0,
  };
}

const elsewhereText = (): string => l10n.t('Another window is running it. This one takes over when that one closes.');

function standby(consent: AutoRebalanceConsent, context: StatusContext): AutoRebalanceStatusBarModel {
  return {
    text: `$(sync-ignored) ${l10n.t('Auto-rebalance: another window')}`,
    tooltip: tooltipOf(l10n.t('Auto-rebalance is on'), [elsewhereText(), ...consentLines(consent)], context),
    spoken: `${spokenText(l10n.t('Auto-rebalance is on'))} ${elsewhereText()}`,
    warns: false,
  };
}

function doingText(acting: readonly string[], planned: readonly PlannedPosition[]): string {
  const names = acting.map((key) => nameOf(key, planned)).join(', ');
  return acting.some((key) => isClosing(key, planned)) ? l10n.t`Closing ${names}` : l10n.t`Rebalancing ${names}`;
}

function waitingText(positions: number): string {
  return l10n.t`Waiting for you: ${counted(positions, 'position')}.`;
}

function tooltipOf(title: string, lines: readonly (string | undefined)[], { keys }: StatusContext): string {
  return paragraphs([`**${title}**`, ...lines, l10n.t`Click for actions. “Stop All Automation” (${keys}) stops it immediately.`]);
}

function consentLines({ owner, sinceMs }: AutoRebalanceConsent): readonly string[] {
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

/** How many rebalances and closings count against the daily limit; rebalances by hand count, too. */
function doneTodayText(done: number, { rules }: AutoRebalanceConsent): string {
  return l10n.t`Rebalances and closings in 24 hours: ${count(done)} (limit: ${count(rules.mostPerDay)}).`;
}
