import type { ConsentFileOptions, ConsentSecrets } from '../../autoRebalance/consentStore';
import type { CommandHandlers } from '../shell/commands/runCommand';
import { lazily } from '../../base/async/concurrency';
import { Emitter } from '../../base/async/emitter';
import type { Announce, AutoRebalanceAnnouncement } from './announcements';
import type { AutoRebalanceCommands, AutoRebalanceCommandDependencies } from './autoRebalanceCommands';

export interface AutoRebalanceDependencies extends Omit<
  AutoRebalanceCommandDependencies,
  'store' | 'reviewRpc' | 'statusBarItem' | 'announce'
> {
  /** Keeps which consent was confirmed last. */
  readonly secrets: ConsentSecrets;
  /** The folder of the consent, the same for all windows. */
  readonly folder: ConsentFileOptions['folder'];
}

type AutoRebalanceCommandId =
  | 'binsight.startAutoRebalance'
  | 'binsight.stopAllAutomation'
  | 'binsight.showAutomationPlan'
  | 'binsight.automationMenu';

type CreateCommands = (dependencies: AutoRebalanceDependencies & { readonly announce: Announce }) => Promise<AutoRebalanceCommands>;

/** Loads auto-rebalance right after the window has started, since it may have been left on, and not with the extension itself. */
export class AutoRebalance {
  /** Resolves once it is known whether auto-rebalance is on. */
  readonly commands: () => Promise<AutoRebalanceCommands>;
  readonly handlers: Pick<CommandHandlers, AutoRebalanceCommandId>;
  /** What those learn who are not looking at this window. */
  readonly announcements: Emitter<AutoRebalanceAnnouncement>;
  #opened: AutoRebalanceCommands | undefined;
  #isDisposed = false;

  readonly #dependencies: AutoRebalanceDependencies;
  readonly #create: CreateCommands;

  /** @param create loads the code and creates the commands */
  constructor(dependencies: AutoRebalanceDependencies, create: CreateCommands) {
    this.announcements = new Emitter(dependencies.onError);
    this.#dependencies = dependencies;
    this.#create = create;
    const created = lazily(() => this.#createOnce());
    this.commands = lazily(async () => this.#begun(await created()));
    this.handlers = {
      'binsight.startAutoRebalance': async () => (await this.commands()).start(),
      // It does not wait until it is known whether auto-rebalance is on, which can take as long as a prompt of the keyring.
      'binsight.stopAllAutomation': async () => (await created()).stop(),
      'binsight.showAutomationPlan': async () => (await this.commands()).showPlan(),
      'binsight.automationMenu': async () => (await this.commands()).menu(),
    };
  }

  /** Continues auto-rebalance if it was left on. */
  begin(): void {
    this.commands().catch(this.#dependencies.onError);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#opened?.dispose();
  }

  async #createOnce(): Promise<AutoRebalanceCommands> {
    const commands = await this.#create({ ...this.#dependencies, announce: (told) => this.announcements.fire(told) });
    this.#opened = commands;
    if (this.#isDisposed) {
      commands.dispose();
    }
    return commands;
  }

  async #begun(commands: AutoRebalanceCommands): Promise<AutoRebalanceCommands> {
    if (!this.#isDisposed) {
      await commands.begin();
    }
    return commands;
  }
}
