import type { Clock, Subscription } from '../../base/async/clock';
import type { Address } from '../../base/solana/address';
import { errorText } from '../../base/thrown';
import type { SqliteStore } from '../../engine/store/sqliteStore';
import type { ChainRpc, RpcPriority } from '../rpc/types';
import { STATE } from './indexSchema';
import type { KnownPositions } from './knownPositions';
import { readPoolParameters } from './poolParameters';
import { TransactionReader } from './reading';
import { SignatureLists } from './signatureLists';
import type { SubjectStore } from './subjectStore';
import type { TransactionStore } from './transactionStore';

/** What the work needs. */
export interface BackgroundWorkOptions {
  readonly rpc: ChainRpc;
  readonly store: SqliteStore;
  readonly subjects: SubjectStore;
  readonly transactions: TransactionStore;
  readonly positions: KnownPositions;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
  /** The most signatures of an owner in one listing. */
  readonly mostSignatures: number;
  readonly pageSize: number;
}

/** Transactions that are read at a time in the background. */
const BATCH = 16;
const FIRST_BACKOFF_MS = 2_000;
const LONGEST_BACKOFF_MS = 300_000;
/** Incomplete positions are listed again after that long: each takes a request, which helps only if the node has more history by then. */
const AGAIN_AFTER_MS = 21_600_000;
/** Parameters of pools that could not be read are asked for again after that long. */
const POOLS_AGAIN_AFTER_MS = 60_000;
/** The shortest wait for a transaction that was not available: another reading of it may be under way. */
const LEAST_WAIT_MS = 20;

/**
 * Lists signatures and reads transactions in the background: first what clients wait for, then listings that were interrupted, then parameters of pools, then
 * transactions, then what incomplete positions lack. What has failed is tried again after everything else, so that it delays nothing else.
 */
export class BackgroundWork {
  readonly lists: SignatureLists;
  readonly reader: TransactionReader;
  /** Fires after each piece of work. */
  readonly stepped: WakeUp;
  readonly #options: BackgroundWorkOptions;
  readonly #wake: WakeUp;
  readonly #errors = new Map<Address, string>();
  #poolsUnderWay: Promise<boolean> | undefined;
  #poolsAgainAtMs = -Infinity;
  /** Owners that were asked for since the start; only their positions are followed. */
  readonly #asked = new Set<Address>();
  /** Subjects that may have transactions to be read. */
  readonly #active: Set<number>;
  /** Those of them that go first: the past of open positions, which is short and decides what rows say. */
  readonly #first = new Set<number>();
  /** What still writes to the store. */
  readonly #running = new Set<Promise<unknown>>();
  /** Owners and positions. */
  #toComplete: Address[] = [];
  /** When the own signatures of positions were listed, and the lists of owners below their oldest row. */
  readonly #completedAtMs = new Map<Address, number>();
  #hasChanged = true;
  #retries = 0;

  constructor(options: BackgroundWorkOptions) {
    this.#options = options;
    const { rpc, subjects, transactions, clock, log, signal, mostSignatures, pageSize } = options;
    this.#wake = new WakeUp(clock);
    this.stepped = new WakeUp(clock);
    this.lists = new SignatureLists({ rpc, store: subjects, clock, mostSignatures, pageSize, signal }, async (address, list) => {
      const subject = await this.tracked(list());
      this.#errors.delete(address);
      this.readLater(subject);
    });
    this.reader = new TransactionReader({ rpc, store: transactions, clock, log, signal });
    this.#active = new Set(transactions.subjectsWithUnread());
    signal.addEventListener('abort', () => this.#wake.fire(), { once: true });
  }

  /** Why the last attempt to list or read an address failed. */
  errorOf(address: Address): string | undefined {
    return this.#errors.get(address);
  }

  failed(address: Address, error: unknown): void {
    if (!this.#options.signal.aborted) {
      this.#errors.set(address, errorText(error));
    }
  }

  /** From now on the positions of this owner are completed. */
  ask(owner: Address): void {
    this.#asked.add(owner);
    this.#hasChanged = true;
  }

  /** Reads the transactions of a subject when it is their turn. @param isFirst before those of the others */
  readLater(subject: number, isFirst = false): void {
    this.#active.add(subject);
    if (isFirst) {
      this.#first.add(subject);
    }
    this.#hasChanged = true;
    this.#wake.fire();
  }

  /** @returns whether any pool was read */
  async readPools(priority: RpcPriority): Promise<boolean> {
    const { rpc, store, signal, positions } = this.#options;
    // A reading under way does not include the pools of positions that were stored since it began.
    while (this.#poolsUnderWay !== undefined) {
      await this.#poolsUnderWay.catch(() => undefined);
    }
    this.#poolsUnderWay = this.tracked(readPoolParameters(store, rpc, priority, signal))
      .then((hasRead) => {
        if (hasRead) {
          positions.poolsChanged();
        }
        return hasRead;
      })
      .finally(() => {
        this.#poolsUnderWay = undefined;
      });
    return await this.#poolsUnderWay;
  }

  /** Waits at the end for what writes to the store. */
  async tracked<Result>(run: Promise<Result>): Promise<Result> {
    this.#running.add(run);
    try {
      return await run;
    } finally {
      this.#running.delete(run);
    }
  }

  /** Works until the abort. */
  async run(): Promise<void> {
    const { signal, log } = this.#options;
    const isOver = (): boolean => signal.aborted;
    let backoffMs = FIRST_BACKOFF_MS;
    while (!isOver()) {
      const woken = this.#wake.count;
      let waitMs = 0;
      try {
        const hasWorked = await this.#step();
        backoffMs = FIRST_BACKOFF_MS;
        waitMs = hasWorked ? 0 : this.#msToNextRetry();
      } catch (error) {
        if (!isOver()) {
          log(`The index waits for ${backoffMs / 1_000} s: ${errorText(error)}`);
        }
        waitMs = backoffMs;
        backoffMs = Math.min(2 * backoffMs, LONGEST_BACKOFF_MS);
      }
      this.stepped.fire();
      if (waitMs > 0 && !isOver()) {
        // There may be new work since the step began.
        await this.#wake.wait(waitMs, woken);
      } else {
        // Storing is synchronous: requests of clients get their turn.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    this.stepped.fire();
    await Promise.allSettled([...this.#running]);
  }

  /** Does one piece of work; `false`: there is none. @throws ChainRpcError */
  async #step(): Promise<boolean> {
    const { subjects, transactions } = this.#options;
    const unfinished = subjects.unfinished().map(({ address }) => address);
    const next = unfinished.find((address) => !this.#errors.has(address));
    if (next !== undefined) {
      await this.#orFailed(next, () => this.lists.listing(next).join());
      return true;
    }
    // One request for all pools; without it no event has a price.
    if (await this.#readPoolsAgain()) {
      return true;
    }
    const failed: (() => Promise<boolean>)[] = unfinished.map((address) => async () => {
      await this.#orFailed(address, () => this.lists.listing(address).join());
      return true;
    });
    for (const id of new Set([...this.#first, ...this.#active])) {
      const address = subjects.addressOf(id);
      if (address !== undefined && this.#errors.has(address)) {
        failed.push(() => this.#read(id, address));
      } else if (address === undefined || !(await this.#read(id, address))) {
        this.#active.delete(id);
        // What was not available is tried again as soon as it may be, before the rest of a history.
        if (address === undefined || transactions.countIn(id, STATE.listed) === 0) {
          this.#first.delete(id);
        }
      } else {
        return true;
      }
    }
    if (await this.#completeNext()) {
      return true;
    }
    this.#retries += 1;
    return (await failed[this.#retries % failed.length]?.()) ?? false;
  }

  async #read(id: number, address: Address): Promise<boolean> {
    // The turn of the others is next.
    this.#active.delete(id);
    this.#active.add(id);
    const count = await this.#orFailed(address, () => this.tracked(this.reader.readNewest({ id, address }, BATCH, 'background')));
    if (count === 0) {
      this.#active.delete(id);
    }
    return count > 0;
  }

  /** Remembers the failure for those who ask about the address. */
  async #orFailed<Result>(address: Address, run: () => Promise<Result>): Promise<Result> {
    try {
      const result = await run();
      this.#errors.delete(address);
      return result;
    } catch (error) {
      this.failed(address, error);
      throw error;
    }
  }

  async #readPoolsAgain(): Promise<boolean> {
    const now = this.#options.clock.now();
    if (now < this.#poolsAgainAtMs) {
      return false;
    }
    try {
      return await this.readPools('background');
    } catch (error) {
      // The transactions do not wait for it.
      this.#poolsAgainAtMs = now + POOLS_AGAIN_AFTER_MS;
      if (!this.#options.signal.aborted) {
        this.#options.log(`Parameters of pools could not be read: ${errorText(error)}`);
      }
      return false;
    }
  }

  /**
   * Once everything of an owner is read: lists again below the oldest transaction if the creation of a position is not among them, then the own
   * signatures of each position whose history is not complete.
   */
  async #completeNext(): Promise<boolean> {
    const { subjects, positions, clock } = this.#options;
    if (this.#toComplete.length === 0 && this.#hasChanged) {
      this.#hasChanged = false;
      this.#toComplete = [...this.#asked].flatMap((owner) => this.#incompleteOf(owner));
    }
    const position = this.#toComplete.shift();
    if (position === undefined) {
      return false;
    }
    if (this.#asked.has(position)) {
      subjects.doubtEnd(position);
      this.#completedAtMs.set(position, clock.now());
      await this.#orFailed(position, () => this.lists.listing(position).fresh());
      // What was found comes first.
      this.#hasChanged = true;
      return true;
    }
    const lives = positions.positions({ position });
    if (lives.length === 0 || lives.some(({ complete }) => !complete)) {
      const isToEnd = this.lists.followPosition(position);
      await this.#orFailed(position, () => this.lists.listing(position).join());
      if (isToEnd) {
        this.#completedAtMs.set(position, clock.now());
      } else {
        // The first page is there. What is on it decides whether the listing goes on.
        this.#hasChanged = true;
      }
    }
    return true;
  }

  #incompleteOf(owner: Address): readonly Address[] {
    const { subjects, transactions, positions, clock } = this.#options;
    const subject = subjects.subject(owner);
    if (subject === undefined || transactions.countIn(subject.id, STATE.listed) > 0) {
      return [];
    }
    const now = clock.now();
    const incomplete = positions.positions({ owner }).filter(({ complete }) => !complete);
    const closedOnly = positions.closedOnly(owner).map(({ position }) => position);
    const listedBelow = positions.lastSlotWithoutCreation(owner) > 0 ? [owner] : [];
    return [...listedBelow, ...new Set(incomplete.map(({ address }) => address)), ...closedOnly].filter(
      (address) => now - (this.#completedAtMs.get(address) ?? -Infinity) > AGAIN_AFTER_MS,
    );
  }

  #msToNextRetry(): number {
    const { transactions, clock } = this.#options;
    const now = clock.now();
    const forPoolsMs = this.#poolsAgainAtMs > now ? this.#poolsAgainAtMs - now : Infinity;
    const at = transactions.nextRetryAtMs();
    if (at === undefined) {
      return forPoolsMs;
    }
    transactions.subjectsWithUnread().forEach((id) => this.#active.add(id));
    return Math.max(Math.min(at - now, forPoolsMs), LEAST_WAIT_MS);
  }
}

/** Lets others wait for something to happen. */
export class WakeUp {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How often it has happened. */
  get count(): number {
    return this.#count;
  }

  fire(): void {
    this.#count += 1;
    [...this.#waiting].forEach((wake) => wake());
  }

  /** Resolves at the next {@link fire}, after so many milliseconds, or at once if it has happened more often than `since`. */
  wait(limitMs = Infinity, since = this.#count): Promise<void> {
    if (this.#count > since) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      let timer: Subscription | undefined;
      const wake = (): void => {
        timer?.dispose();
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
      if (limitMs !== Infinity) {
        timer = this.#clock.after(limitMs, wake);
      }
    });
  }
}
