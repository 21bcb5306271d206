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

/** An entry of the menu: a command, the settings, or unlocking. */
export type MenuChoice = CommandId | 'settings' | 'unlock';

const entry = (label: string, icon: string, value: MenuChoice, detail?: string): PickItem<MenuChoice> => ({
  label,
  icon,
  value,
  ...(detail === undefined ? {} : { detail }),
});

/** The menu behind the status bar item. */
export function menuOf(state: AutoRebalanceState, isLocked: boolean): PickRequest<MenuChoice> {
  const isOn = state.kind !== 'off';
  return {
    title: l10n.t('Auto-Rebalance'),
    placeholder: statusSentence(state),
    items: [
      ...(isOn
        ? [
            entry(
              l10n.t('Stop All Automation'),
              'debug-stop',
              'binsight.stopAllAutomation',
              l10n.t`Immediately, in all windows (${stopKeys()})`,
            ),
          ]
        : [entry(l10n.t('Start Auto-Rebalance…'), 'play', 'binsight.startAutoRebalance', l10n.t('Shows the rules and asks you first'))]),
      ...(state.kind === 'paused'
        ? [
            entry(
              l10n.t('Resume with Current Settings…'),
              'play',
              'binsight.startAutoRebalance',
              l10n.t('Shows the rules and asks you first'),
            ),
          ]
        : []),
      ...(isOn && isLocked
        ? [entry(l10n.t('Unlock Wallet…'), 'unlock', 'unlock', l10n.t('Nothing is signed while the wallet is locked'))]
        : []),
      entry(showDryRun(), 'checklist', 'binsight.showAutomationPlan', l10n.t('Shows what it would do with each position, and why')),
      entry(l10n.t('Rules…'), 'settings-gear', 'settings', l10n.t('Opens settings. Changes need to be confirmed.')),
    ],
  };
}

export interface MenuDependencies extends ControllerDependencies {
  readonly actions: Pick<EditorActions, 'showDocument'>;
}

/** The commands of auto-rebalance: start (after a confirmation), stop, dry run, menu. */
export class AutoRebalanceMenu {
  readonly inWindow: AutoRebalanceController;

  readonly #dependencies: MenuDependencies;

  constructor(dependencies: MenuDependencies) {
    this.#dependencies = dependencies;

    this.inWindow = new AutoRebalanceController(dependencies);
  }

  /**
   * Turns auto-rebalance on for the wallet and the service in use, by the rules in the settings, once the user has confirmed them. Only
   * the status bar item shows that it is on: a notification would stay beside a later one that says it is off.
   * @throws UserError if it can't be turned on
   */
  async start(): Promise<void> {
    const { connection, clock, settings, rpc } = this.#dependencies;
    const { inWindow } = this;
    const { address, hasPassphrase } = requireSigningOwner({ ...this.#dependencies, service: () => connection.choice });
    const { choice } = connection;
    if (choice.id === undefined) {
      throw new UserError(l10n.t('No service is selected. Connect to a service first.'));
    }
    const rules = inWindow.readRules();
    if (rules.mode === 'automatic' && (await rpc()) === undefined) {
      throw new UserError(needsRpc());
    }
    const locksAfterMinutes = hasPassphrase && rules.mode === 'automatic' ? settings.get(SETTING.unlockMinutes) : undefined;
    if (!(await this.#isConfirmed({ rules, owner: address, service: choice, isAgain: inWindow.grant !== undefined, locksAfterMinutes }))) {
      return;
    }
    if (rules.mode === 'automatic' && !(await inWindow.unlocker.unlock())) {
      throw new UserError(l10n.t('Auto-rebalance was not started: to sign automatically, it needs the passphrase of the wallet.'));
    }
    await inWindow.turnOn({ service: choice.id, owner: address, rules, sinceMs: clock.now() });
  }

  /**
   * Turns auto-rebalance off for all windows.
   * @throws UserError if that can't be saved; it is off in this window even then
   */
  async stop(): Promise<void> {
    const { prompts } = this.#dependencies;
    const { grant, state } = this.inWindow;
    try {
      await this.inWindow.turnOff();
    } catch (error) {
      throw new UserError(
        l10n.t`Auto-rebalance is stopped in this window, but other windows may continue: stop it there, or close them. ${errorMessageOf(error)}`,
      );
    }
    const isActing = state.kind === 'on' && state.acting.length > 0;
    // Without a button, VS Code cuts a notification off after about 60 characters.
    void prompts.notify({
      severity: 'info',
      message:
        grant === undefined
          ? l10n.t('Auto-rebalance is already off.')
          : isActing
            ? l10n.t('Auto-rebalance is off. See Activity for what is in progress.')
            : l10n.t('Auto-rebalance is off in all windows.'),
    });
  }

  /**
   * Shows the dry run.
   * @param asked the rules to preview; defaults to the confirmed ones, or those in the settings while it is off
   * @throws UserError if no wallet is selected
   */
  async showPlan(asked?: AutoRebalanceRules): Promise<void> {
    const { actions, connection, portfolio } = this.#dependencies;
    if (portfolio.snapshot.owner === undefined) {
      throw new UserError(l10n.t('No wallet is selected. Choose one first.'));
    }
    const { rules, planned, asOfMs } = await this.inWindow.plan(asked);
    const { state } = this.inWindow;
    const ifOn =
      state.kind === 'off'
        ? l10n.t('This preview uses the rules in the settings. Auto-rebalance acts only on what several checks have seen.')
        : asked === undefined
          ? undefined
          : l10n.t('This preview uses the current settings, which you have not confirmed yet.');
    const standing = [statusSentence(state), ifOn].filter((sentence) => sentence !== undefined).join(' ');
    await actions.showDocument(
      dryRunTitle(),
      dryRunDocument({ planned, rules, owner: portfolio.snapshot.owner, service: connection.choice, standing, at: new Date(asOfMs) }),
    );
  }

  /** Shows the menu, and runs the chosen entry. */
  async menu(): Promise<void> {
    const { prompts, execute } = this.#dependencies;
    const { state, unlocker } = this.inWindow;
    const answer = await prompts.pick(menuOf(state, unlocker.isLocked));
    if (answer.kind !== 'value') {
      return;
    }
    switch (answer.value) {
      case 'settings':
        // A search for setting ids, the same in every language.
        await execute('workbench.action.openSettings', 'binsight rebalance');
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

  /** Asks for confirmation, again after each preview. */
  async #isConfirmed(subject: StartSubject): Promise<boolean> {
    for (;;) {
      const pressed = await this.#dependencies.prompts.confirm(startQuestion(subject));
      if (pressed !== showDryRun()) {
        return pressed !== undefined;
      }
      await this.showPlan(subject.rules);
      if (!(await this.#isBackFromPlan())) {
        return false;
      }
    }
  }

  /** Offers the way back in a list above the document, since a dialog would cover it. */
  async #isBackFromPlan(): Promise<boolean> {
    const answer = await this.#dependencies.prompts.pick({
      title: l10n.t('Start Auto-Rebalance'),
      placeholder: l10n.t('Dry run opened in the editor. Nothing started yet.'),
      items: [
        { label: l10n.t('Back to Confirmation'), icon: 'arrow-left', value: true },
        { label: l10n.t("Don't Start"), icon: 'close', value: false },
      ],
    });
    return answer.kind === 'value' && answer.value;
  }
}
