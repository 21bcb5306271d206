import { type Address, parseAddress } from '../../base/solana/address';
import type { DiscoverParameters, ProtocolNames } from '../../engine/engine';
import { discoveredPage, discoveredRecord, hasPools, matchingPools } from '../../engine/records/discover';
import type { PoolState } from '../../engine/state/poolState';
import type { WireDiscovered } from '../../engine/wire/pools';
import { DataLog } from '../dataApi/dataLog';
import type { DataApi, DataPool, DataPoolsPage } from '../dataApi/types';
import { DataApiError } from '../dataApi/types';
import type { PoolProgram } from '../index/types';
import type { PriceSource } from '../prices/types';
import { type DataQuery, dataQuery } from './dataQuery';
import { PoolFinder, type PoolFinderOptions } from '../pools/findPools';
import { type PoolOfTokens, stateFromChain, stateFromData } from './poolStates';
import { SharedAnswers } from '../pools/sharedAnswers';

/** What listing pools needs. */
export interface DiscoveryOptions extends PoolFinderOptions {
  readonly pools: { detailsOf(addresses: readonly Address[]): Promise<ReadonlyMap<Address, PoolOfTokens>> };
  readonly prices: PriceSource;
  /** `undefined`: without the data API. */
  readonly dataApi: DataApi | undefined;
  readonly protocols: ProtocolNames;
}

/** Which pools are listed without the data API, for the log. */
export const LISTED_WITHOUT_DATA =
  'pools are listed from the chain alone: those of known positions, and those found by the address of a token';

/** The largest page of the data API, and how many of them are read if it does not have the requested order or filters. */
const DATA_PAGE = 1_000;
const DATA_PAGES = 2;
const CANDIDATES_GOOD_FOR_MS = 30_000;
/** Two thousand pools are about three megabytes. */
const MOST_CANDIDATE_LISTS = 4;
/** Most pools that are read from their accounts for one list: those of known positions, and those found by a token. Three accounts each. */
const MOST_KNOWN = 300;
const MOST_FOUND = 100;
const CHAIN_LIST_GOOD_FOR_MS = 10_000;
/** Four hundred pools are about half a megabyte. */
const MOST_CHAIN_LISTS = 20;

/**
 * Lists pools. DLMM pools come from the data API, which knows all of them. Without its answer, and for DAMM v2 pools, the list comes from the chain:
 * pools of known positions, and those found by an address.
 */
export class PoolDiscovery {
  readonly #options: DiscoveryOptions;
  readonly #finder: PoolFinder;
  readonly #failures: DataLog;
  readonly #candidates: SharedAnswers<string, readonly DataPool[]>;
  readonly #chainLists: SharedAnswers<string, readonly PoolState[]>;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    this.#finder = new PoolFinder(options);
    this.#failures = new DataLog(options.log);
    this.#candidates = new SharedAnswers({ most: MOST_CANDIDATE_LISTS, goodForMs: CANDIDATES_GOOD_FOR_MS, now: options.now });
    this.#chainLists = new SharedAnswers({ most: MOST_CHAIN_LISTS, goodForMs: CHAIN_LIST_GOOD_FOR_MS, now: options.now });
  }

  /** One page. Pools whose figure is unknown come last in its order and match no bound of it. Ties are ordered by address. */
  async discover(parameters: DiscoverParameters): Promise<WireDiscovered> {
    const { protocols, dataApi } = this.#options;
    const { protocol, search } = parameters;
    if (!hasPools(parameters, protocols)) {
      return discoveredPage([], 0, parameters);
    }
    const address = search === undefined ? undefined : parseAddress(search.trim());
    if (dataApi !== undefined && protocol !== protocols.product) {
      try {
        const page = await this.#withData(dataApi, parameters, address);
        this.#failures.succeeded();
        return page;
      } catch (error) {
        if (!(error instanceof DataApiError)) {
          throw error;
        }
        this.#failures.failed(error, LISTED_WITHOUT_DATA);
      }
    }
    return discoveredRecord(await this.#fromChain(parameters, address, this.#programOf(protocol)), parameters, this.#options.now());
  }

  async #withData(dataApi: DataApi, parameters: DiscoverParameters, address: Address | undefined): Promise<WireDiscovered> {
    const query = dataQuery(parameters, address !== undefined);
    // The API knows only DLMM pools.
    const isAlsoOther = parameters.protocol === undefined && address !== undefined;
    if (query.isExact && !isAlsoOther) {
      const { page, pageSize } = parameters;
      const { pools, total } = await dataApi.pools({ ...query, page, pageSize });
      return discoveredPage(this.#listed(pools.slice(0, pageSize)), total, parameters);
    }
    const [candidates, others] = await Promise.all([
      this.#candidates.of(JSON.stringify(query), () => candidatesOf(dataApi, query)),
      isAlsoOther ? this.#fromChain(parameters, address, 'damm') : [],
    ]);
    return discoveredRecord([...this.#listed(candidates), ...others], parameters, this.#options.now());
  }

  #listed(pools: readonly DataPool[]): readonly PoolState[] {
    const { protocols, now } = this.#options;
    return pools.map((pool) => stateFromData(pool, protocols.bins, now()));
  }

  /** Pools that the index knows and those of an address, as far as they match. */
  async #fromChain(
    parameters: DiscoverParameters,
    address: Address | undefined,
    program: PoolProgram | undefined,
  ): Promise<readonly PoolState[]> {
    const known = this.#finder.known(program, MOST_KNOWN);
    // A list is not good any more once another pool is known: right after the start none is.
    const listed = await this.#chainLists.of([program, address, ...known].join(' '), () => this.#chainList(address, program, known));
    return matchingPools(listed, parameters);
  }

  async #chainList(
    address: Address | undefined,
    program: PoolProgram | undefined,
    known: readonly Address[],
  ): Promise<readonly PoolState[]> {
    const { pools, prices, protocols, now } = this.#options;
    const programs: readonly PoolProgram[] = program === undefined ? ['dlmm', 'damm'] : [program];
    const searches = address === undefined ? [] : programs.map((of) => this.#finder.trading(address, of));
    const found = (await Promise.all(searches)).flatMap((list) => list.slice(0, MOST_FOUND / programs.length));
    const ofAddress = address === undefined ? [] : [address, ...found].slice(0, MOST_FOUND);
    const details = [...(await pools.detailsOf([...new Set([...ofAddress, ...known])])).values()].filter(
      ({ state, x, y }) =>
        (program === undefined || state.program === program) &&
        (address === undefined || [state.address, x.mint, y.mint].includes(address)),
    );
    const usd = await prices.now([...new Set(details.flatMap(({ x, y }) => [x.mint, y.mint]))]);
    return details.map((pool) => stateFromChain(pool, usd, protocols, now()));
  }

  #programOf(protocol: string | undefined): PoolProgram | undefined {
    return protocol === undefined ? undefined : protocol === this.#options.protocols.bins ? 'dlmm' : 'damm';
  }
}

async function candidatesOf(dataApi: DataApi, { search, sortBy, filters }: DataQuery): Promise<readonly DataPool[]> {
  const first = await dataApi.pools({ search, sortBy, filters, page: 1, pageSize: DATA_PAGE });
  const more: DataPoolsPage[] = [];
  for (let page = 2; page <= Math.min(first.pages, DATA_PAGES); page += 1) {
    more.push(await dataApi.pools({ search, sortBy, filters, page, pageSize: DATA_PAGE }));
  }
  // A pool may move to the next page while they are read.
  return [...new Map([first, ...more].flatMap(({ pools }) => pools).map((pool) => [pool.address, pool])).values()];
}
