import type { Subscription } from '../../base/async/clock';
import { Emitter } from '../../base/async/emitter';
import type { SandboxProcess, SandboxReady } from '../connection/sandboxProcess';
import { describeError, type LogFunction } from '../shell/log';
import type { SandboxStatus } from './sandboxControls';

export interface SandboxPlayDependencies {
  readonly sandbox: Pick<SandboxProcess, 'state' | 'onDidChange'>;
  readonly readStatus: (sandbox: SandboxReady) => Promise<SandboxStatus>;
  readonly log: LogFunction;
}

/** What is being played in the sandbox, in any window: the views say it for as long as it is on. */
export class SandboxPlay {
  #fault: 'hostile' | 'fault' | undefined;
  #hasMovedPrice = false;
  #reading: Promise<void> | undefined;
  readonly #changes: Emitter<undefined>;
  readonly #subscription: Subscription;
  readonly #dependencies: SandboxPlayDependencies;

  constructor(dependencies: SandboxPlayDependencies) {
    this.#dependencies = dependencies;
    this.#changes = new Emitter((error) => dependencies.log('error', describeError(error)));
    this.#subscription = dependencies.sandbox.onDidChange(() => void this.look());
  }

  /** `undefined`: the sandbox works as a service should. */
  get fault(): 'hostile' | 'fault' | undefined {
    return this.#fault;
  }

  /** The user has moved a price in this window. */
  get hasMovedPrice(): boolean {
    return this.#hasMovedPrice;
  }

  onDidChange(listener: () => void): Subscription {
    return this.#changes.on(listener);
  }

  priceMoved(): void {
    this.#hasMovedPrice = true;
    this.#changes.fire(undefined);
  }

  /** Asks the running sandbox; starts none. Never rejects. */
  look(): Promise<void> {
    this.#reading ??= this.#look().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changes.dispose();
  }

  async #look(): Promise<void> {
    const { sandbox, readStatus, log } = this.#dependencies;
    const { state } = sandbox;
    const before = this.#fault;
    try {
      const fault = state.kind === 'running' ? (await readStatus(state.ready)).fault : undefined;
      this.#fault = fault === undefined ? undefined : fault.kind === 'hostile' ? 'hostile' : 'fault';
    } catch (error) {
      log('warn', `The sandbox does not say what it plays: ${describeError(error)}`);
    }
    if (this.#fault !== before) {
      this.#changes.fire(undefined);
    }
  }
}
