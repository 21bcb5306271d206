import * as l10n from '@vscode/l10n';
import type { RequestPace } from '../service/budget/operationRequests';
import type { RefreshCoordinator } from '../portfolio/coordinator';
import type { Portfolio } from '../portfolio/portfolio';
import type { RefreshReason } from '../portfolio/types';
import { describeError, type LogFunction } from './shell/log';
import { rpcAddressName } from './shell/serviceChoice';
import { isLimited } from './shell/views/viewState';
import type { Owners } from './wallets/owners';
import type { Prompts } from './shell/prompts/prompts';
import { SANDBOX_PROCESS, type SandboxProcess } from './connection/sandboxProcess';
import type { ProcessKind } from './connection/processKind';
import type { ProcessState } from './connection/serviceProcess';
import type { ApiKeys } from './connection/apiKeys';
import { RPC_PROCESS, type RpcService } from './connection/rpcService';
import type { ServiceConnection } from './connection/connection';
import type { PoolQuery } from './pools/poolQuery';
import type { Remedy, UserErrorDescription } from './shell/commands/errorMessage';
import type { Subscription } from '../base/async/clock';
import { DisposableStore } from '../base/async/disposables';
import { Emitter } from '../base/async/emitter';

export interface SessionDependencies {
  readonly connection: ServiceConnection;
  readonly sandbox: SandboxProcess;
  readonly owners: Owners;
  readonly rpcService: RpcService;
  readonly apiKeys: ApiKeys;
  readonly portfolio: Portfolio;
  readonly coordinator: RefreshCoordinator;
  readonly poolQuery: PoolQuery;
  readonly prompts: Prompts;
  /** Describes an error to the user; `undefined` if there is nothing to show. */
  readonly describeError: (error: unknown) => Promise<UserErrorDescription | undefined>;
  readonly log: LogFunction;
  /** Runs a VS Code command. */
  readonly execute: (command: string, argument?: unknown) => Promise<void>;
}

/** Reasons that are worth the start of a sandbox. */
const BY_THE_USER: ReadonlySet<RefreshReason> = new Set<RefreshReason>(['manual', 'visible', 'afterOperation']);

const showLog = (): Remedy => ({ label: l10n.t('Show Log'), command: 'binsight.showLog' });

/**
 * Connects the parts: applies a change of service, wallet, key or query to everything that depends on it, and notifies the user of
 * a crashed process of the service.
 */
export class Session {
  readonly #subscriptions = new DisposableStore();
  readonly #refreshes: Emitter<undefined>;
  /** Last notification about a failed process. It is not repeated before a process has run again. */
  #lastProcessMessage: string | undefined;

  readonly #dependencies: SessionDependencies;

  constructor(dependencies: SessionDependencies) {
    this.#dependencies = dependencies;

    const { connection, sandbox, rpcService, owners, portfolio, poolQuery, log } = dependencies;
    this.#refreshes = new Emitter((error) => log('warn', `A listener of refreshes failed: ${describeError(error)}`));
    portfolio.setPoolQuery(poolQuery.query);
    this.#updateOwner();
    this.#updateSleep();
    this.#subscriptions.add(
      connection.onDidChange(() => this.#serviceChanged()),
      owners.onDidChange(() => {
        if (this.#updateOwner()) {
          this.#refreshInBackground('owner');
        }
      }),
      poolQuery.onDidChange((query) => {
        portfolio.setPoolQuery(query);
        this.#refreshInBackground('configuration');
      }),
      sandbox.onDidChange((state) => this.#processChanged(state)),
      sandbox.onDidRestart(() => this.#restarted(SANDBOX_PROCESS)),
      rpcService.process.onDidChange((state) => this.#processChanged(state)),
      rpcService.process.onDidRestart(() => this.#restarted(RPC_PROCESS)),
    );
  }

  /** Calls `listener` whenever the user refreshes, and when something outside of this window has moved funds. */
  onDidRefresh(listener: () => void): Subscription {
    return this.#refreshes.on(listener);
  }

  /** The sandbox is the service, and nothing has needed it so far. */
  get isAsleep(): boolean {
    const { connection, sandbox } = this.#dependencies;
    return connection.choice.kind === 'sandbox' && sandbox.state.kind === 'stopped';
  }

  /** Starts the sandbox, since something of Binsight is looked at. */
  wake(): void {
    if (this.isAsleep) {
      this.#refreshInBackground('visible');
    }
  }

  /**
   * Connects to the service and reads what is shown. Starts the sandbox only for what is shown or what the user did. Never rejects: the states hold
   * every failure.
   */
  async refresh(reason: RefreshReason, pace?: RequestPace): Promise<void> {
    const { connection, coordinator, portfolio, log } = this.#dependencies;
    if (this.isAsleep && !coordinator.isShown && !BY_THE_USER.has(reason)) {
      return;
    }
    try {
      await connection.service();
    } catch (error) {
      log('warn', `No service: ${describeError(error)}`);
      const { positions, pools } = portfolio.snapshot;
      if (positions.length === 0 && pools.length === 0) {
        return;
      }
      // Continue, to mark the listed rows as outdated.
    }
    if (reason === 'manual' || reason === 'afterOperation') {
      this.#refreshes.fire(undefined);
    }
    await coordinator.refreshNow(reason, pace);
  }

  /**
   * Refreshes on behalf of the user.
   * @param pace priority of the requests; default `user`
   * @throws the error of the positions, or else of the pools, unless a view shows it already, for as long as it lasts. That of the request limit always:
   * it is waited for
   */
  async refreshOrThrow(pace?: RequestPace): Promise<void> {
    await this.refresh('manual', pace);
    const { isShown } = this.#dependencies.coordinator;
    const { status } = this.#dependencies.connection;
    if (status.kind === 'failed' && !isShown) {
      throw status.error;
    }
    const { positionsState, poolsState } = this.#dependencies.portfolio.snapshot;
    for (const state of [positionsState, poolsState]) {
      if ((state.kind === 'failed' || state.kind === 'stale') && (!isShown || isLimited(state.error))) {
        throw state.error;
      }
    }
  }

  /** Applies a secret that was stored or deleted in this or another window. */
  secretChanged(name: string): void {
    const { connection, apiKeys, rpcService, owners } = this.#dependencies;
    owners.secretChanged(name);
    const { choice } = connection;
    if (choice.kind === 'remote' && apiKeys.isKeyOf(choice.id, name)) {
      connection.reset();
      this.#refreshInBackground('configuration');
    }
    if (choice.kind === 'solanaRpc' && name === rpcAddressName(choice.id)) {
      rpcService.stop();
      connection.reset();
      this.#refreshInBackground('configuration');
    }
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #serviceChanged(): void {
    // Data of the previous service must not be taken for data of this one.
    this.#dependencies.portfolio.reset();
    this.#updateOwner();
    this.#updateSleep();
    this.#refreshInBackground('configuration');
  }

  /** @returns true if the wallet in use has changed */
  #updateOwner(): boolean {
    const { owners, connection, portfolio } = this.#dependencies;
    const owner = owners.active(connection.choice)?.address;
    const differs = owner !== portfolio.snapshot.owner;
    portfolio.setOwner(owner);
    return differs;
  }

  #updateSleep(): void {
    this.#dependencies.coordinator.setAsleep(this.isAsleep);
  }

  #processChanged(state: ProcessState<unknown>): void {
    this.#updateSleep();
    switch (state.kind) {
      case 'restarting':
        this.#dependencies.connection.reset();
        return;
      case 'failed': {
        const { connection, portfolio } = this.#dependencies;
        connection.fail(state.error);
        const { positions, pools } = portfolio.snapshot;
        if (this.#lastProcessMessage === undefined && positions.length + pools.length > 0) {
          // Marks the listed rows as outdated. Only once: the read can start the process, which can fail again.
          this.#refreshInBackground('configuration');
        }
        void this.#notifyOfProcess(state.error);
        return;
      }
      case 'running':
        this.#lastProcessMessage = undefined;
        return;
      case 'stopped':
      case 'starting':
    }
  }

  #restarted({ name }: ProcessKind): void {
    this.#refreshInBackground('configuration');
    void this.#notify('warning', l10n.t`${name()} stopped and was restarted. Its data was kept.`, [showLog()]);
  }

  async #notifyOfProcess(error: Error): Promise<void> {
    const description = await this.#dependencies.describeError(error);
    if (description !== undefined && description.message !== this.#lastProcessMessage) {
      this.#lastProcessMessage = description.message;
      await this.#notify('error', description.message, description.remedies);
    }
  }

  #refreshInBackground(reason: RefreshReason): void {
    void this.refresh(reason);
  }

  async #notify(severity: 'warning' | 'error', message: string, remedies: readonly Remedy[]): Promise<void> {
    const { prompts, execute } = this.#dependencies;
    const action = await prompts.notify({ severity, message, actions: remedies.map(({ label }) => label) });
    const remedy = remedies.find(({ label }) => label === action);
    if (remedy !== undefined) {
      await execute(remedy.command);
    }
  }
}
