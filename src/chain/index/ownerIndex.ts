import { type Clock, systemClock } from '../../base/async/clock';
import { SingleFlight } from '../../base/async/concurrency';
import type { Address } from '../../base/solana/address';
import type { SqliteStore } from '../../server/store/sqliteStore';
import type { ChainRpc, RpcPriority } from '../rpc/types';
import { Completeness } from './completeness';
import { IndexStore, STATE, type Subject } from './indexStore';
import { listNew } from './listing';
import { readPoolParameters } from './poolParameters';
import { type KnownPosition, knownPosition, positionRows } from './positionHistory';
import { TransactionReader } from './reading';
import type { IndexedPosition, IndexProgress, HistoryIndex } from './types';
import { WakeUp } from './wakeUp';

/** What the index needs. */
export interface OwnerIndexOptions {
  readonly rpc: ChainRpc;
  /** Made with the migrations of indexSchema.ts. */
  readonly store: SqliteStore;
  readonly log: (line: string) => void;
  /** Its abort ends the work in the background; {@link ChainIndex.ended} tells when. */
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
/** A position that is touched more often than this is not followed to its beginning. */
const MOST_OF_POSITION = 20_000;
/** Transactions that are read at a time in the background. */
const BATCH = 16;
/** New transactions of an owner that are read before those of the background. */
const URGENT = 16;
const FIRST_BACKOFF_MS = 2_000;
const LONGEST_BACKOFF_MS = 300_000;
/** What was not available is asked for again, and incomplete positions are listed again, after that long. */
const AGAIN_AFTER_MS = 600_000;
const MOST_CACHED = 20_000;

/** Creates the index and goes on with what an earlier process has begun. */
export function createOwnerIndex(options: OwnerIndexOptions): ChainIndex {
  return new OwnerIndexOverChain(options);
}

class OwnerIndexOverChain implements ChainIndex {
  readonly ended: Promise<void>;
  readonly #options: OwnerIndexOptions;
  readonly #clock: Clock;
  readonly #store: IndexStore;
  readonly #reader: TransactionReader;
  readonly #listings = new Map<Address, SingleFlight>();
  /** Clients that wait for an address: its lists come before the background. */
  readonly #clients = new Map<Address, number>();
  readonly #errors = new Map<Address, string>();
  readonly #cache = new Map<Address, KnownPosition>();
  #poolsUnderWay: Promise<boolean> | undefined;
  /** Good until the store changes. */
  #completeness: Completeness | undefined;
  /** Owners that were asked for since the start; only their positions are followed. */
  readonly #asked = new Set<Address>();
  readonly #retriedAtMs = new Map<Address, number>();
  /** Subjects that may have transactions to be read. */
  readonly #active: Set<number>;
  /** What still writes to the store. */
  readonly #running = new Set<Promise<unknown>>();
  #toComplete: Address[] = [];
  #hasChanged = true;
  readonly #wake: WakeUp;
  readonly #stepped: WakeUp;
  /** The most signatures of pools, by address. */
  readonly #mostOfPool = new Map<Address, number>();

  constructor(options: OwnerIndexOptions) {
    const { rpc, store, log, signal, clock = systemClock } = options;
    this.#options = options;
    this.#clock = clock;
    this.#wake = new WakeUp(clock);
    this.#stepped = new WakeUp(clock);
    this.#store = new IndexStore(store, (touched) => {
      touched.forEach((position) => this.#cache.delete(position));
      this.#completeness = undefined;
      this.#hasChanged = true;
    });
    this.#reader = new TransactionReader({ rpc, store: this.#store, clock, log, signal });
    this.#active = new Set(this.#store.subjectsWithUnread());
    signal.addEventListener('abort', () => this.#wake.fire(), { once: true });
    this.ended = this.#work();
  }

  async catchUp(owner: Address, waitMs: number): Promise<IndexProgress> {
    this.#store.follow(owner, 'owner');
    this.#asked.add(owner);
    this.#hasChanged = true;
    const now = this.#clock.now();
    if (now - (this.#retriedAtMs.get(owner) ?? -Infinity) > AGAIN_AFTER_MS) {
      this.#retriedAtMs.set(owner, now);
      this.#store.retryUnavailable(this.#subject(owner).id);
    }
    await this.#waitFor([owner], waitMs, () => this.#listing(owner).fresh());
    return this.#progressOf(this.#subject(owner));
  }

  async completePositions(positions: readonly Address[], waitMs: number): Promise<void> {
    const incomplete = positions.filter((position) => this.positions({ position })[0]?.complete !== true);
    incomplete.forEach((position) => this.#store.follow(position, 'position'));
    await this.#waitFor(incomplete, waitMs, (position) => this.#listing(position).join());
  }

  async readPool(pool: Address, transactions: number, waitMs: number): Promise<void> {
    this.#store.follow(pool, 'pool');
    this.#mostOfPool.set(pool, transactions);
    await this.#waitFor([pool], waitMs, () => this.#listing(pool).fresh());
  }

  positions(filter: { readonly owner?: Address; readonly pool?: Address; readonly position?: Address }): readonly IndexedPosition[] {
    const completeness = (this.#completeness ??= new Completeness(this.#store));
    const known = positionRows(this.#options.store, filter).map((row) => {
      const { isCreationKnown, isClear, ...position } = this.#cached(row);
      return { ...position, complete: completeness.of({ ...position, isCreationKnown, isClear }) };
    });
    return known.sort((one, other) => (one.events[0]?.order ?? 0) - (other.events[0]?.order ?? 0));
  }

  progress(): readonly IndexProgress[] {
    return this.#store.subjects('owner').map((subject) => this.#progressOf(subject));
  }

  /** Lists these addresses and reads what is new of them, until it is done or time is up. Failures are kept for {@link progress}. */
  async #waitFor(addresses: readonly Address[], waitMs: number, list: (address: Address) => Promise<void>): Promise<void> {
    let isOver = false;
    const change = (by: 1 | -1) => addresses.forEach((address) => this.#clients.set(address, (this.#clients.get(address) ?? 0) + by));
    change(1);
    const readNow = async (address: Address): Promise<void> => {
      try {
        await list(address);
        const { id } = this.#subject(address);
        await this.#tracked(this.#reader.readNewest(id, URGENT, 'request'));
        this.#active.add(id);
        this.#wake.fire();
        while (!isOver && !this.#errors.has(address) && this.#store.countIn(id, STATE.listed) > 0) {
          await this.#stepped.wait(waitMs);
        }
        if (!isOver) {
          await this.#readPools('request');
        }
      } catch (error) {
        this.#failed(address, error);
      }
    };
    let timer: { dispose(): void } | undefined;
    const timeIsUp = new Promise<void>((resolve) => {
      timer = this.#clock.after(waitMs, resolve);
    });
    await Promise.race([Promise.all(addresses.map(readNow)), timeIsUp]);
    isOver = true;
    timer?.dispose();
    change(-1);
  }

  /** The listing of an address, at most one at a time. */
  #listing(address: Address): SingleFlight {
    let flight = this.#listings.get(address);
    if (flight === undefined) {
      flight = new SingleFlight(() => this.#tracked(this.#list(address)));
      this.#listings.set(address, flight);
    }
    return flight;
  }

  async #list(address: Address): Promise<void> {
    const { rpc, signal, pageSize = PAGE_SIZE } = this.#options;
    const priority = (): RpcPriority => ((this.#clients.get(address) ?? 0) > 0 ? 'request' : 'background');
    const { kind, id } = this.#subject(address);
    const mostSignatures =
      kind === 'owner'
        ? (this.#options.mostSignatures ?? MOST_SIGNATURES)
        : kind === 'position'
          ? MOST_OF_POSITION
          : (this.#mostOfPool.get(address) ?? 1);
    await listNew(address, { rpc, store: this.#store, clock: this.#clock, mostSignatures, pageSize, signal }, priority);
    this.#errors.delete(address);
    this.#active.add(id);
    this.#hasChanged = true;
    this.#wake.fire();
  }

  /** Works in the background until the abort. */
  async #work(): Promise<void> {
    const { signal, log } = this.#options;
    const isOver = (): boolean => signal.aborted;
    let backoffMs = FIRST_BACKOFF_MS;
    while (!isOver()) {
      let waitMs = 0;
      try {
        const hasWorked = await this.#step();
        backoffMs = FIRST_BACKOFF_MS;
        waitMs = hasWorked ? 0 : this.#msToNextRetry();
      } catch (error) {
        if (!isOver()) {
          log(`The index waits for ${backoffMs / 1_000} s: ${messageOf(error)}`);
        }
        waitMs = backoffMs;
        backoffMs = Math.min(2 * backoffMs, LONGEST_BACKOFF_MS);
      }
      this.#stepped.fire();
      if (waitMs > 0 && !isOver()) {
        await this.#wake.wait(waitMs);
      } else {
        // Storing is synchronous: requests of clients get their turn.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    await Promise.allSettled([...this.#running]);
  }

  async #tracked<Result>(run: Promise<Result>): Promise<Result> {
    this.#running.add(run);
    try {
      return await run;
    } finally {
      this.#running.delete(run);
    }
  }

  /** Does one piece of work; `false`: there is none. @throws ChainRpcError */
  async #step(): Promise<boolean> {
    const [unfinished] = this.#store.unfinished();
    if (unfinished !== undefined) {
      await this.#orFailed(unfinished.address, () => this.#listing(unfinished.address).join());
      return true;
    }
    for (const id of this.#active) {
      // The next one's turn is next.
      this.#active.delete(id);
      const address = this.#store.addressOf(id);
      const count = address === undefined ? 0 : await this.#orFailed(address, () => this.#reader.readNewest(id, BATCH, 'background'), id);
      if (count > 0) {
        this.#active.add(id);
        return true;
      }
    }
    return (await this.#readPools('background')) || (await this.#completeNext());
  }

  /** Keeps the failure for those who ask about the address. */
  async #orFailed<Result>(address: Address, run: () => Promise<Result>, id?: number): Promise<Result> {
    try {
      const result = await run();
      this.#errors.delete(address);
      return result;
    } catch (error) {
      this.#failed(address, error);
      if (id !== undefined) {
        this.#active.add(id);
      }
      throw error;
    }
  }

  #failed(address: Address, error: unknown): void {
    if (!this.#options.signal.aborted) {
      this.#errors.set(address, messageOf(error));
    }
  }

  /** @returns whether any pool was read */
  async #readPools(priority: RpcPriority): Promise<boolean> {
    const { rpc, store, signal } = this.#options;
    // A reading under way does not include the pools of positions that were stored since it began.
    while (this.#poolsUnderWay !== undefined) {
      await this.#poolsUnderWay.catch(() => undefined);
    }
    this.#poolsUnderWay = this.#tracked(readPoolParameters(store, rpc, priority, signal))
      .then((known) => {
        if (known.size > 0) {
          this.#cache.clear();
        }
        return known.size > 0;
      })
      .finally(() => {
        this.#poolsUnderWay = undefined;
      });
    return await this.#poolsUnderWay;
  }

  /** Lists the own signatures of the next position whose history is not complete though everything of its owner is read. */
  async #completeNext(): Promise<boolean> {
    if (this.#hasChanged) {
      this.#hasChanged = false;
      this.#toComplete = [...this.#asked].flatMap((owner) => this.#incompleteOf(owner));
    }
    const position = this.#toComplete.shift();
    if (position === undefined) {
      return false;
    }
    const { id } = this.#store.follow(position, 'position');
    await this.#orFailed(position, () => this.#listing(position).join());
    this.#active.add(id);
    return true;
  }

  #incompleteOf(owner: Address): readonly Address[] {
    const now = this.#clock.now();
    return this.positions({ owner })
      .filter(({ complete, address }) => {
        const listedAtMs = this.#store.subject(address)?.listed_at_ms ?? undefined;
        return !complete && (listedAtMs === undefined || now - listedAtMs > AGAIN_AFTER_MS);
      })
      .map(({ address }) => address);
  }

  #msToNextRetry(): number {
    const at = this.#store.nextRetryAtMs();
    if (at === undefined) {
      return Infinity;
    }
    this.#store.subjectsWithUnread().forEach((id) => this.#active.add(id));
    return Math.max(at - this.#clock.now(), 1);
  }

  #cached(row: Parameters<typeof knownPosition>[1]): KnownPosition {
    let known = this.#cache.get(row.address);
    if (known === undefined) {
      known = knownPosition(this.#options.store, row);
      if (this.#cache.size >= MOST_CACHED) {
        this.#cache.clear();
      }
      this.#cache.set(row.address, known);
    }
    return known;
  }

  #subject(address: Address): Subject {
    const subject = this.#store.subject(address);
    if (subject === undefined) {
      throw new Error(`${address} is not followed`);
    }
    return subject;
  }

  #progressOf({ id, address, cursor, listed_at_ms: listedAtMs, pruned_before_slot: pruned }: Subject): IndexProgress {
    const left = this.#store.countIn(id, STATE.listed);
    const notThere = this.#store.countIn(id, STATE.unavailable) + this.#store.countIn(id, STATE.unreadable);
    const error = this.#errors.get(address);
    return {
      owner: address,
      state: error !== undefined ? 'failed' : left > 0 || cursor !== null || listedAtMs === null ? 'indexing' : 'current',
      transactions: this.#store.countListed(id) - left - notThere,
      left,
      prunedBeforeSlot: pruned === null || pruned <= 1 ? undefined : pruned,
      error: error ?? (notThere > 0 ? `${notThere} transactions cannot be read from this RPC.` : undefined),
    };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
