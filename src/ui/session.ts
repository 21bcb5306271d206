import * as l10n from '@vscode/l10n';
import type { RequestPace } from '../service/requestBudget';
import type { RefreshCoordinator } from '../portfolio/coordinator';
import type { Portfolio } from '../portfolio/portfolio';
import type { RefreshReason } from '../portfolio/types';
import { describeError, type LogFunction } from './shell/log';
import type { Owners } from './wallets/owners';
import type { Prompts } from './shell/prompts/prompts';
import type { SandboxState, SandboxSupervisor } from './connection/sandbox/supervisor';
import type { ApiKeys } from './connection/apiKeys';
import type { ServiceConnection } from './connection/connection';
import type { PoolQuery } from './pools/poolQuery';
import type { Remedy } from './shell/commands/errorMessage';
import type { Subscription } from '../base/async/clock';

/** What a session ties together. */
export interface SessionDependencies {
  readonly connection: ServiceConnection;
  readonly sandbox: SandboxSupervisor;
  readonly owners: Owners;
  readonly apiKeys: ApiKeys;
  readonly portfolio: Portfolio;
  readonly coordinator: RefreshCoordinator;
  readonly poolQuery: PoolQuery;
  readonly prompts: Prompts;
  readonly log: LogFunction;
  /** Runs any command. */
  readonly execute: (command: string) => Promise<void>;
}

const showLogText = (): Remedy => ({ label: l10n.t('Show Log'), command: 'binsight.showLog' });

/**
 * Keeps the parts in step: another service, wallet, key or query takes effect on all that depends on it, and a crashed
 * sandbox is told of.
 */
export class Session {
  private readonly subscriptions: readonly Subscription[];
  /** What was last told of a sandbox that failed; the same is not told again before it has run. */
  private toldOfSandbox: string | undefined;

  constructor(private readonly dependencies: SessionDependencies) {
    const { connection, sandbox, owners, portfolio, poolQuery } = dependencies;
    portfolio.setPoolQuery(poolQuery.query);
    this.takeOwner();
    this.subscriptions = [
      connection.onDidChange(() => this.serviceChanged()),
      owners.onDidChange(() => {
        if (this.takeOwner()) {
          this.refreshInBackground('owner');
        }
      }),
      poolQuery.onDidChange((query) => {
        portfolio.setPoolQuery(query);
        this.refreshInBackground('configuration');
      }),
      sandbox.onDidChange((state) => this.sandboxChanged(state)),
      sandbox.onDidRestart(() => {
        this.refreshInBackground('configuration');
        void this.tell('warning', l10n.t('The sandbox stopped unexpectedly and was restarted. Its state is on disk and was kept.'), [
          showLogText(),
        ]);
      }),
    ];
  }

  /** Opens the way to the service, and reads what is shown. Never rejects: what failed is in the states. */
  async refresh(reason: RefreshReason, pace?: RequestPace): Promise<void> {
    const { connection, coordinator, portfolio, log } = this.dependencies;
    try {
      await connection.service();
    } catch (error) {
      log('warn', `No service: ${describeError(error)}`);
      const { positions, pools } = portfolio.snapshot;
      if (positions.length === 0 && pools.length === 0) {
        return;
      }
      // What is listed has to be marked as old.
    }
    await coordinator.refreshNow(reason, pace);
  }

  /**
   * The same, because the user asked for it.
   * @param pace for whom the service is asked; without it `user`
   * @throws what kept the positions, or else the pools, from being read.
   */
  async refreshOrThrow(pace?: RequestPace): Promise<void> {
    await this.refresh('manual', pace);
    const { status } = this.dependencies.connection;
    if (status.kind === 'failed') {
      throw status.error;
    }
    const { positionsState, poolsState } = this.dependencies.portfolio.snapshot;
    for (const state of [positionsState, poolsState]) {
      if (state.kind === 'failed' || state.kind === 'stale') {
        throw state.error;
      }
    }
  }

  /** A secret was stored or deleted, here or in another window. */
  secretChanged(name: string): void {
    const { connection, apiKeys, owners } = this.dependencies;
    owners.secretChanged(name);
    const { choice } = connection;
    if (choice.kind === 'remote' && apiKeys.isKeyOf(choice.id, name)) {
      connection.reset();
      this.refreshInBackground('configuration');
    }
  }

  dispose(): void {
    for (const subscription of this.subscriptions) {
      subscription.dispose();
    }
  }

  private serviceChanged(): void {
    // What another service listed must not be taken for this one's.
    this.dependencies.portfolio.reset();
    this.takeOwner();
    this.refreshInBackground('configuration');
  }

  /** @returns whether it is another one now. */
  private takeOwner(): boolean {
    const { owners, connection, portfolio } = this.dependencies;
    const owner = owners.active(connection.choice)?.address;
    const differs = owner !== portfolio.snapshot.owner;
    portfolio.setOwner(owner);
    return differs;
  }

  private sandboxChanged(state: SandboxState): void {
    switch (state.kind) {
      case 'restarting':
        this.dependencies.connection.reset();
        return;
      case 'failed': {
        const { connection, portfolio } = this.dependencies;
        connection.fail(state.error);
        const { positions, pools } = portfolio.snapshot;
        if (this.toldOfSandbox === undefined && positions.length + pools.length > 0) {
          // What is listed has to be marked as old. Once: reading may start the sandbox, which may fail again.
          this.refreshInBackground('configuration');
        }
        void this.tellOfSandbox(state.error);
        return;
      }
      case 'running':
        this.toldOfSandbox = undefined;
        return;
      case 'stopped':
      case 'starting':
    }
  }

  private async tellOfSandbox(error: Error): Promise<void> {
    const { describeUserError: wordError } = await import('./shell/commands/errorMessage');
    const worded = wordError(error);
    if (worded !== undefined && worded.message !== this.toldOfSandbox) {
      this.toldOfSandbox = worded.message;
      await this.tell('error', worded.message, worded.remedies);
    }
  }

  private refreshInBackground(reason: RefreshReason): void {
    void this.refresh(reason);
  }

  private async tell(severity: 'warning' | 'error', message: string, remedies: readonly Remedy[]): Promise<void> {
    const { prompts, execute } = this.dependencies;
    const action = await prompts.notify({ severity, message, actions: remedies.map(({ label }) => label) });
    const remedy = remedies.find(({ label }) => label === action);
    if (remedy !== undefined) {
      await execute(remedy.command);
    }
  }
}
