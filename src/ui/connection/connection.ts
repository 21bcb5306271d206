import * as l10n from '@vscode/l10n';
import { parseBaseUrl, type BaseUrl } from '../../service/baseUrl';
import type { RequestBudget } from '../../service/requestBudget';
import type { RequestBudgets } from '../../service/requestBudgets';
import type { LiquidityService } from '../../service/service';
import { Emitter } from '../../base/async/emitter';
import type { SandboxReady } from './sandbox/readyLine';
import type { ApiKeys } from './apiKeys';
import { ConnectionError } from '../shell/connectionErrors';
import type { CreateService } from './createService';
import { sameService, type ServiceChoice } from '../shell/serviceChoice';
import type { Subscription } from '../../base/async/clock';
import type { ConnectionStatus } from '../shell/views/viewState';

/** What the connection works with. */
export interface ConnectionDependencies {
  readonly readChoice: () => ServiceChoice;
  readonly apiKeys: ApiKeys;
  readonly sandbox: { start(): Promise<SandboxReady>; stop(): void };
  /** Takes the sandbox's owner and key into the wallets, before the sandbox is asked anything. */
  readonly adoptSandbox: (ready: SandboxReady) => Promise<void>;
  /** Makes the client of a service; loads its code on the first call. */
  readonly createService: CreateService;
  /** The request budgets of all services that this window asks. */
  readonly budgets: RequestBudgets;
  readonly onError: (error: unknown) => void;
}

const OPENING: ConnectionStatus = { kind: 'opening' };
const OPEN: ConnectionStatus = { kind: 'open' };

/** Which service is in use, and the way to it. Connects when the service is first asked for, never before. */
export class ServiceConnection {
  private current: ServiceChoice;
  private reached: ConnectionStatus = OPENING;
  /** Counts what was dropped: a service that comes up for a choice or a key of before changes nothing any more. */
  private generation = 0;
  private client:
    | { readonly baseUrl: BaseUrl; readonly apiKey: string; readonly budget: RequestBudget; readonly service: Promise<LiquidityService> }
    | undefined;
  private readonly changes: Emitter<ServiceChoice>;
  private readonly statusChanges: Emitter<ConnectionStatus>;
  private readonly budgetChanges: Emitter<undefined>;
  private budgetSubscription: Subscription | undefined;

  constructor(private readonly dependencies: ConnectionDependencies) {
    this.current = dependencies.readChoice();
    this.changes = new Emitter(dependencies.onError);
    this.statusChanges = new Emitter(dependencies.onError);
    this.budgetChanges = new Emitter(dependencies.onError);
  }

  /** The service in use. */
  get choice(): ServiceChoice {
    return this.current;
  }

  /** How far the way to it is. */
  get status(): ConnectionStatus {
    return this.reached;
  }

  /** The request budget of the service in use; `undefined`: it was not reached so far. */
  get budget(): RequestBudget | undefined {
    return this.client?.budget;
  }

  /** Calls `listener` when the budget of the service in use changes (a pause begins or ends early, the limit becomes known), and when another budget takes its place. */
  onDidChangeBudget(listener: () => void): Subscription {
    return this.budgetChanges.on(listener);
  }

  /** Calls `listener` when another service is in use, or the same one under another address. */
  onDidChange(listener: (choice: ServiceChoice) => void): Subscription {
    return this.changes.on(listener);
  }

  /** Calls `listener` with every new status. */
  onDidChangeStatus(listener: (status: ConnectionStatus) => void): Subscription {
    return this.statusChanges.on(listener);
  }

  /** Reads the setting again. */
  settingChanged(): void {
    const choice = this.dependencies.readChoice();
    if (sameService(choice, this.current)) {
      return;
    }
    const before = this.current;
    this.current = choice;
    if (before.kind === 'sandbox') {
      this.dependencies.sandbox.stop();
    }
    this.reset();
    this.changes.fire(choice);
  }

  /** The way is another one now: a key was entered or forgotten, the sandbox is being restarted. */
  reset(): void {
    this.generation += 1;
    this.use(undefined);
    this.become(OPENING);
  }

  /** There is no way to it any more: the sandbox has ended for good. */
  fail(error: Error): void {
    this.generation += 1;
    this.use(undefined);
    this.become({ kind: 'failed', error });
  }

  /**
   * Gives the service in use; starts the sandbox where it is that.
   * @throws ConnectionError where there is no key or no usable address, SandboxError where the sandbox does not come up.
   */
  async service(): Promise<LiquidityService> {
    const { generation } = this;
    try {
      const service = await this.reach();
      this.becomeIf(generation, OPEN);
      return service;
    } catch (error) {
      this.becomeIf(generation, { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
      throw error;
    }
  }

  private async reach(): Promise<LiquidityService> {
    const { current } = this;
    switch (current.kind) {
      case 'sandbox': {
        const ready = await this.dependencies.sandbox.start();
        await this.dependencies.adoptSandbox(ready);
        return this.clientFor(parseBaseUrl(ready.url), ready.apiKey);
      }
      case 'remote': {
        const apiKey = await this.dependencies.apiKeys.get(current.id);
        if (apiKey === undefined) {
          throw new ConnectionError('noApiKey', l10n.t`${current.name} asks for an API key, and none has been entered for it.`);
        }
        return this.clientFor(current.baseUrl, apiKey);
      }
      case 'invalid':
        throw new ConnectionError('invalidAddress', current.problem);
    }
  }

  private becomeIf(generation: number, status: ConnectionStatus): void {
    if (generation === this.generation) {
      this.become(status);
    }
  }

  private become(status: ConnectionStatus): void {
    const before = this.reached;
    this.reached = status;
    if (before.kind !== status.kind || status.kind === 'failed') {
      this.statusChanges.fire(status);
    }
  }

  private clientFor(baseUrl: BaseUrl, apiKey: string): Promise<LiquidityService> {
    if (this.client?.baseUrl !== baseUrl || this.client.apiKey !== apiKey) {
      const budget = this.dependencies.budgets.of(baseUrl, apiKey);
      const client = { baseUrl, apiKey, budget, service: this.dependencies.createService(baseUrl, apiKey, budget) };
      this.use(client);
      return client.service;
    }
    return this.client.service;
  }

  private use(client: ServiceConnection['client']): void {
    this.budgetSubscription?.dispose();
    this.client = client;
    this.budgetSubscription = client?.budget.onDidChange(() => this.budgetChanges.fire(undefined));
    this.budgetChanges.fire(undefined);
  }
}
