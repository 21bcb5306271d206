import * as l10n from '@vscode/l10n';
import type { AutoRebalanceRules, AutoRebalanceState } from '../../autoRebalance/types';
import { errorMessageOf } from '../../transactions/errors';
import type { CommandId } from '../shell/commands/registry';
import type { EditorActions } from '../shell/editorActions';
import { SETTING } from '../shell/names';
import type { PickItem, PickRequest } from '../shell/prompts/prompts';
import { UserError } from '../shell/userError';
import { requireSigningOwner } from '../wallets/requireSigner';
import { AutoRebalanceController, type ControllerDependencies } from './controller';
import { dryRunTitle, dryRunDocument } from './dryRunDocument';
import { needsRpc } from './executor';
import { showDryRun, startQuestion, type StartSubject, stopKeys } from './rulesMessages';
import { statusSentence } from './windowStatus';

/** What is chosen in the menu: a command, or the settings. */
export type MenuChoice = CommandId | 'settings' | 'unlock';

const entry = (label: string, icon: string, value: MenuChoice, detail?: string): PickItem<MenuChoice> => ({
  label,
  icon,
  value,
  ...(detail === undefined ? {} : { detail }),
});

/** The menu behind the sign in the status bar. */
export function menuOf(state: AutoRebalanceState, isLocked: boolean): PickRequest<MenuChoice> {
  const isOn = state.kind !== 'off';
  return {
    title: 'Auto-rebalance',
    placeholder: statusSentence(state),
    items: [
      ...(isOn
        ? [
            entry(
              l10n.t('Stop All Automation'),
              'debug-stop',
              'binsight.stopAllAutomation',
              l10n.t`At once, in all windows (${stopKeys()})`,
            ),
          ]
        : [entry(l10n.t('Start Auto-Rebalance…'), 'play', 'binsight.startAutoRebalance', l10n.t('Shows the rules first, and asks'))]),
      ...(state.kind === 'paused'
        ? [
            entry(
              l10n.t('Go On, by the Rules That Are Set Now…'),
              'play',
              'binsight.startAutoRebalance',
              l10n.t('Shows the rules first, and asks'),
            ),
          ]
        : []),
      ...(isOn && isLocked
        ? [entry(l10n.t('Unlock Wallet…'), 'unlock', 'unlock', l10n.t('Auto-rebalance signs nothing while the wallet is locked'))]
        : []),
      entry(showDryRun(), 'checklist', 'binsight.showAutomationPlan', l10n.t('A dry run: position by position, and why')),
      entry(
        'Rules…',
        'settings-gear',
        'settings',
        l10n.t('Opens the settings of rebalancing; rules that change have to be confirmed again'),
      ),
    ],
  };
}

/** What the commands of automation work with. */
export interface MenuDependencies extends ControllerDependencies {
  readonly actions: Pick<EditorActions, 'showDocument'>;
}

/** What the user can do about automation: start it, with a confirmation; stop it; see what it would do. */
export class AutoRebalanceMenu {
  /** Automation as this window has it. */
  readonly inWindow: AutoRebalanceController;

  constructor(private readonly dependencies: MenuDependencies) {
    this.inWindow = new AutoRebalanceController(dependencies);
  }

  /**
   * Turns automation on for the wallet and the service in use, by the rules of the settings, once the user has seen them and said yes.
   * Its sign is all that says so then: a notification would stay beside the one that says that it is off.
   * @throws Refusal where it cannot be turned on
   */
  async start(): Promise<void> {
    const { connection, clock, settings, rpc } = this.dependencies;
    const { inWindow } = this;
    const { address, hasPassphrase } = requireSigningOwner({ ...this.dependencies, service: () => connection.choice });
    const { choice } = connection;
    if (choice.id === undefined) {
      throw new UserError(l10n.t('No service is set up that positions could be read from.'));
    }
    const rules = inWindow.readRules();
    if (rules.mode === 'automatic' && (await rpc()) === undefined) {
      throw new UserError(needsRpc());
    }
    const locksAfterMinutes = hasPassphrase && rules.mode === 'automatic' ? settings.get(SETTING.unlockMinutes) : undefined;
    if (!(await this.isConfirmed({ rules, owner: address, service: choice, isAgain: inWindow.grant !== undefined, locksAfterMinutes }))) {
      return;
    }
    if (rules.mode === 'automatic' && !(await inWindow.unlocker.unlock())) {
      throw new UserError(l10n.t('Auto-rebalance was not started: it signs by itself, and the passphrase of the wallet was not entered.'));
    }
    await inWindow.turnOn({ service: choice.id, owner: address, rules, sinceMs: clock.now() });
  }

  /**
   * Turns automation off, for all windows.
   * @throws Refusal where that could not be written down; this window does nothing more all the same
   */
  async stop(): Promise<void> {
    const { prompts } = this.dependencies;
    const { grant, state } = this.inWindow;
    try {
      await this.inWindow.turnOff();
    } catch (error) {
      throw new UserError(
        l10n.t`Auto-rebalance does nothing more in this window. That it is off could not be written down, so other windows may go on: stop it there, or close them. ${errorMessageOf(error)}`,
      );
    }
    const left =
      state.kind === 'on' && state.acting.length > 0 ? l10n.t(' What was under way here ends as soon as it can: see Activity.') : '';
    void prompts.notify({
      severity: 'info',
      message: grant === undefined ? l10n.t('Auto-rebalance is off already.') : l10n.t`Auto-rebalance is off, in all windows.${left}`,
    });
  }

  /**
   * Shows what automation would do now, position by position; does nothing.
   * @param asked the rules that the user is asked about; without them by those that it goes by, or would go by
   * @throws whatever keeps that from being told
   */
  async showPlan(asked?: AutoRebalanceRules): Promise<void> {
    const { actions, connection, portfolio } = this.dependencies;
    const { rules, planned, asOfMs } = await this.inWindow.plan(asked);
    const { state } = this.inWindow;
    const ifOn = l10n.t(
      ' This is what it would do if it were on, by the rules in the settings; it acts only on what it has seen more than once.',
    );
    const standing = `${statusSentence(state)}${state.kind === 'off' ? ifOn : asked === undefined ? '' : l10n.t(' This is what it would do by the rules that are set now, once you have confirmed them.')}`;
    await actions.showDocument(
      dryRunTitle(),
      dryRunDocument({ planned, rules, owner: portfolio.snapshot.owner, service: connection.choice, standing, at: new Date(asOfMs) }),
    );
  }

  /** Offers what can be done. */
  async menu(): Promise<void> {
    const { prompts, execute } = this.dependencies;
    const { state, unlocker } = this.inWindow;
    const answer = await prompts.pick(menuOf(state, unlocker.isLocked));
    if (answer.kind !== 'value') {
      return;
    }
    switch (answer.value) {
      case 'settings':
        await execute('workbench.action.openSettings', l10n.t('binsight rebalance'));
        return;
      case 'unlock':
        await unlocker.unlock();
        return;
      default:
        await execute(answer.value);
    }
  }

  dispose(): void {
    this.inWindow.dispose();
  }

  /** Asks again after the dry run was looked at. */
  private async isConfirmed(subject: StartSubject): Promise<boolean> {
    for (;;) {
      const pressed = await this.dependencies.prompts.confirm(startQuestion(subject));
      if (pressed !== showDryRun()) {
        return pressed !== undefined;
      }
      await this.showPlan(subject.rules);
      if (!(await this.isBackFromPlan())) {
        return false;
      }
    }
  }

  /** A modal would cover the document: the way back to it is a list above. */
  private async isBackFromPlan(): Promise<boolean> {
    const answer = await this.dependencies.prompts.pick({
      title: l10n.t('Start auto-rebalance'),
      placeholder: l10n.t('The dry run is open in the editor. Nothing was started.'),
      items: [
        { label: l10n.t('Back to the question'), icon: 'arrow-left', value: true },
        { label: l10n.t('Start nothing'), icon: 'close', value: false },
      ],
    });
    return answer.kind === 'value' && answer.value;
  }
}
