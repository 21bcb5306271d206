import * as l10n from '@vscode/l10n';
import { BenefitReader } from '../../autoRebalance/benefit';
import type { ConsentStore } from '../../autoRebalance/consentStore';
import { AutoRebalanceController } from '../../autoRebalance/controller';
import type { Obstacle } from '../../autoRebalance/obstacles';
import { worthsOf } from '../../autoRebalance/limits';
import type { AutoRebalanceRules } from '../../autoRebalance/types';
import type { Clock, Subscription } from '../../base/async/clock';
import { DisposableStore } from '../../base/async/disposables';
import type { OpenPosition } from '../../service/positions';
import type { LiquidityService } from '../../service/service';
import type { PortfolioControl } from '../../portfolio/types';
import type { SolanaRpc } from '../../rpc/types';
import { errorMessageOf } from '../../transactions/errors';
import type { OperationJournal } from '../../transactions/journal/types';
import type { OperationLocks } from '../../transactions/locks/types';
import type { ServiceConnection } from '../connection/connection';
import type { RebalanceRuns } from '../rebalance/request';
import type { EditorActions, StateStore } from '../shell/editorAccess';
import type { LogFunction } from '../shell/log';
import type { Prompts } from '../shell/prompts/prompts';
import { REVIEW_SETTINGS, rulesOf } from '../shell/settings/rebalanceRules';
import type { Settings } from '../shell/settings/settings';
import type { WindowProblems } from '../shell/windowProblem';
import { UserError } from '../shell/errors';
import { PositionNames } from '../positions/positionList';
import { plainText } from '../shell/views/text';
import { type KnownOwner, mayUseInBrowser } from '../wallets/ownerIndex';
import type { Owners } from '../wallets/owners';
import { requireSigningOwner } from '../wallets/walletSelection';
import { dryRunDocument } from './dryRunDocument';
import type { Address } from '../../base/solana/address';
import { type NamedWallet, walletLabel } from '../wallets/walletNames';
import { AutoRebalanceExecutor, needsRpc } from './executor';
import type { Announce } from './announcements';
import { menuOf } from './menu';
import { RebalanceQuestions } from './questions';
import { changeRules } from './rulesForm';
import { changeRulesText, showDryRun, startQuestion, type StartSubject, stopKeys } from './rulesMessages';
import { type AutoRebalanceStatusBarModel, autoRebalanceStatusBarModel, statusSentence } from './status';
import type { AutoRebalanceStatus } from './statusBarItem';

export interface AutoRebalanceCommandDependencies {
  readonly prompts: Prompts;
  readonly settings: Pick<Settings, 'raw' | 'get' | 'onDidChange' | 'rules'>;
  readonly connection: Pick<ServiceConnection, 'choice' | 'onDidChange'>;
  readonly owners: Pick<Owners, 'active' | 'known' | 'lockOf' | 'signer' | 'onDidChange'>;
  /** That of the wallet that is shown. */
  readonly portfolio: PortfolioControl;
  /** That of a wallet, shown or not. Default: the shown one. */
  readonly portfolioOf?: ((owner: Address) => PortfolioControl) | undefined;
  /** The RPC in use, if any. */
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  /** The service in use, if it has prices of the past. */
  readonly serviceWithPrices?: (() => Promise<LiquidityService | undefined>) | undefined;
  readonly store: ConsentStore;
  /** Shared by all windows. */
  readonly state: StateStore;
  readonly records: { readonly journal: () => Promise<OperationJournal>; readonly locks: () => Promise<OperationLocks> };
  /** Tells the RPC of the review of the profile in use from any other; empty: none. */
  readonly reviewRpc: () => string;
  /** Of a wallet, shown or not. Loaded when a rebalance is run. */
  readonly runs: (owner: Address) => Promise<RebalanceRuns>;
  readonly clock: Clock;
  readonly problems: WindowProblems;
  /** VS Code runs in a browser, where keys of real wallets are not used. */
  readonly isInBrowser: boolean;
  /** Of the keyboard; `undefined`: unknown. */
  readonly platform: NodeJS.Platform | undefined;
  /** The folder is trusted, or no folder is open. */
  readonly isTrusted: () => boolean;
  readonly onDidGrantTrust: (listener: () => void) => Subscription;
  readonly actions: Pick<EditorActions, 'showDocument'>;
  /** Runs a VS Code command. */
  readonly execute: (command: string, argument?: unknown) => Promise<void>;
  /** Sets the context key `binsight.isAutomationOn`. */
  readonly setOn: (isOn: boolean) => void;
  readonly statusBarItem: AutoRebalanceStatus;
  readonly announce: Announce;
  readonly log: LogFunction;
  readonly onError: (error: unknown) => void;
}

/** Where the deposits that the checks saw are kept. */
const LEDGERS_KEY = 'binsight.automation.deposits';

/** The answer to the question before the start. */
type StartAnswer = 'confirmed' | 'rulesChanged' | 'cancelled';

/** The commands of auto-rebalance (start after a confirmation, stop, dry run, menu) and its status bar item, in this window. */
export class AutoRebalanceCommands {
  readonly controller: AutoRebalanceController;
  readonly #dependencies: AutoRebalanceCommandDependencies;
  readonly #executor: AutoRebalanceExecutor;
  readonly #questions: RebalanceQuestions;
  readonly #disposables = new DisposableStore();
  #shown: AutoRebalanceStatusBarModel | undefined;

  constructor(dependencies: AutoRebalanceCommandDependencies) {
    this.#dependencies = dependencies;
    const {
      prompts,
      clock,
      onError,
      runs,
      rpc,
      owners,
      execute,
      store,
      state,
      portfolio,
      portfolioOf,
      records,
      connection,
      log,
      announce,
      serviceWithPrices,
    } = dependencies;
    const tryAgain = () => this.controller.tryAgain();
    const names = new PositionNames();
    this.#questions = new RebalanceQuestions({
      prompts,
      clock,
      onError,
      announce,
      tryAgain,
      onDidChange: () => this.#render(),
      nameOf: ({ key, pairName }) => {
        const name = names.of(this.#planned).get(key) ?? plainText(pairName);
        const wallet = this.#hiddenWallet;
        return wallet === undefined ? name : l10n.t`${name} of ${wallet}`;
      },
    });
    this.#executor = new AutoRebalanceExecutor({
      prompts,
      questions: this.#questions,
      runs,
      rpc,
      owners,
      ownerOf: (address) => this.#ownerOf(address),
      owner: () => this.#owner,
      onUnlocked: tryAgain,
      announce,
      isShown: (owner) => portfolio.snapshot.owner === owner,
      command: (id, argument) => execute(id, argument),
      onError,
    });
    this.controller = new AutoRebalanceController({
      store,
      memory: { read: () => state.get(LEDGERS_KEY), write: (ledgers) => state.update(LEDGERS_KEY, ledgers) },
      portfolio,
      portfolioOf,
      records,
      rpc,
      benefitOf: serviceWithPrices && new BenefitReader({ service: serviceWithPrices, rpc, clock, log }).of,
      clock,
      host: this.#executor,
      serviceId: () => connection.choice.id,
      rules: () => this.readRules(),
      whyNotHere: (owner) => this.#whyNotHere(owner),
      log,
      onError,
    });
    this.#disposables.add(
      dependencies.statusBarItem,
      this.controller,
      this.controller.onDidChange(() => this.#render()),
      { dispose: () => this.#questions.takeBack() },
    );
  }

  /** The content of the status bar item; `undefined` if there is none. */
  get shown(): AutoRebalanceStatusBarModel | undefined {
    return this.#shown;
  }

  /** Continues auto-rebalance if it was left on, and follows all changes from then on. */
  async begin(): Promise<void> {
    const { settings, connection, owners, problems, onDidGrantTrust } = this.#dependencies;
    const lookAgain = () => this.controller.lookAgain();
    this.#disposables.add(
      settings.rules.onDidChange(lookAgain),
      settings.onDidChange(REVIEW_SETTINGS, lookAgain),
      connection.onDidChange(lookAgain),
      problems.onDidChange(lookAgain),
      owners.onDidChange(() => this.#executor.ownersChanged()),
      onDidGrantTrust(lookAgain),
    );
    await this.controller.begin();
    this.#render();
  }

  /** The rules as they are now. @throws UserError if one is invalid */
  readRules(): AutoRebalanceRules {
    const { settings, reviewRpc } = this.#dependencies;
    return rulesOf((key) => settings.raw(key), reviewRpc());
  }

  /**
   * Turns auto-rebalance on for the wallet and the service in use, by the rules, once the user has confirmed them. Only
   * the status bar item shows that it is on: a notification would stay beside a later one that says it is off.
   * @throws UserError if it can't be turned on
   */
  async start(): Promise<void> {
    const { connection, clock, settings, rpc } = this.#dependencies;
    const { controller } = this;
    const owner = requireSigningOwner({ ...this.#dependencies, service: () => connection.choice });
    const { address, hasPassphrase } = owner;
    const { choice } = connection;
    if (choice.id === undefined) {
      throw new UserError(l10n.t('No service is selected. Connect to a service first.'));
    }
    let subject: StartSubject;
    let answer: StartAnswer;
    do {
      const rules = this.readRules();
      if (rules.mode === 'automatic' && (await rpc()) === undefined) {
        throw new UserError(needsRpc());
      }
      subject = {
        rules,
        worths: worthsOf(await this.#positions(), rules),
        owner,
        service: choice,
        replaced: this.#replacedBy(address),
        locksAfterMinutes: hasPassphrase && rules.mode === 'automatic' ? settings.get('binsight.wallet.unlockMinutes') : undefined,
        keys: this.#stopKeys,
      };
      answer = await this.#askToStart(subject);
    } while (answer === 'rulesChanged');
    if (answer === 'cancelled') {
      return;
    }
    const { rules, worths } = subject;
    if (rules.mode === 'automatic' && !(await this.#executor.unlock(owner))) {
      throw new UserError(l10n.t('Auto-rebalance was not started: to sign automatically, it needs the passphrase of the wallet.'));
    }
    await controller.turnOn({ service: choice.id, owner: address, rules, sinceMs: clock.now(), worths });
  }

  /**
   * Turns auto-rebalance off for all windows.
   * @throws UserError if that can't be saved; it is off in this window even then
   */
  async stop(): Promise<void> {
    const { prompts } = this.#dependencies;
    const { state } = this.controller;
    this.#questions.takeBack();
    try {
      await this.controller.turnOff();
    } catch (error) {
      throw new UserError(
        l10n.t`Auto-rebalance is stopped in this window, but others may continue: stop it there, or close them. ${errorMessageOf(error)}`,
      );
    }
    const isActing = state.kind === 'on' && state.acting.length > 0;
    // Without a button, VS Code cuts a notification off after about 60 characters.
    void prompts.notify({
      severity: 'info',
      message:
        state.kind === 'off'
          ? l10n.t('Auto-rebalance is off.')
          : isActing
            ? l10n.t('Auto-rebalance is off. See Activity for what is in progress.')
            : l10n.t('Auto-rebalance is off in all windows.'),
    });
  }

  /**
   * Shows the dry run.
   * @param asked the rules to preview, before the user is asked about them; defaults to the confirmed ones, or the present ones while it is off
   * @throws UserError if no wallet is selected
   */
  async showPlan(asked?: AutoRebalanceRules): Promise<void> {
    const { actions, connection, portfolio } = this.#dependencies;
    if (portfolio.snapshot.owner === undefined) {
      throw new UserError(l10n.t('No wallet is selected. Choose one first.'));
    }
    const { rules, worths, planned, asOfMs } = await this.controller.plan(asked);
    const { state } = this.controller;
    const ifOn =
      state.kind === 'off'
        ? l10n.t('This preview uses your rules. Auto-rebalance acts only on what several checks have seen.')
        : asked === undefined
          ? undefined
          : l10n.t('This preview uses rules that you have not confirmed yet.');
    const standing = [statusSentence(state), ifOn].filter((sentence) => sentence !== undefined).join(' ');
    await actions.showDocument(
      showDryRun(),
      dryRunDocument({
        planned,
        rules,
        worths,
        owner: portfolio.snapshot.owner,
        service: connection.choice,
        standing,
        at: new Date(asOfMs),
      }),
      asked === undefined ? undefined : 'belowQuestion',
    );
  }

  /** Shows the menu, and runs the chosen entry. */
  async menu(): Promise<void> {
    const { prompts, execute } = this.#dependencies;
    const { isLocked } = this.#executor;
    const answer = await prompts.pick(menuOf(this.controller.state, { isLocked, questions: this.#questions.open, keys: this.#stopKeys }));
    if (answer.kind !== 'value') {
      return;
    }
    if (typeof answer.value === 'object') {
      this.#questions.answer(answer.value.question, answer.value.answer);
      return;
    }
    switch (answer.value) {
      case 'rules':
        await changeRules(prompts, this.#dependencies.settings.rules);
        return;
      case 'unlock':
        await this.#executor.unlock();
        return;
      default:
        await execute(answer.value);
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** The wallet that it is on for, or else the one that is shown, if it can sign. */
  get #owner(): KnownOwner | undefined {
    const { owners, connection } = this.#dependencies;
    const { state } = this.controller;
    if (state.kind !== 'off') {
      return this.#ownerOf(state.consent.owner);
    }
    const owner = owners.active(connection.choice);
    return owner?.canSign === true ? owner : undefined;
  }

  #ownerOf(address: Address): KnownOwner | undefined {
    const { owners, connection } = this.#dependencies;
    return owners.known(connection.choice).find((owner) => owner.address === address && owner.canSign);
  }

  /** The other wallet that it is on for, and no longer would be; `undefined`: none. */
  #replacedBy(owner: Address): NamedWallet | undefined {
    const { owners, connection } = this.#dependencies;
    const { state } = this.controller;
    if (state.kind === 'off' || state.consent.owner === owner) {
      return undefined;
    }
    const { owner: address } = state.consent;
    return owners.known(connection.choice).find((known) => known.address === address) ?? { address };
  }

  /** The wallet that it is on for, in words, while the views show another one. */
  get #hiddenWallet(): string | undefined {
    const { portfolio, owners, connection } = this.#dependencies;
    const { state } = this.controller;
    if (state.kind === 'off' || state.consent.owner === portfolio.snapshot.owner) {
      return undefined;
    }
    const { owner } = state.consent;
    return walletLabel(owners.known(connection.choice).find(({ address }) => address === owner) ?? { address: owner });
  }

  /** The positions of the last check. */
  get #planned(): readonly OpenPosition[] {
    const { state } = this.controller;
    return state.kind === 'on' ? state.planned.map(({ position }) => position) : [];
  }

  /** The listed positions: limits derive from what they are worth. @throws UserError if they can't be loaded */
  async #positions(): Promise<readonly OpenPosition[]> {
    const { portfolio } = this.#dependencies;
    if (portfolio.snapshot.positionsState.kind !== 'ready') {
      await portfolio.refresh('manual', ['positions']);
    }
    const { positions, positionsState: state } = portfolio.snapshot;
    if (state.kind !== 'ready') {
      throw new UserError(
        l10n.t`Auto-rebalance was not started: your positions could not be loaded. ${'error' in state ? errorMessageOf(state.error) : ''}`.trim(),
      );
    }
    return positions;
  }

  get #stopKeys(): string {
    return stopKeys(this.#dependencies.platform);
  }

  #whyNotHere(owner: Address): Pick<Obstacle, 'why' | 'cause'> | undefined {
    const { isTrusted, isInBrowser, connection, owners, problems } = this.#dependencies;
    if (problems.current?.kind === 'replaced') {
      return { why: problems.current.message, cause: 'reload' };
    }
    if (!isTrusted()) {
      return { why: l10n.t('Restricted Mode: nothing is signed in this window until you trust the folder. Other windows may continue.') };
    }
    const known = owners.known(connection.choice).find(({ address }) => address === owner);
    return isInBrowser && !mayUseInBrowser(known, connection.choice)
      ? { why: l10n.t('VS Code runs in a browser here, where keys of real wallets are not used. Your desktop windows may continue.') }
      : undefined;
  }

  #render(): void {
    if (this.#disposables.isDisposed) {
      return;
    }
    const { statusBarItem, setOn } = this.#dependencies;
    const { state } = this.controller;
    setOn(state.kind !== 'off');
    if (state.kind === 'on' && state.role === 'active' && state.lastCheckMs !== undefined) {
      const due = state.planned.flatMap(({ position, decision }) =>
        decision.kind === 'act' ? [{ position, action: decision.action }] : [],
      );
      this.#questions.keep(due);
    }
    this.#shown = autoRebalanceStatusBarModel(state, {
      asking: this.#questions.open.map(({ pair }) => pair),
      keys: this.#stopKeys,
      wallet: this.#hiddenWallet,
    });
    statusBarItem.show(this.#shown);
    if (state.kind !== 'on' || state.role !== 'active') {
      this.#questions.takeBack();
    }
  }

  /** Asks for confirmation, again after each preview. */
  async #askToStart(subject: StartSubject): Promise<StartAnswer> {
    const { prompts, settings } = this.#dependencies;
    for (;;) {
      const pressed = await prompts.confirm(startQuestion(subject));
      if (pressed === changeRulesText()) {
        await changeRules(prompts, settings.rules);
        return 'rulesChanged';
      }
      if (pressed !== showDryRun()) {
        return pressed === undefined ? 'cancelled' : 'confirmed';
      }
      await this.showPlan(subject.rules);
      if (!(await this.#isBackFromPlan())) {
        return 'cancelled';
      }
    }
  }

  /** Offers the way back in a list above the document, since a dialog would cover it. */
  async #isBackFromPlan(): Promise<boolean> {
    const answer = await this.#dependencies.prompts.pick({
      title: l10n.t('Start Auto-Rebalance'),
      placeholder: l10n.t('Details opened. Nothing signed yet.'),
      items: [
        { label: l10n.t('Back to Confirmation'), icon: 'arrow-left', value: true },
        { label: l10n.t("Don't Start"), icon: 'close', value: false },
      ],
    });
    return answer.kind === 'value' && answer.value;
  }
}
