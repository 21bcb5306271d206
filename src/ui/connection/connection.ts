import * as l10n from '@vscode/l10n';
import type { Subscription } from '../../base/async/clock';
import { Emitter } from '../../base/async/emitter';
import { asError } from '../../base/thrown';
import { SECOND_MS } from '../../base/time';
import type { RequestLimit } from '../../portfolio/requestPace';
import { type BaseUrl, parseBaseUrl } from '../../service/baseUrl';
import type { RequestBudget, RequestBudgets } from '../../service/budget/requestBudget';
import type { LiquidityService } from '../../service/service';
import { ConnectionError } from '../shell/errors';
import type { RpcUrl } from '../../base/solana/rpcUrl';
import { sameService, type ServiceChoice, solanaRpcName } from '../shell/serviceChoice';
import type { ConnectionStatus } from '../shell/views/viewState';
import type { ApiKeys } from './apiKeys';
import type { ServiceReady } from './processKind';
import type { RpcConnection } from './rpcService';
import type { SandboxReady } from './sandboxProcess';

export interface ServiceClientOptions {
  /** Shared by all clients of the same service; without it each call waits on its own after a 429. */
  readonly budget?: RequestBudget;
  /** The service is a process that answers from a Solana RPC. */
  readonly isLocalService?: boolean;
  /** The service has no prices of the past: those that it reports are kept on this machine. */
  readonly keepsPrices?: boolean;
}

/** Creates the client of a service; the first call loads its code. */
export type CreateService = (baseUrl: BaseUrl, apiKey: string, options?: ServiceClientOptions) => Promise<LiquidityService>;

export interface ConnectionDependencies {
  readonly readChoice: () => ServiceChoice;
  readonly apiKeys: ApiKeys;
  readonly sandbox: { start(): Promise<SandboxReady>; stop(): void };
  /** Adds the sandbox wallet and its key to the wallets. Called before the first request to the sandbox. */
  readonly adoptSandbox: (ready: SandboxReady) => Promise<void>;
  /** The addresses of Solana RPCs, by the id of the service. */
  readonly rpcAddress: (serviceId: string) => Promise<RpcUrl | undefined>;
  /** The APIs that a Solana RPC comes with. @throws ConnectionError if the address of one was lost */
  readonly apiAddresses: (choice: ServiceChoice) => Promise<RpcConnection['apis']>;
  /** The name of a service with its profile; `undefined`: it has none. */
  readonly profileName: (choice: ServiceChoice) => Promise<string | undefined>;
  /** Adds the wallet of the test chain that VS Code was started with, if this is its service. */
  readonly adoptTestWallet: (serviceId: string) => Promise<void>;
  /** The process that answers from a Solana RPC. */
  readonly rpcService: { start(target: RpcConnection): Promise<ServiceReady>; stop(): void };
  readonly createService: CreateService;
  /** Request budgets of all services that this window uses; the first call loads their code. */
  readonly budgets: () => Promise<RequestBudgets>;
  readonly onError: (error: unknown) => void;
}

const OPENING: ConnectionStatus = { kind: 'opening' };
const OPEN: ConnectionStatus = { kind: 'open' };

/** The client of the service in use, and what it was made for. */
interface ConnectedClient {
  readonly baseUrl: BaseUrl;
  readonly apiKey: string;
  readonly budget: RequestBudget;
  readonly service: Promise<LiquidityService>;
}

/** The service in use and the connection to it. It connects when the service is first requested. */
export class ServiceConnection {
  #choice: ServiceChoice;
  #status: ConnectionStatus = OPENING;
  /** Incremented on every reset, so that a connection attempt for an earlier choice or key has no effect. */
  #generation = 0;
  #client: ConnectedClient | undefined;
  readonly #changes: Emitter<ServiceChoice>;
  readonly #statusChanges: Emitter<ConnectionStatus>;
  readonly #budgetChanges: Emitter<undefined>;
  #budgetSubscription: Subscription | undefined;

  readonly #dependencies: ConnectionDependencies;

  constructor(dependencies: ConnectionDependencies) {
    this.#dependencies = dependencies;

    this.#choice = dependencies.readChoice();
    this.#changes = new Emitter(dependencies.onError);
    this.#statusChanges = new Emitter(dependencies.onError);
    this.#budgetChanges = new Emitter(dependencies.onError);
  }

  get choice(): ServiceChoice {
    return this.#choice;
  }

  get status(): ConnectionStatus {
    return this.#status;
  }

  /** The request budget of the service in use; `undefined` before the first connection. */
  get budget(): RequestBudget | undefined {
    return this.#client?.budget;
  }

  /** Calls `listener` when the budget changes (a pause begins or ends early, or the limit becomes known) and when another budget replaces it. */
  onDidChangeBudget(listener: () => void): Subscription {
    return this.#budgetChanges.on(listener);
  }

  /** Calls `listener` when the service or its address changes. */
  onDidChange(listener: (choice: ServiceChoice) => void): Subscription {
    return this.#changes.on(listener);
  }

  onDidChangeStatus(listener: (status: ConnectionStatus) => void): Subscription {
    return this.#statusChanges.on(listener);
  }

  /** Applies a change of the setting `binsight.service.baseUrl`. */
  settingChanged(): void {
    const choice = this.#dependencies.readChoice();
    if (sameService(choice, this.#choice)) {
      return;
    }
    const before = this.#choice;
    this.#choice = choice;
    if (before.kind === 'sandbox') {
      this.#dependencies.sandbox.stop();
    } else if (before.kind === 'solanaRpc') {
      this.#dependencies.rpcService.stop();
    }
    this.reset();
    this.#changes.fire(choice);
  }

  /** Drops the connection, because a key or address was set or removed, or its process restarts. */
  reset(): void {
    this.#generation += 1;
    this.#use(undefined);
    this.#setStatus(OPENING);
  }

  /** Drops the connection after its process stopped for good. */
  fail(error: Error): void {
    this.#generation += 1;
    this.#use(undefined);
    this.#setStatus({ kind: 'failed', error });
  }

  /**
   * Connects to the service in use. Starts its process if it runs on this machine.
   * @throws ConnectionError if the API key or a valid address is missing, or the Solana RPC can't be used; ProcessError if the process
   * doesn't start
   */
  async service(): Promise<LiquidityService> {
    const generation = this.#generation;
    try {
      const service = await this.#reach(generation);
      this.#setStatusIf(generation, OPEN);
      return service;
    } catch (error) {
      this.#setStatusIf(generation, { kind: 'failed', error: asError(error) });
      throw error;
    }
  }

  async #reach(generation: number): Promise<LiquidityService> {
    const current = this.#choice;
    switch (current.kind) {
      case 'sandbox': {
        const ready = await this.#dependencies.sandbox.start();
        await this.#dependencies.adoptSandbox(ready);
        return await this.#clientFor(generation, parseBaseUrl(ready.url), ready.apiKey);
      }
      case 'remote': {
        const apiKey = await this.#dependencies.apiKeys.get(current.id);
        if (apiKey === undefined) {
          throw new ConnectionError('noApiKey', l10n.t`${current.name} requires an API key, and no valid one is set.`);
        }
        this.#rename(generation, await this.#dependencies.profileName(current));
        return await this.#clientFor(generation, current.baseUrl, apiKey, { keepsPrices: true });
      }
      case 'solanaRpc': {
        const { rpcAddress, rpcService, adoptTestWallet, apiAddresses } = this.#dependencies;
        const url = await rpcAddress(current.id);
        if (url === undefined) {
          throw new ConnectionError('noRpcAddress', l10n.t('This machine has no address of the Solana RPC.'));
        }
        this.#rename(generation, (await this.#dependencies.profileName(current)) ?? solanaRpcName(new URL(url).host));
        const apis = await apiAddresses(current);
        const ready = await rpcService.start({ url, genesisHash: current.genesisHash, apis });
        await adoptTestWallet(current.id);
        return await this.#clientFor(generation, parseBaseUrl(ready.url), ready.apiKey, { isLocalService: true });
      }
      case 'invalid':
        throw new ConnectionError('invalidAddress', `${l10n.t('The service address in the settings is invalid.')} ${current.problem}`);
    }
  }

  /** Shows the service under this name from now on. */
  #rename(generation: number, name: string | undefined): void {
    if (generation === this.#generation && name !== undefined && this.#choice.name !== name) {
      this.#choice = { ...this.#choice, name };
      this.#statusChanges.fire(this.#status);
    }
  }

  #setStatusIf(generation: number, status: ConnectionStatus): void {
    if (generation === this.#generation) {
      this.#setStatus(status);
    }
  }

  #setStatus(status: ConnectionStatus): void {
    const before = this.#status;
    this.#status = status;
    if (before.kind !== status.kind || status.kind === 'failed') {
      this.#statusChanges.fire(status);
    }
  }

  async #clientFor(
    generation: number,
    baseUrl: BaseUrl,
    apiKey: string,
    options: Omit<ServiceClientOptions, 'budget'> = {},
  ): Promise<LiquidityService> {
    const budget = (await this.#dependencies.budgets()).of(baseUrl, apiKey, options.isLocalService);
    if (this.#client?.baseUrl === baseUrl && this.#client.apiKey === apiKey) {
      return this.#client.service;
    }
    const client = { baseUrl, apiKey, budget, service: this.#dependencies.createService(baseUrl, apiKey, { budget, ...options }) };
    if (generation === this.#generation) {
      this.#use(client);
    }
    return client.service;
  }

  #use(client: ConnectedClient | undefined): void {
    this.#budgetSubscription?.dispose();
    this.#client = client;
    this.#budgetSubscription = client?.budget.onDidChange(() => this.#budgetChanges.fire(undefined));
    this.#budgetChanges.fire(undefined);
  }
}

/** Returns the request limit of the service in use, for background reads. */
export function requestLimitOf(connection: Pick<ServiceConnection, 'budget' | 'onDidChangeBudget'>): RequestLimit {
  return {
    get perMinute() {
      return connection.budget?.perMinute;
    },
    waitMs: (count) => connection.budget?.waitMs('poll', count) ?? 0,
    onDidChange: (listener) => connection.onDidChangeBudget(listener),
  };
}

/** From this number of seconds, the text counts in minutes. */
const MINUTES_FROM_S = 120;

/**
 * States that the service's request limit is reached and when the next update comes.
 * @param waitMs time until the next update, in milliseconds
 */
export function limitSentence(waitMs: number): string {
  const seconds = Math.max(1, Math.ceil(waitMs / SECOND_MS));
  const next = seconds < MINUTES_FROM_S ? l10n.t`${seconds} s` : l10n.t`${Math.ceil(seconds / 60)} min`;
  return l10n.t`Request limit reached. Next update in ${next}.`;
}
