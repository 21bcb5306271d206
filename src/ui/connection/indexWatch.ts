import * as l10n from '@vscode/l10n';
import type { Clock, Subscription } from '../../base/async/clock';
import { Emitter } from '../../base/async/emitter';
import { count } from '../../base/format/numbers';
import type { Address } from '../../base/solana/address';
import { describeError, type LogFunction } from '../shell/log';

/** How far the local service has read the transactions of a wallet. */
export interface HistoryProgress {
  readonly owner: Address;
  readonly read: number;
  /** Transactions that are known by now. */
  readonly total: number;
}

export interface IndexWatchDependencies {
  /** Asks the local service about the wallet in use; `undefined`: it reads no history, or another service is in use. */
  readonly read: () => Promise<HistoryProgress | undefined>;
  readonly clock: Pick<Clock, 'after'>;
  /** The history has been read: figures of the past are complete now. */
  readonly onFinished: () => void;
  readonly log: LogFunction;
  readonly onError: (error: unknown) => void;
}

/** While a history is being read, the local service is asked this often. The requests don't leave this machine. */
const ASK_EVERY_MS = 2_000;

/** Watches how far the local service has read the history of the wallet in use, for as long as it reads. */
export class IndexWatch {
  #progress: HistoryProgress | undefined;
  #isAsking = false;
  #next: Subscription | undefined;
  #isDisposed = false;
  readonly #changes: Emitter<undefined>;

  readonly #dependencies: IndexWatchDependencies;

  constructor(dependencies: IndexWatchDependencies) {
    this.#dependencies = dependencies;
    this.#changes = new Emitter(dependencies.onError);
  }

  /** Calls `listener` when the progress changes. */
  onDidChange(listener: () => void): Subscription {
    return this.#changes.on(listener);
  }

  /** Returns what is said of the history of this wallet while it is being read. */
  textFor(owner: Address | undefined): string | undefined {
    return this.#progress === undefined || this.#progress.owner !== owner
      ? undefined
      : l10n.t`Reading history: ${count(this.#progress.read)} of ${count(this.#progress.total)} transactions.`;
  }

  /** Asks now, and again until the history has been read. */
  look(): void {
    if (this.#isAsking || this.#isDisposed) {
      return;
    }
    this.#next?.dispose();
    this.#next = undefined;
    this.#isAsking = true;
    this.#ask().catch(this.#dependencies.onError);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#next?.dispose();
  }

  async #ask(): Promise<void> {
    const { read, clock, log, onFinished } = this.#dependencies;
    let progress: HistoryProgress | undefined;
    let hasFailed = false;
    try {
      progress = await read();
    } catch (error) {
      // The lists tell of a service that doesn't answer.
      log('debug', `No progress: ${describeError(error)}`);
      hasFailed = true;
    } finally {
      this.#isAsking = false;
    }
    const before = this.#progress;
    this.#progress = progress;
    if (this.#isDisposed) {
      return;
    }
    if (progress !== undefined) {
      this.#next = clock.after(ASK_EVERY_MS, () => this.look());
    }
    if (progress?.owner !== before?.owner || progress?.read !== before?.read || progress?.total !== before?.total) {
      this.#changes.fire(undefined);
    }
    if (before !== undefined && progress === undefined && !hasFailed) {
      onFinished();
    }
  }
}
