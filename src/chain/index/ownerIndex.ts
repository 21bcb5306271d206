import { type Clock, type Subscription, systemClock } from '../../base/async/clock';
import type { Address } from '../../base/solana/address';
import type { SqliteStore } from '../../engine/store/sqliteStore';
import type { ChainRpc, RpcPriority } from '../rpc/types';
import { BackgroundWork } from './backgroundWork';
import { STATE } from './indexSchema';
import { KnownPositions } from './knownPositions';
import { type Subject, SubjectStore } from './subjectStore';
import { TransactionStore } from './transactionStore';
import type { HistoryIndex, IndexedPosition, IndexProgress, PoolProgram, PositionFilter } from './types';

/** What the index needs. */
export interface OwnerIndexOptions {
  readonly rpc: ChainRpc;
  /** Made with the migrations of indexSchema.ts. */
  readonly store: SqliteStore;
  readonly log: (line: string) => void;
  /** Its abort ends the work in the background; {@link ChainIndex.ended} resolves then. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** The most signatures of an owner; default 100,000. */
  readonly mostSignatures?: number;
  /** Rows of a list of signatures; default 1,000, the limit of nodes. */
  readonly pageSize?: number;
}

/** The index with its work in the background. */
export interface ChainIndex extends HistoryIndex {
  /** Resolves when the work has ended after the abort, so that the store can be closed. */
  readonly ended: Promise<void>;
}

const MOST_SIGNATURES = 100_000;
const PAGE_SIZE = 1_000;
/** New transactions of an address that are read before those of the background. */
const URGENT = 16;
/** What was not available is asked for again after that long. */
const AGAIN_AFTER_MS = 600_000;

/** Creates the index and continues what an earlier process has begun. */
export function createOwnerIndex(options: OwnerIndexOptions): ChainIndex {
  return new OwnerIndexOverChain(options);
}

class OwnerIndexOverChain implements ChainIndex {
  readonly ended: Promise<void>;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #subjects: SubjectStore;
  readonly #transactions: TransactionStore;
  readonly #positions: KnownPositions;
  readonly #work: BackgroundWork;
  readonly #retriedAtMs = new Map<Address, number>();

  constructor({ rpc, store, log, signal, clock = systemClock, mostSignatures = MOST_SIGNATURES, pageSize = PAGE_SIZE }: OwnerIndexOptions) {
    this.#clock = clock;
    this.#signal = signal;
    const onChange = (touched: ReadonlySet<Address>): void => positions.changed(touched);
    const subjects = (this.#subjects = new SubjectStore(store, onChange));
    const transactions = (this.#transactions = new TransactionStore(store, onChange));
    const positions = (this.#positions = new KnownPositions(store, subjects, transactions));
    this.#work = new BackgroundWork({ rpc, store, subjects, transactions, positions, clock, log, signal, mostSignatures, pageSize });
    this.ended = this.#work.run();
  }

  async catchUp(owner: Address, waitMs: number): Promise<IndexProgress> {
    this.#subjects.follow(owner, 'owner');
    this.#work.ask(owner);
    const now = this.#clock.now();
    if (now - (this.#retriedAtMs.get(owner) ?? -Infinity) > AGAIN_AFTER_MS) {
      this.#retriedAtMs.set(owner, now);
      this.#transactions.retryUnavailable(this.#subject(owner).id);
    }
    await this.#waitFor([owner], waitMs, waitMs > 0 ? 'request' : 'background', () => this.#work.lists.listing(owner).fresh());
    return this.#progressOf(this.#subject(owner));
  }

  async completePositions(positions: readonly Address[], waitMs: number): Promise<void> {
    const incomplete = positions.filter((position) => this.positions({ position }).at(-1)?.complete !== true);
    incomplete.forEach((position) => this.#work.lists.followPosition(position));
    // These are many requests: those of the answer itself go first.
    await this.#waitFor(incomplete, waitMs, 'background', (position) => this.#work.lists.listing(position).join());
    if (incomplete.length === 0) {
      await this.#readPoolsWithin(waitMs);
    }
  }

  async readPool(pool: Address, transactions: number, waitMs: number): Promise<void> {
    this.#subjects.follow(pool, 'pool');
    this.#work.lists.limitPool(pool, transactions);
    await this.#waitFor([pool], waitMs, 'request', () => this.#work.lists.listing(pool).fresh());
  }

  positions(filter: PositionFilter): readonly IndexedPosition[] {
    return this.#positions.positions(filter);
  }

  pools(program: PoolProgram | undefined, most: number): readonly Address[] {
    return this.#positions.pools(program, most);
  }

  progress(): readonly IndexProgress[] {
    return this.#subjects.subjects('owner').map((subject) => this.#progressOf(subject));
  }

  /** Reads the parameters of pools for an answer, if that is soon done. Where it fails the background tries again. */
  async #readPoolsWithin(waitMs: number): Promise<void> {
    let timer: Subscription | undefined;
    const timeIsUp = new Promise<void>((resolve) => {
      timer = this.#clock.after(waitMs, resolve);
    });
    await Promise.race([this.#work.readPools('request').catch(() => undefined), timeIsUp]);
    timer?.dispose();
  }

  /** Lists these addresses and reads what is new of them, until it is done or time is up. {@link progress} reports failures. */
  async #waitFor(
    addresses: readonly Address[],
    waitMs: number,
    priority: RpcPriority,
    list: (address: Address) => Promise<void>,
  ): Promise<void> {
    const work = this.#work;
    let isTimeUp = waitMs <= 0;
    const isOver = (): boolean => isTimeUp || this.#signal.aborted;
    const readNow = async (address: Address): Promise<void> => {
      try {
        await list(address);
        const { id, kind } = this.#subject(address);
        await work.tracked(work.reader.readNewest({ id, address }, URGENT, priority));
        work.readLater(id, kind === 'position');
        // The prices of events need them, and they are one request for all pools.
        await work.readPools(priority);
        while (!isOver() && work.errorOf(address) === undefined && this.#transactions.countIn(id, STATE.listed) > 0) {
          await work.stepped.wait(waitMs);
        }
        if (!isOver()) {
          await work.readPools('request');
        }
      } catch (error) {
        work.failed(address, error);
      }
    };
    let timer: Subscription | undefined;
    const timeIsUp = new Promise<void>((resolve) => {
      timer = this.#clock.after(waitMs, resolve);
    });
    const read = () => Promise.race([Promise.all(addresses.map(readNow)), timeIsUp]).then(() => undefined);
    await (priority === 'request' ? work.lists.first(addresses, read) : read());
    isTimeUp = true;
    timer?.dispose();
  }

  #subject(address: Address): Subject {
    const subject = this.#subjects.subject(address);
    if (subject === undefined) {
      throw new Error(`${address} is not followed`);
    }
    return subject;
  }

  #progressOf(subject: Subject): IndexProgress {
    const { id, address, cursor, is_to_end: isToEnd, pruned_before_slot: pruned, gap_to_slot: gapTo } = subject;
    // Where the node has no older history, creations may be missing. Elsewhere a missing one shows that the list is not whole.
    const first = pruned !== null && pruned > 1 ? pruned : this.#positions.lastSlotWithoutCreation(address);
    const before = Math.max(first, gapTo === null ? 0 : gapTo + 1);
    const left = this.#transactions.countIn(id, STATE.listed);
    const unreadable = this.#transactions.unreadable(id);
    const notThere = unreadable?.count ?? 0;
    const error = this.#work.errorOf(address);
    return {
      owner: address,
      state: error !== undefined ? 'failed' : left > 0 || cursor !== null || !isToEnd ? 'indexing' : 'current',
      transactions: this.#transactions.countListed(id) - left - notThere,
      left,
      prunedBeforeSlot: before <= 1 ? undefined : before,
      unreadable,
      error: error ?? missingText(subject, notThere),
    };
  }
}

/** What of the history cannot be had; `undefined` if nothing. */
function missingText({ gap_after_slot: after, gap_to_slot: to }: Subject, transactions: number): string | undefined {
  const lines = [
    ...(transactions > 0 ? [`${transactions} transactions cannot be read from this RPC.`] : []),
    ...(after === null || to === null ? [] : [`Transactions between the slots ${after + 1} and ${to} are not listed.`]),
  ];
  return lines.length === 0 ? undefined : lines.join(' ');
}
