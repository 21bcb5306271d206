import type { AutoRebalanceState } from '../../operations/automation/types';
import type { CommandId } from '../commands/table';
import type { PickItem, PickRequest } from '../prompts/prompts';
import { SHOW_DRY_RUN, STOP_KEYS } from './rulesWords';
import { statusSentence } from './standing';

/** What is chosen in the menu: a command, or the settings. */
export type MenuChoice = CommandId | 'settings' | 'unlock';

const entry = (label: string, icon: string, value: MenuChoice, detail?: string): PickItem<MenuChoice> => ({ label, icon, value, ...(detail === undefined ? {} : { detail }) });

/** The menu behind the sign in the status bar. */
export function menuOf(state: AutoRebalanceState, isLocked: boolean): PickRequest<MenuChoice> {
  const isOn = state.kind !== 'off';
  return {
    title: 'Auto-rebalance',
    placeholder: statusSentence(state),
    items: [
      ...(isOn ? [entry('Stop All Automation', 'debug-stop', 'binsight.stopAllAutomation', `At once, in all windows (${STOP_KEYS})`)] : [entry('Start Auto-Rebalance…', 'play', 'binsight.startAutoRebalance', 'Shows the rules first, and asks')]),
      ...(state.kind === 'paused' ? [entry('Go On, by the Rules That Are Set Now…', 'play', 'binsight.startAutoRebalance', 'Shows the rules first, and asks')] : []),
      ...(isOn && isLocked ? [entry('Unlock Wallet…', 'unlock', 'unlock', 'Auto-rebalance signs nothing while the wallet is locked')] : []),
      entry(SHOW_DRY_RUN, 'checklist', 'binsight.showAutomationPlan', 'A dry run: position by position, and why'),
      entry('Rules…', 'settings-gear', 'settings', 'Opens the settings of rebalancing; rules that change have to be confirmed again'),
    ],
  };
}
