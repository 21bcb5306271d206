import type { Subscription } from '../base/async/clock';
import { Mutex, SingleFlight } from '../base/async/concurrency';
import { Emitter } from '../base/async/emitter';
import type { Address } from '../base/solana/address';
import { asError } from '../base/thrown';
import type { ParseWarning } from '../service/common';
import type { Pool } from '../service/pools';
import type { RequestPace } from '../service/budget/operationRequests';
import type { DiscoverQuery } from '../service/service';
import { afterFailure } from './failure';
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

/** The service's default page size. */
const DEFAULT_POOL_PAGE_SIZE = 20;

/** The service's maximum page size. */
const MAX_PAGE_SIZE = 100;

/** The reads of one owner's positions. Replaced as a whole when the owner changes, so late answers are dropped. */
interface PositionsReads {
  readonly abort: AbortController;
  readonly refresh: SingleFlight;
  /** Pace of the next read: the most urgent one of its callers. */
  pace: RequestPace | undefined;
}

/** The reads of one pool query. Replaced as a whole when the query changes. */
interface PoolsReads {
  readonly query: DiscoverQuery;
  readonly abort: AbortController;
  readonly refresh: SingleFlight;
  readonly loadMore: SingleFlight;
  /** Pace of the next refresh. */
  pace: RequestPace | undefined;
  /** Pace of the next further page. */
  morePace: RequestPace | undefined;
  /** Number of ranks that have been read. */
  covered: number;
}

/** Implements `PortfolioControl`: the live state of one owner's positions and of the listed pools. Sends one request at a time. */
export class Portfolio implements PortfolioControl {
  readonly #dependencies: PortfolioDependencies;
  readonly #changes: Emitter<PortfolioChange>;
  readonly #turns = new Mutex();
  readonly #warnings: Record<ListName, readonly ParseWarning[]> = { positions: [], pools: [] };
  #snapshot = emptySnapshot(undefined);
  #operatedAtMs = 0;
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

  get operatedAtMs(): number {
    return this.#operatedAtMs;
  }

  get warnings(): readonly ParseWarning[] {
    return [...this.#warnings.positions, ...this.#warnings.pools];
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
    this.#warnings.positions = [];
    this.#show({ owner, positions: [], positionsState: { kind: 'idle' } });
  }

  setPoolQuery(query: DiscoverQuery): void {
    if (isSame(query, this.#pools.query)) {
      return;
    }
    this.#pools.abort.abort();
    this.#pools = this.#poolsReads(query);
    this.#warnings.pools = [];
    this.#show({ pools: [], poolsState: { kind: 'idle' }, poolsHaveMore: false });
  }

  /** Drops all data and cancels the reads in progress, because the service changed. Reads nothing. */
  reset(): void {
    this.#positions.abort.abort();
    this.#pools.abort.abort();
    this.#positions = this.#positionsReads();
    this.#pools = this.#poolsReads(this.#pools.query);
    this.#warnings.positions = [];
    this.#warnings.pools = [];
    this.#show({ positions: [], positionsState: { kind: 'idle' }, pools: [], poolsState: { kind: 'idle' }, poolsHaveMore: false });
  }

  async refresh(
    reason: RefreshReason,
    lists: readonly ListName[] = ['positions', 'pools'],
    pace: RequestPace = paceOf(reason),
  ): Promise<void> {
    const reads = { positions: this.#positions, pools: this.#pools };
    if (reason === 'afterOperation') {
      this.#operatedAtMs = this.#dependencies.clock.now();
    }
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

  /** Cancels the reads in progress and ends all subscriptions. */
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
      refresh: new SingleFlight(() => this.#readPools(reads, 'refresh')),
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
      this.#note('positions', listing.warnings);
      const positions = inAttentionOrder(uniqueBy(listing.items, (position) => position.key));
      const { incomplete } = listing;
      this.#show({
        positions,
        positionsState: { kind: 'ready', asOf: this.#today(), ...(incomplete === undefined ? {} : { incomplete }) },
      });
    } catch (thrown) {
      if (!isSuperseded(signal)) {
        this.#show({ positionsState: afterFailure(this.#snapshot.positionsState, this.#failed('positions', thrown)) });
      }
    }
  }

  async #readPools(reads: PoolsReads, how: 'refresh' | 'more'): Promise<void> {
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
      // All pages within one turn: a refresh and a further page must not interleave.
      await this.#turns.take(async () => {
        const requests = how === 'refresh' ? pagesToRefresh(reads.query, reads.covered) : [nextPage(reads.query, reads.covered)];
        const before = how === 'refresh' ? [] : this.#snapshot.pools;
        const read = await this.#readPages(reads.query, requests, { signal, pace });
        if (isSuperseded(signal)) {
          return;
        }
        reads.covered = read.covered;
        this.#note('pools', read.warnings);
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
    let read: PoolsRead = { pools: [], warnings: [], hasMore: true, covered: 0 };
    for (const request of requests) {
      if (read.hasMore && !options.signal.aborted) {
        const page = await service.discoverPools({ ...query, ...request }, options);
        read = {
          pools: [...read.pools, ...page.items],
          warnings: [...read.warnings, ...page.warnings],
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

  /** Keeps the warnings about an answer, and logs them unless the previous answer had the same ones. */
  #note(list: ListName, warnings: readonly ParseWarning[]): void {
    if (!isSame(warnings, this.#warnings[list])) {
      for (const { path, message } of warnings) {
        this.#dependencies.log('warn', `Odd record among the ${list}: ${path}: ${message}`);
      }
    }
    this.#warnings[list] = warnings;
  }

  #today(): Date {
    return new Date(this.#dependencies.clock.now());
  }
}

/** The result of reading several pages of pools. */
interface PoolsRead {
  readonly pools: readonly Pool[];
  readonly warnings: readonly ParseWarning[];
  readonly hasMore: boolean;
  readonly covered: number;
}

/** True if the owner or query changed during a read. Its answer or failure is ignored then. */
function isSuperseded(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** True if a refresh for this reason may join one in progress. */
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

interface PageRequest {
  /** Counted from 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** The page after the first `covered` ranks. It overlaps them if they end within a page. */
function nextPage(query: DiscoverQuery, covered: number): PageRequest {
  const pageSize = query.pageSize ?? DEFAULT_POOL_PAGE_SIZE;
  return { page: Math.floor(covered / pageSize) + 1, pageSize };
}

/** The pages that cover the first `covered` ranks with the fewest requests; at least the first page. */
function pagesToRefresh(query: DiscoverQuery, covered: number): PageRequest[] {
  const pageSize = query.pageSize ?? DEFAULT_POOL_PAGE_SIZE;
  const size = Math.min(Math.max(covered, pageSize), MAX_PAGE_SIZE);
  const count = Math.max(Math.ceil(covered / size), 1);
  return Array.from({ length: count }, (_, index) => ({ page: index + 1, pageSize: size }));
}

/** Number of ranks that are covered after reading this page. */
function coveredBy(request: PageRequest): number {
  return request.page * request.pageSize;
}

/** Drops repeated pools: if the ranking changes between two pages, a pool can be on both. */
function uniquePools(pools: readonly Pool[]): Pool[] {
  return uniqueBy(pools, (pool) => pool.address);
}

/** The first item of each key, in order. */
function uniqueBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}
