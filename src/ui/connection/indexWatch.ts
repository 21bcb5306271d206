import type { Clock, Subscription } from '../../base/async/clock';
import { Emitter } from '../../base/async/emitter';
import type { Address } from '../../base/solana/address';
import { describeError, type LogFunction } from '../shell/log';

/** What the user should know of a wallet's history: how far the local service has read it, or what is missing. */
export interface HistoryProgress {
  readonly owner: Address;
  /** Transactions that have been read. */
  readonly transactions: number;
  /** It is being read now. */
  readonly isReading: boolean;
  /** For the user: how far it has been read, or what is missing; `undefined`: it is complete. */
  readonly text: string | undefined;
}

export interface IndexWatchDependencies {
  /** Asks the local service about the wallet in use; `undefined`: it doesn't know the wallet, or another service is in use. */
  readonly read: () => Promise<HistoryProgress | undefined>;
  readonly clock: Pick<Clock, 'after'>;
  /** More of the history has been read than the last time: what was listed before can lack figures and pools. */
  readonly onFinished: () => void;
  /** A part of the history has been read: more figures of open positions may be known. */
  readonly onPart: () => void;
  readonly log: LogFunction;
  readonly onError: (error: unknown) => void;
}

/** While a history is being read, the local service is asked this often. The requests don't leave this machine. */
const ASK_EVERY_MS = 2_000;
/** The past of open positions comes first: lists are read again after so many questions, then after twice as many, and so on. */
const FIRST_PART = 2;

/** Watches how far the local service has read the history of the wallet in use, for as long as it reads. */
export class IndexWatch {
  #progress: HistoryProgress | undefined;
  /** The history that the lists are based on. */
  #listed: Pick<HistoryProgress, 'owner' | 'transactions'> | undefined;
  #isAsking = false;
  /** The lists have changed since the question that is under way. */
  #isOutdated = false;
  #next: Subscription | undefined;
  /** Intervals for which the history of this owner has been read. */
  #reading: { readonly owner: Address; readonly intervals: number } | undefined;
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

  /** Returns how far the history of this wallet has been read, or what is missing; `undefined`: it is complete. */
  textFor(owner: Address | undefined): string | undefined {
    return this.#progress?.owner === owner ? this.#progress?.text : undefined;
  }

  /** Asks now, and again until the history has been read. */
  look(): void {
    if (this.#isAsking || this.#isDisposed) {
      this.#isOutdated = true;
      return;
    }
    this.#isOutdated = false;
    this.#next?.dispose();
    this.#next = undefined;
    this.#isAsking = true;
    this.#ask().catch(this.#dependencies.onError);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#next?.dispose();
  }

  #lookAgain(owner: Address): void {
    const intervals = (this.#reading?.owner === owner ? this.#reading.intervals : 0) + 1;
    this.#reading = { owner, intervals };
    if (intervals >= FIRST_PART && Number.isInteger(Math.log2(intervals / FIRST_PART))) {
      this.#dependencies.onPart();
    }
    this.look();
  }

  async #ask(): Promise<void> {
    const { read, clock, log, onFinished } = this.#dependencies;
    let progress: HistoryProgress | undefined;
    try {
      progress = await read();
    } catch (error) {
      // The lists show that a service doesn't answer.
      log('debug', `No progress: ${describeError(error)}`);
    } finally {
      this.#isAsking = false;
    }
    const before = this.#progress;
    this.#progress = progress;
    if (this.#isDisposed) {
      return;
    }
    if (this.#isOutdated) {
      this.look();
    } else if (progress?.isReading === true) {
      this.#next = clock.after(ASK_EVERY_MS, () => this.#lookAgain(progress.owner));
    }
    if (progress?.owner !== before?.owner || progress?.text !== before?.text) {
      if (progress?.isReading === false && progress.text !== undefined) {
        log('warn', progress.text);
      }
      this.#changes.fire(undefined);
    }
    if (progress?.isReading === false && !isSame(progress, this.#listed)) {
      this.#listed = progress;
      onFinished();
    }
  }
}

/** True if the history has not grown. A history without transactions adds nothing to the lists. */
function isSame({ owner, transactions }: HistoryProgress, listed: Pick<HistoryProgress, 'owner' | 'transactions'> | undefined): boolean {
  return transactions === (listed?.owner === owner ? listed.transactions : 0);
}
