import * as l10n from '@vscode/l10n';
import type {
  AutoRebalanceConsent,
  AutoRebalanceControl,
  AutoRebalancePlan,
  AutoRebalanceRules,
  AutoRebalanceState,
} from '../../autoRebalance/types';
import type { Clock, Subscription } from '../../base/async/clock';
import { SingleFlight } from '../../base/async/singleFlight';
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

/** What automation in a window works with. */
export interface ControllerDependencies {
  readonly prompts: Prompts;
  readonly settings: Pick<Settings, 'raw' | 'get' | 'onDidChange'>;
  readonly connection: Pick<ServiceConnection, 'choice' | 'onDidChange'>;
  readonly owners: Pick<Owners, 'active' | 'lockOf' | 'signer' | 'onDidChange'>;
  readonly portfolio: PortfolioControl;
  /** The RPC in use; `undefined`: there is none. */
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  /** Where it is kept which rules were confirmed. */
  readonly secrets: SecretStore;
  readonly records: { readonly journal: () => Promise<OperationJournal>; readonly locks: () => Promise<OperationLocks> };
  /** A folder of its own, the same for all windows. */
  readonly folder: string;
  /** What runs rebalances; loaded when one is run. */
  readonly runs: () => Promise<RebalanceRuns>;
  readonly clock: Clock;
  /** VS Code runs in a browser: keys of real wallets are not used there. */
  readonly isInBrowser: boolean;
  /** The folder is trusted, or none is open. */
  readonly isTrusted: () => boolean;
  readonly onDidGrantTrust: (listener: () => void) => Subscription;
  /** Runs a command of VS Code, with an argument where one is given. */
  readonly execute: (command: string, argument?: unknown) => Promise<void>;
  /** Sets the context key `binsight.isAutomationOn`. */
  readonly setOn: (isOn: boolean) => void;
  readonly sign: AutoRebalanceStatus;
  readonly log: LogFunction;
  readonly onError: (error: unknown) => void;
}

/**
 * Automation as this window has it: follows the switch, which any window may turn, has the loop where it is on, and shows it in the
 * status bar. The loop is loaded once automation is on, or somebody asks what it would do.
 */
export class AutoRebalanceController {
  /** Unlocks the wallet in use when the user wants that. */
  readonly unlocker: Unlocker;
  private readonly host: AutoRebalanceExecutor;
  private readonly questions: RebalanceQuestions;
  /** One at a time: a switch that was read earlier must not be heeded later. */
  private readonly looks = new SingleFlight(() => this.look());
  private subscriptions: readonly Subscription[] = [];
  private switches: ConsentStore | undefined;
  private making: Promise<AutoRebalanceControl> | undefined;
  private loop: AutoRebalanceControl | undefined;
  private hasStarted = false;
  /** What is on, as the switch was read last. */
  private granted: AutoRebalanceConsent | undefined;
  private shownModel: AutoRebalanceStatusBarModel | undefined;
  private toldFault: string | undefined;
  /** Why there is no loop in this window although there should be. */
  private failure: string | undefined;
  /** The user has confirmed in this VS Code what is on. */
  private isConfirmed = true;
  private isStoppedHere = false;
  /** It was on when this window began: that is told once it goes on here. */
  private isToTell = false;
  private isDisposed = false;

  constructor(private readonly dependencies: ControllerDependencies) {
    const { prompts, clock, onError, runs, rpc, owners, execute } = dependencies;
    const tryAgain = () => this.loop?.tryAgain();
    this.unlocker = new Unlocker({ owners, owner: () => this.owner, onUnlocked: tryAgain });
    this.questions = new RebalanceQuestions({ prompts, clock, onError, tryAgain, onDidChange: () => this.render() });
    this.host = new AutoRebalanceExecutor({
      ...{ prompts, questions: this.questions, runs, rpc, owners, onError },
      owner: () => this.owner,
      unlock: () => this.unlocker.unlock(),
      command: (id, argument) => execute(id, argument),
    });
  }

  /** How automation stands in this window. */
  get state(): AutoRebalanceState {
    return stateInWindow(this.granted, this.hindrance ?? this.failure, this.loop?.state);
  }

  /** What is on, in whatever window. */
  get grant(): AutoRebalanceConsent | undefined {
    return this.granted;
  }

  /** What the sign in the status bar shows; `undefined`: there is none. */
  get shown(): AutoRebalanceStatusBarModel | undefined {
    return this.shownModel;
  }

  /** The wallet in use, where it can sign. */
  get owner(): KnownOwner | undefined {
    const { owners, connection } = this.dependencies;
    const owner = owners.active(connection.choice);
    return owner?.canSign === true ? owner : undefined;
  }

  /** Looks whether automation is on, and goes on with it; from then on it follows what any window turns on or off. */
  async begin(): Promise<void> {
    const { openConsentFile: openAutomationSwitch } = await import('../../autoRebalance/consentFile');
    const { folder, log, secrets, settings, connection, owners, onDidGrantTrust, onError } = this.dependencies;
    if (this.isDisposed) {
      return;
    }
    const switches = new ConsentStore(openAutomationSwitch({ folder, log }), secrets);
    this.switches = switches;
    const follow = () => {
      this.follow().catch(onError);
    };
    this.subscriptions = [
      switches.onDidChange(follow),
      settings.onDidChange([...RULE_SETTINGS, ...REVIEW_SETTINGS], follow),
      connection.onDidChange(follow),
      owners.onDidChange(() => this.unlocker.ownersChanged()),
      onDidGrantTrust(follow),
    ];
    this.isToTell = (await switches.read()) !== undefined;
    await this.follow();
  }

  /** Turns automation on, for all windows. @throws Error where that cannot be written down. */
  async turnOn(grant: AutoRebalanceConsent): Promise<void> {
    await this.opened().turnOn(grant);
    this.isToTell = false;
    this.isStoppedHere = false;
    await this.follow();
  }

  /** Turns automation off, for all windows. @throws Error where that cannot be written down: nothing more is done in this one all the same. */
  async turnOff(): Promise<void> {
    this.isToTell = false;
    this.questions.takeBack();
    // Nothing more is begun here, however long the disk takes.
    this.dropLoop();
    try {
      await this.opened().turnOff();
    } catch (error) {
      this.isStoppedHere = true;
      throw error;
    } finally {
      await this.follow();
    }
  }

  /** Says what would be done now, by these rules or else by those that count; does nothing. @throws Error in words for the user. */
  async plan(asked?: AutoRebalanceRules): Promise<AutoRebalancePlan> {
    return (await this.ensureLoop()).plan(asked);
  }

  /** The rules as they are set now. @throws Refusal where one cannot be read. */
  readRules(): AutoRebalanceRules {
    return rulesOf((key) => this.dependencies.settings.raw(key));
  }

  dispose(): void {
    this.isDisposed = true;
    this.questions.takeBack();
    this.dropLoop();
    for (const one of [...this.subscriptions, this.switches, this.dependencies.sign]) {
      one?.dispose();
    }
  }

  /** Reads the switch, and shows and does what follows from it: all of what was written before the call. */
  private follow(): Promise<void> {
    return this.looks.fresh();
  }

  /** Never rejects. */
  private async look(): Promise<void> {
    const written = await this.switches?.written();
    this.granted = written?.grant;
    this.isConfirmed = written?.isConfirmed ?? true;
    if (this.isDisposed) {
      return;
    }
    const { hindrance } = this;
    if (hindrance !== undefined) {
      this.dropLoop();
    } else if (this.granted !== undefined && !this.hasStarted) {
      await this.startLoop();
    } else {
      this.loop?.lookAgain();
    }
    this.tellOfFault();
    this.render();
  }

  /** What keeps this window from taking part, whatever is on. */
  private get hindrance(): string | undefined {
    const { isTrusted, isInBrowser, connection } = this.dependencies;
    return (
      disabledReasonOf({
        isStoppedHere: this.isStoppedHere,
        isConfirmed: this.isConfirmed,
        isTrusted: isTrusted(),
        isInBrowser,
        isSandbox: connection.choice.kind === 'sandbox',
      }) ?? this.fault
    );
  }

  /** Which rule cannot be read, in words: by what is not known, nothing is done. */
  private get fault(): string | undefined {
    try {
      this.readRules();
      return undefined;
    } catch (error) {
      return errorMessageOf(error);
    }
  }

  /** A setting that is wrong is told once, as pauses are. */
  private tellOfFault(): void {
    const fault = this.granted === undefined ? undefined : this.fault;
    if (fault !== undefined && fault !== this.toldFault) {
      this.host.tell(l10n.t`Auto-rebalance is paused, and does nothing with your positions. ${fault}`, 'warning');
    }
    this.toldFault = fault;
  }

  private render(): void {
    if (this.isDisposed) {
      return;
    }
    const { sign, setOn } = this.dependencies;
    const { state } = this;
    setOn(this.granted !== undefined);
    this.shownModel = autoRebalanceStatusBarModel(state, this.questions.isAsking);
    sign.show(this.shownModel);
    if (state.kind !== 'on' || state.role !== 'active') {
      this.questions.takeBack();
    } else if (this.isToTell && this.loop?.state.kind === 'on') {
      this.isToTell = false;
      this.host.tell(
        l10n.t`Auto-rebalance was left on, and goes on${state.grant.rules.mode === 'ask' ? l10n.t(': it asks you first') : l10n.t(': it signs by the rules that you confirmed')}.`,
        'info',
      );
    }
  }

  private async startLoop(): Promise<void> {
    try {
      (await this.ensureLoop()).start();
      this.hasStarted = true;
      this.failure = undefined;
    } catch (error) {
      this.failure = l10n.t`It cannot go on in this window, and does nothing. ${errorMessageOf(error)}`;
      this.dependencies.onError(error);
    }
  }

  private async ensureLoop(): Promise<AutoRebalanceControl> {
    this.making ??= this.makeLoop().catch((error: unknown) => {
      this.making = undefined;
      throw error;
    });
    return this.making;
  }

  private async makeLoop(): Promise<AutoRebalanceControl> {
    const { portfolio, records, clock, connection, log } = this.dependencies;
    const [{ AutoRebalanceScheduler }, journal, locks] = await Promise.all([
      import('../../autoRebalance/scheduler'),
      records.journal(),
      records.locks(),
    ]);
    const loop: AutoRebalanceControl = new AutoRebalanceScheduler({
      automation: this.opened(),
      portfolio,
      journal,
      locks,
      clock,
      host: this.host,
      log,
      serviceId: () => connection.choice.id,
      rules: () => this.readRules(),
    });
    loop.onDidChange(() => this.render());
    if (this.isDisposed) {
      loop.dispose();
    } else {
      this.loop = loop;
    }
    return loop;
  }

  private dropLoop(): void {
    this.loop?.dispose();
    this.loop = undefined;
    this.making = undefined;
    this.hasStarted = false;
  }

  private opened(): ConsentStore {
    if (this.switches === undefined) {
      throw new Error('Automation has not begun in this window.');
    }
    return this.switches;
  }
}
