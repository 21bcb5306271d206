import * as l10n from '@vscode/l10n';
import type { AutoRebalanceState } from '../../autoRebalance/types';
import type { CommandId } from '../../settings/generated/commandIds';
import type { PickItem, PickRequest } from '../shell/prompts/prompts';
import { actionTitle, leaveAloneText, notNowText, type OpenQuestion, type QuestionAnswer } from './questions';
import { showDryRun } from './rulesMessages';
import { statusSentence } from './status';

/** An entry of the menu: a command, the rules, or unlocking. */
type MenuChoice = CommandId | 'rules' | 'unlock' | QuestionChoice;

/** The answer to an open question. */
interface QuestionChoice {
  readonly question: string;
  readonly answer: Exclude<QuestionAnswer, 'open'>;
}

interface MenuContext {
  readonly isLocked: boolean;
  readonly questions: readonly OpenQuestion[];
  /** The shortcut that stops auto-rebalance. */
  readonly keys: string;
}

/** The answers to a question, as its notification offers them. */
function answersOf({ id, pair, action, why }: OpenQuestion): readonly PickItem<MenuChoice>[] {
  const [yes, icon] = [`${actionTitle(action, pair)}…`, action === 'rebalance' ? 'arrow-swap' : 'close-all'];
  return [
    { ...entry(yes, icon, { question: id, answer: 'yes' }, why), heading: pair },
    entry(notNowText(), 'clock', { question: id, answer: 'notNow' }),
    entry(leaveAloneText(), 'circle-slash', { question: id, answer: 'leaveAlone' }, l10n.t('Until auto-rebalance is started again')),
  ];
}

const entry = (label: string, icon: string, value: MenuChoice, detail?: string): PickItem<MenuChoice> => ({
  label,
  icon,
  value,
  ...(detail === undefined ? {} : { detail }),
});

/** The menu behind the status bar item: first the answers to open questions, then what can be done. */
export function menuOf(state: AutoRebalanceState, { isLocked, questions, keys }: MenuContext): PickRequest<MenuChoice> {
  const isOn = state.kind !== 'off';
  return {
    title: l10n.t('Auto-Rebalance'),
    placeholder: statusSentence(state),
    items: [
      ...questions.flatMap(answersOf),
      ...(isOn
        ? [
            {
              ...entry(
                l10n.t('Stop All Automation'),
                'debug-stop',
                'binsight.stopAllAutomation',
                l10n.t`Immediately, in all windows (${keys})`,
              ),
              ...(questions.length === 0 ? {} : { heading: l10n.t('Auto-Rebalance') }),
            },
          ]
        : [entry(l10n.t('Start Auto-Rebalance…'), 'play', 'binsight.startAutoRebalance', l10n.t('Shows the rules and asks you first'))]),
      ...(state.kind === 'paused'
        ? [entry(l10n.t('Resume with Current Rules…'), 'play', 'binsight.startAutoRebalance', l10n.t('Shows the rules and asks you first'))]
        : []),
      ...(isOn && isLocked ? [entry(l10n.t('Unlock Wallet…'), 'unlock', 'unlock')] : []),
      entry(showDryRun(), 'checklist', 'binsight.showAutomationPlan'),
      entry(
        l10n.t('Rules…'),
        'settings-gear',
        'rules',
        l10n.t('Also for rebalances that you start. Auto-rebalance asks you to confirm changes.'),
      ),
    ],
  };
}
