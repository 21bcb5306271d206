import * as l10n from '@vscode/l10n';
import type {
  AutoRebalanceConsent,
  AutoRebalanceControl,
  AutoRebalancePlan,
  AutoRebalanceRules,
  AutoRebalanceState,
} from '../../autoRebalance/types';
import type { Clock, Subscription } from '../../base/async/clock';
import { SingleFlight } from '../../base/async/concurrency';
import type { PortfolioControl } from '../../portfolio/types';
import type { SolanaRpc } from '../../rpc/types';
import { errorMessageOf } from '../../transactions/errors';
import type { OperationJournal } from '../../transactions/journal/types';
import type { OperationLocks } from '../../transactions/locks/types';
import type { ServiceConnection } from '../connection/connection';
import type { RebalanceRuns } from '../rebalance/request';
import type { LogFunction } from '../shell/log';
import type { Prompts } from '../shell/prompts/prompts';
import type { SecretStore } from '../shell/secretStore';
import { REVIEW_SETTINGS, RULE_SETTINGS, rulesOf } from '../shell/settings/rebalanceRules';
import type { Settings } from '../shell/settings/settings';
import type { KnownOwner } from '../wallets/ownerIndex';
import type { Owners } from '../wallets/owners';
import { ConsentStore } from './consentStore';
import { AutoRebalanceExecutor } from './executor';
import { RebalanceQuestions } from './questions';
import type { AutoRebalanceStatus } from './statusBarItem';
import { autoRebalanceStatusBarModel, type AutoRebalanceStatusBarModel } from './statusBarModel';
import { Unlocker } from './unlocker';
import { disabledReasonOf, stateInWindow } from './windowStatus';

export interface ControllerDependencies {
  readonly prompts: Prompts;
  readonly settings: Pick<Settings, 'raw' | 'get' | 'onDidChange'>;
  readonly connection: Pick<ServiceConnection, 'choice' | 'onDidChange'>;
  readonly owners: Pick<Owners, 'active' | 'lockOf' | 'signer' | 'onDidChange'>;
  readonly portfolio: PortfolioControl;
  /** The RPC in use, if any. */
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  /** Keeps which consent was confirmed last. */
  readonly secrets: SecretStore;
  readonly records: { readonly journal: () => Promise<OperationJournal>; readonly locks: () => Promise<OperationLocks> };
  /** The folder of the consent file, the same for all windows. */
  readonly folder: string;
  /** Loaded when a rebalance is run. */
  readonly runs: () => Promise<RebalanceRuns>;
  readonly clock: Clock;
  /** VS Code runs in a browser, where keys of real wallets are not used. */
  readonly isInBrowser: boolean;
  /** The folder is trusted, or no folder is open. */
  readonly isTrusted: () => boolean;
  readonly onDidGrantTrust: (listener: () => void) => Subscription;
  /** Runs a VS Code command. */
  readonly execute: (command: string, argument?: unknown) => Promise<void>;
  /** Sets the context key `binsight.isAutomationOn`. */
  readonly setOn: (isOn: boolean) => void;
  readonly sign: AutoRebalanceStatus;
  readonly log: LogFunction;
  readonly onError: (error: unknown) => void;
}

/**
 * Auto-rebalance in this window: follows the consent, which any window may change, runs the scheduler while it is on, and shows its
 * state in the status bar. The scheduler is loaded when auto-rebalance is on, or for a dry run.
 */
export class AutoRebalanceController {
  readonly unlocker: Unlocker;
  readonly #host: AutoRebalanceExecutor;
  readonly #questions: RebalanceQuestions;
  /** One at a time: a consent that was read earlier must not be applied later. */
  readonly #looks = new SingleFlight(() => this.#look());
  #subscriptions: readonly Subscription[] = [];
  #consents: ConsentStore | undefined;
  #making: Promise<AutoRebalanceControl> | undefined;
  #loop: AutoRebalanceControl | undefined;
  #hasStarted = false;
  /** The consent as it was last read. */
  #granted: AutoRebalanceConsent | undefined;
  #shownModel: AutoRebalanceStatusBarModel | undefined;
  /** The last invalid setting that was reported. */
  #reportedFault: string | undefined;
  /** Why the scheduler could not be started. */
  #failure: string | undefined;
  /** The user confirmed the consent in this VS Code. */
  #isConfirmed = true;
  #isStoppedHere = false;
  /** It was on when this window opened; the user is told once it continues here. */
  #isToTell = false;
  #isDisposed = false;

  readonly #dependencies: ControllerDependencies;

  constructor(dependencies: ControllerDependencies) {
    this.#dependencies = dependencies;

    const { prompts, clock, onError, runs, rpc, owners, execute } = dependencies;
    const tryAgain = () => this.#loop?.tryAgain();
    this.unlocker = new Unlocker({ owners, owner: () => this.owner, onUnlocked: tryAgain });
    this.#questions = new RebalanceQuestions({ prompts, clock, onError, tryAgain, onDidChange: () => this.#render() });
    this.#host = new AutoRebalanceExecutor({
      ...{ prompts, questions: this.#questions, runs, rpc, owners, onError },
      owner: () => this.owner,
      unlock: () => this.unlocker.unlock(),
      command: (id, argument) => execute(id, argument),
    });
  }

  /** The state in this window. */
  get state(): AutoRebalanceState {
    return stateInWindow(this.#granted, this.#disabledReason ?? this.#failure, this.#loop?.state);
  }

  /** The consent, if it is on in any window. */
  get grant(): AutoRebalanceConsent | undefined {
    return this.#granted;
  }

  /** The content of the status bar item; `undefined` if there is none. */
  get shown(): AutoRebalanceStatusBarModel | undefined {
    return this.#shownModel;
  }

  /** The wallet in use, if it can sign. */
  get owner(): KnownOwner | undefined {
    const { owners, connection } = this.#dependencies;
    const owner = owners.active(connection.choice);
    return owner?.canSign === true ? owner : undefined;
  }

  /** Continues auto-rebalance if it was left on, and follows all changes from then on. */
  async begin(): Promise<void> {
    const { openConsentFile } = await import('../../autoRebalance/consentFile');
    const { folder, log, secrets, settings, connection, owners, onDidGrantTrust, onError } = this.#dependencies;
    if (this.#isDisposed) {
      return;
    }
    const consents = new ConsentStore(openConsentFile({ folder, log }), secrets);
    this.#consents = consents;
    const follow = () => {
      this.#follow().catch(onError);
    };
    this.#subscriptions = [
      consents.onDidChange(follow),
      settings.onDidChange([...RULE_SETTINGS, ...REVIEW_SETTINGS], follow),
      connection.onDidChange(follow),
      owners.onDidChange(() => this.unlocker.ownersChanged()),
      onDidGrantTrust(follow),
    ];
    this.#isToTell = (await consents.read()) !== undefined;
    await this.#follow();
  }

  /** Turns auto-rebalance on for all windows. @throws Error if the consent can't be saved */
  async turnOn(grant: AutoRebalanceConsent): Promise<void> {
    await this.#opened().turnOn(grant);
    this.#isToTell = false;
    this.#isStoppedHere = false;
    await this.#follow();
  }

  /** Turns auto-rebalance off for all windows. @throws Error if that can't be saved; it is off in this window even then */
  async turnOff(): Promise<void> {
    this.#isToTell = false;
    this.#questions.takeBack();
    // Nothing more starts here, however long the disk takes.
    this.#dropLoop();
    try {
      await this.#opened().turnOff();
    } catch (error) {
      this.#isStoppedHere = true;
      throw error;
    } finally {
      await this.#follow();
    }
  }

  /** Dry run by these rules, or else by the confirmed ones. @throws Error with a message for the user */
  async plan(asked?: AutoRebalanceRules): Promise<AutoRebalancePlan> {
    return (await this.#ensureLoop()).plan(asked);
  }

  /** The rules in the settings. @throws UserError if one is invalid */
  readRules(): AutoRebalanceRules {
    return rulesOf((key) => this.#dependencies.settings.raw(key));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#questions.takeBack();
    this.#dropLoop();
    for (const one of [...this.#subscriptions, this.#consents, this.#dependencies.sign]) {
      one?.dispose();
    }
  }

  /** Reads the consent and applies it, including everything written before the call. */
  #follow(): Promise<void> {
    return this.#looks.fresh();
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    const written = await this.#consents?.written();
    this.#granted = written?.grant;
    this.#isConfirmed = written?.isConfirmed ?? true;
    if (this.#isDisposed) {
      return;
    }
    if (this.#disabledReason !== undefined) {
      this.#dropLoop();
    } else if (this.#granted !== undefined && !this.#hasStarted) {
      await this.#startLoop();
    } else {
      this.#loop?.lookAgain();
    }
    this.#reportFault();
    this.#render();
  }

  /** Why this window may not take part, in sentences. */
  get #disabledReason(): string | undefined {
    const { isTrusted, isInBrowser, connection } = this.#dependencies;
    return (
      disabledReasonOf({
        isStoppedHere: this.#isStoppedHere,
        isConfirmed: this.#isConfirmed,
        isTrusted: isTrusted(),
        isInBrowser,
        isSandbox: connection.choice.kind === 'sandbox',
      }) ?? this.#fault
    );
  }

  /** Which setting is invalid, in sentences: nothing is done by rules that can't be read. */
  get #fault(): string | undefined {
    try {
      this.readRules();
      return undefined;
    } catch (error) {
      return errorMessageOf(error);
    }
  }

  /** Reports an invalid setting once. */
  #reportFault(): void {
    const fault = this.#granted === undefined ? undefined : this.#fault;
    if (fault !== undefined && fault !== this.#reportedFault) {
      this.#host.tell(l10n.t`Auto-rebalance is paused and leaves your positions alone. ${fault}`, 'warning');
    }
    this.#reportedFault = fault;
  }

  #render(): void {
    if (this.#isDisposed) {
      return;
    }
    const { sign, setOn } = this.#dependencies;
    const { state } = this;
    setOn(this.#granted !== undefined);
    this.#shownModel = autoRebalanceStatusBarModel(state, this.#questions.isAsking);
    sign.show(this.#shownModel);
    if (state.kind !== 'on' || state.role !== 'active') {
      this.#questions.takeBack();
    } else if (this.#isToTell && this.#loop?.state.kind === 'on') {
      this.#isToTell = false;
      this.#host.tell(
        state.grant.rules.mode === 'ask'
          ? l10n.t('Auto-rebalance was left on and continues. It asks you first.')
          : l10n.t('Auto-rebalance was left on and continues. It signs by the rules that you confirmed.'),
        'info',
      );
    }
  }

  async #startLoop(): Promise<void> {
    try {
      (await this.#ensureLoop()).start();
      this.#hasStarted = true;
      this.#failure = undefined;
    } catch (error) {
      this.#failure = l10n.t`It can't continue in this window, and does nothing. ${errorMessageOf(error)}`;
      this.#dependencies.onError(error);
    }
  }

  async #ensureLoop(): Promise<AutoRebalanceControl> {
    this.#making ??= this.#makeLoop().catch((error: unknown) => {
      this.#making = undefined;
      throw error;
    });
    return this.#making;
  }

  async #makeLoop(): Promise<AutoRebalanceControl> {
    const { portfolio, records, clock, connection, log } = this.#dependencies;
    const [{ AutoRebalanceScheduler }, journal, locks] = await Promise.all([
      import('../../autoRebalance/scheduler'),
      records.journal(),
      records.locks(),
    ]);
    const loop: AutoRebalanceControl = new AutoRebalanceScheduler({
      automation: this.#opened(),
      portfolio,
      journal,
      locks,
      clock,
      host: this.#host,
      log,
      serviceId: () => connection.choice.id,
      rules: () => this.readRules(),
    });
    loop.onDidChange(() => this.#render());
    if (this.#isDisposed) {
      loop.dispose();
    } else {
      this.#loop = loop;
    }
    return loop;
  }

  #dropLoop(): void {
    this.#loop?.dispose();
    this.#loop = undefined;
    this.#making = undefined;
    this.#hasStarted = false;
  }

  #opened(): ConsentStore {
    if (this.#consents === undefined) {
      throw new Error('begin() has not been called.');
    }
    return this.#consents;
  }
}
