import type { Subscription } from '../base/async/clock';
import { Mutex, SingleFlight } from '../base/async/concurrency';
import { Emitter } from '../base/async/emitter';
import type { Address } from '../base/solana/address';
import type { ParseWarning } from '../service/common';
import type { Pool } from '../service/pools';
import type { RequestPace } from '../service/requestBudget';
import type { DiscoverQuery } from '../service/service';
import { afterFailure, asError } from './failure';
import { coveredBy, nextPage, type PageRequest, pagesToRefresh, uniqueBy, uniquePools } from './poolPages';
import { paceOf, urgentOf } from './requestPace';
import { changeBetween, emptySnapshot, inAttentionOrder, isSame, withParts } from './snapshot';
import type {
  ListName,
  PortfolioChange,
  PortfolioControl,
  PortfolioDependencies,
  PortfolioSnapshot,
  RefreshReason,
  WaitOptions,
} from './types';
import { waitUntil } from './waitUntil';

/** The reads of one owner's positions. Replaced as a whole with the owner, so that a late answer has nowhere to go. */
interface PositionsReads {
  readonly abort: AbortController;
  readonly refresh: SingleFlight;
  /** For whom the next read is: the most urgent of all who wait for it. */
  pace: RequestPace | undefined;
}

/** The reads of one way to list pools; replaced as a whole with the query. */
interface PoolsReads {
  readonly query: DiscoverQuery;
  readonly abort: AbortController;
  readonly refresh: SingleFlight;
  readonly loadMore: SingleFlight;
  /** For whom the next refresh is. */
  pace: RequestPace | undefined;
  /** For whom the next further page is. */
  morePace: RequestPace | undefined;
  /** How many places of the ranking have been read. */
  covered: number;
}

/** The live state of one owner's positions and of the pools on offer: see `PortfolioControl`. Asks the service one thing at a time. */
export class Portfolio implements PortfolioControl {
  readonly #dependencies: PortfolioDependencies;
  readonly #changes: Emitter<PortfolioChange>;
  readonly #turns = new Mutex();
  readonly #oddities: Record<ListName, readonly ParseWarning[]> = { positions: [], pools: [] };
  #snapshot = emptySnapshot(undefined);
  #positions: PositionsReads;
  #pools: PoolsReads;

  constructor(dependencies: PortfolioDependencies) {
    this.#dependencies = dependencies;
    this.#changes = new Emitter((error) => dependencies.log('warn', `A listener of the portfolio failed: ${asError(error).message}`));
    this.#positions = this.#positionsReads();
    this.#pools = this.#poolsReads({});
  }

  get snapshot(): PortfolioSnapshot {
    return this.#snapshot;
  }

  get oddities(): readonly ParseWarning[] {
    return [...this.#oddities.positions, ...this.#oddities.pools];
  }

  onDidChange(listener: (change: PortfolioChange) => void): Subscription {
    return this.#changes.on(listener);
  }

  setOwner(owner: Address | undefined): void {
    if (owner === this.#snapshot.owner) {
      return;
    }
    this.#positions.abort.abort();
    this.#positions = this.#positionsReads();
    this.#oddities.positions = [];
    this.#show({ owner, positions: [], positionsState: { kind: 'idle' } });
  }

  setPoolQuery(query: DiscoverQuery): void {
    if (isSame(query, this.#pools.query)) {
      return;
    }
    this.#pools.abort.abort();
    this.#pools = this.#poolsReads(query);
    this.#oddities.pools = [];
    this.#show({ pools: [], poolsState: { kind: 'idle' }, poolsHaveMore: false });
  }

  /** Another service: what was read goes at once, and reads that are under way come to nothing. Reads nothing. */
  reset(): void {
    this.#positions.abort.abort();
    this.#pools.abort.abort();
    this.#positions = this.#positionsReads();
    this.#pools = this.#poolsReads(this.#pools.query);
    this.#oddities.positions = [];
    this.#oddities.pools = [];
    this.#show({ positions: [], positionsState: { kind: 'idle' }, pools: [], poolsState: { kind: 'idle' }, poolsHaveMore: false });
  }

  async refresh(
    reason: RefreshReason,
    lists: readonly ListName[] = ['positions', 'pools'],
    pace: RequestPace = paceOf(reason),
  ): Promise<void> {
    const reads = { positions: this.#positions, pools: this.#pools };
    this.#dependencies.log('debug', `Refreshing ${lists.join(' and ')}: ${reason}`);
    for (const list of lists) {
      reads[list].pace = urgentOf(reads[list].pace, pace);
    }
    await Promise.all(lists.map((list) => (isRoutine(reason) ? reads[list].refresh.join() : reads[list].refresh.fresh())));
  }

  async loadMorePools(pace: RequestPace = 'user'): Promise<void> {
    this.#pools.morePace = urgentOf(this.#pools.morePace, pace);
    await this.#pools.loadMore.join();
  }

  async waitUntil(settled: (snapshot: PortfolioSnapshot) => boolean, options: WaitOptions): Promise<boolean> {
    return waitUntil(this, this.#dependencies.clock, settled, options, this.#positions.abort.signal);
  }

  /** Stops what is under way and ends all subscriptions. */
  dispose(): void {
    this.#positions.abort.abort();
    this.#pools.abort.abort();
    this.#changes.dispose();
  }

  #positionsReads(): PositionsReads {
    const reads: PositionsReads = {
      abort: new AbortController(),
      refresh: new SingleFlight(() => this.#readPositions(reads)),
      pace: undefined,
    };
    return reads;
  }

  #poolsReads(query: DiscoverQuery): PoolsReads {
    const reads: PoolsReads = {
      query,
      abort: new AbortController(),
      refresh: new SingleFlight(() => this.#readPools(reads, 'anew')),
      loadMore: new SingleFlight(() => this.#readPools(reads, 'more')),
      pace: undefined,
      morePace: undefined,
      covered: 0,
    };
    return reads;
  }

  async #readPositions(reads: PositionsReads): Promise<void> {
    const { signal } = reads.abort;
    const { pace = 'panel' } = reads;
    reads.pace = undefined;
    const { owner } = this.#snapshot;
    if (owner === undefined || signal.aborted) {
      return;
    }
    if (this.#snapshot.positionsState.kind === 'idle') {
      this.#show({ positionsState: { kind: 'loading' } });
    }
    try {
      const listing = await this.#turns.take(async () => {
        const service = await this.#dependencies.service();
        return service.openPositions(owner, { signal, pace });
      }, signal);
      if (isSuperseded(signal)) {
        return;
      }
      this.#note('positions', listing.oddities);
      const positions = inAttentionOrder(uniqueBy(listing.items, (position) => position.key));
      this.#show({ positions, positionsState: { kind: 'ready', asOf: this.#today() } });
    } catch (thrown) {
      if (!isSuperseded(signal)) {
        this.#show({ positionsState: afterFailure(this.#snapshot.positionsState, this.#failed('positions', thrown)) });
      }
    }
  }

  async #readPools(reads: PoolsReads, how: 'anew' | 'more'): Promise<void> {
    const { signal } = reads.abort;
    const pace = how === 'more' ? (reads.morePace ?? 'user') : (reads.pace ?? 'panel');
    Object.assign(reads, how === 'more' ? { morePace: undefined } : { pace: undefined });
    if (signal.aborted || (how === 'more' && !this.#snapshot.poolsHaveMore)) {
      return;
    }
    if (this.#snapshot.poolsState.kind === 'idle') {
      this.#show({ poolsState: { kind: 'loading' } });
    }
    try {
      // All pages in one turn: a refresh and a further page must not read around each other.
      await this.#turns.take(async () => {
        const requests = how === 'anew' ? pagesToRefresh(reads.query, reads.covered) : [nextPage(reads.query, reads.covered)];
        const before = how === 'anew' ? [] : this.#snapshot.pools;
        const read = await this.#readPages(reads.query, requests, { signal, pace });
        if (isSuperseded(signal)) {
          return;
        }
        reads.covered = read.covered;
        this.#note('pools', read.oddities);
        const pools = uniquePools([...before, ...read.pools]);
        this.#show({ pools, poolsState: { kind: 'ready', asOf: this.#today() }, poolsHaveMore: read.hasMore });
      }, signal);
    } catch (thrown) {
      if (!isSuperseded(signal)) {
        this.#show({ poolsState: afterFailure(this.#snapshot.poolsState, this.#failed('pools', thrown)) });
      }
    }
  }

  async #readPages(
    query: DiscoverQuery,
    requests: readonly PageRequest[],
    options: { readonly signal: AbortSignal; readonly pace: RequestPace },
  ): Promise<PoolsRead> {
    const service = await this.#dependencies.service();
    let read: PoolsRead = { pools: [], oddities: [], hasMore: true, covered: 0 };
    for (const request of requests) {
      if (read.hasMore && !options.signal.aborted) {
        const page = await service.discoverPools({ ...query, ...request }, options);
        read = {
          pools: [...read.pools, ...page.items],
          oddities: [...read.oddities, ...page.oddities],
          hasMore: page.hasNextPage,
          covered: coveredBy(request),
        };
      }
    }
    return read;
  }

  #show(parts: Parameters<typeof withParts>[1]): void {
    const before = this.#snapshot;
    this.#snapshot = withParts(before, parts);
    const change = changeBetween(before, this.#snapshot);
    if (change !== undefined) {
      this.#changes.fire(change);
    }
  }

  #failed(list: ListName, thrown: unknown): Error {
    const error = asError(thrown);
    this.#dependencies.log('warn', `Reading the ${list} failed: ${error.message}`);
    return error;
  }

  /** Keeps what was odd in an answer, and logs it unless the last answer had just the same oddities. */
  #note(list: ListName, oddities: readonly ParseWarning[]): void {
    if (!isSame(oddities, this.#oddities[list])) {
      for (const { path, message } of oddities) {
        this.#dependencies.log('warn', `Odd record among the ${list}: ${path}: ${message}`);
      }
    }
    this.#oddities[list] = oddities;
  }

  #today(): Date {
    return new Date(this.#dependencies.clock.now());
  }
}

/** What some pages of pools gave together. */
interface PoolsRead {
  readonly pools: readonly Pool[];
  readonly oddities: readonly ParseWarning[];
  readonly hasMore: boolean;
  readonly covered: number;
}

/** Whether the owner or the query has changed while a read was under way: its answer is not shown, and its failure is no failure. */
function isSuperseded(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** Whether a refresh for this reason is content with one that is under way. */
function isRoutine(reason: RefreshReason): boolean {
  switch (reason) {
    case 'startup':
    case 'interval':
    case 'visible':
    case 'focus':
      return true;
    case 'manual':
    case 'afterOperation':
    case 'configuration':
    case 'owner':
      return false;
  }
}
