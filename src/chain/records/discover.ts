import { type Address, parseAddress } from '../../base/solana/address';
import type { DiscoverParameters, ProtocolNames } from '../../engine/engine';
import { discoveredPage, hasPools, matchingPools, orderedPools } from '../../engine/records/discover';
import { merge, onPage, type PageOf } from '../../engine/records/lists';
import type { ListedPoolState } from '../../engine/state/poolState';
import type { WireDiscovered } from '../../engine/wire/pools';
import { DataLog, PROGRAM_NAMES } from '../dataApi/dataLog';
import type { DataApis, DataPool, DataPoolsPage, PoolDataApi } from '../dataApi/types';
import { DataApiError } from '../dataApi/types';
import type { PoolProgram } from '../index/types';
import type { PriceSource } from '../prices/types';
import type { DiscoveredMarkets } from './discoveredMarkets';
import { type DataQuery, dataQuery, figureOf } from './dataQuery';
import { protocolOf } from './recordPool';
import { PoolFinder, type PoolFinderOptions } from '../pools/findPools';
import { type PoolOfTokens, stateFromChain, stateFromData } from './poolStates';
import { SharedAnswers } from '../positions/sharedAnswers';

/** What listing pools needs. */
export interface DiscoveryOptions extends PoolFinderOptions {
  readonly pools: { detailsOf(addresses: readonly Address[]): Promise<ReadonlyMap<Address, PoolOfTokens>> };
  readonly prices: PriceSource;
  readonly dataApis: DataApis;
  /** `undefined`: pool discovery is not to be asked. */
  readonly markets?: DiscoveredMarkets | undefined;
  readonly protocols: ProtocolNames;
}

/** Which pools of a program are listed without its data API, for the log. */
export function listedWithoutData(program: PoolProgram): string {
  return `${PROGRAM_NAMES[program]} pools are listed from the chain alone: those of known positions, and those found by the address of a token`;
}

const PROGRAMS: readonly PoolProgram[] = ['dlmm', 'damm'];
/** The largest page of a data API, and how many of them are read for a list that it cannot make alone. */
const DATA_PAGE = 1_000;
const DATA_PAGES = 2;
const DATA_LIST_GOOD_FOR_MS = 30_000;
/** Two thousand pools are about three megabytes. */
const MOST_DATA_LISTS = 4;
/** Most pools that are read from their accounts for one list: those of known positions, and those found by a token. Three accounts each. */
const MOST_KNOWN = 300;
const MOST_FOUND = 100;
const CHAIN_LIST_GOOD_FOR_MS = 10_000;
/** Four hundred pools are about half a megabyte. */
const MOST_CHAIN_LISTS = 20;

/** Pools of one program in the requested order, as far as they were read. */
interface DataList {
  readonly pools: readonly DataPool[];
  /** Also of those that were not read. */
  readonly total: number;
}

/**
 * Lists pools of both programs. They come from the data APIs, which know all of them. Those of a program without an answer come from the chain:
 * pools of known positions, and those found by an address.
 */
export class PoolDiscovery {
  readonly #options: DiscoveryOptions;
  readonly #finder: PoolFinder;
  readonly #failures: Readonly<Record<PoolProgram, DataLog>>;
  readonly #lists: SharedAnswers<string, DataList>;
  readonly #chainLists: SharedAnswers<string, readonly ListedPoolState[]>;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    this.#finder = new PoolFinder(options);
    this.#failures = { dlmm: new DataLog(options.log), damm: new DataLog(options.log) };
    this.#lists = new SharedAnswers({ most: MOST_DATA_LISTS, goodForMs: DATA_LIST_GOOD_FOR_MS, now: options.now });
    this.#chainLists = new SharedAnswers({ most: MOST_CHAIN_LISTS, goodForMs: CHAIN_LIST_GOOD_FOR_MS, now: options.now });
  }

  /** One page. Pools whose figure is unknown come last in its order and match no bound of it. Ties are ordered by address. */
  async discover(parameters: DiscoverParameters): Promise<WireDiscovered> {
    const { protocols, dataApis, markets, now } = this.#options;
    const { protocol, search } = parameters;
    const shownPage = async (shown: readonly ListedPoolState[], total: number): Promise<WireDiscovered> =>
      discoveredPage((await markets?.withFigures(shown)) ?? shown, total, parameters);
    if (!hasPools(parameters, protocols)) {
      return discoveredPage([], 0, parameters);
    }
    const address = search === undefined ? undefined : parseAddress(search.trim());
    const programs = PROGRAMS.filter((program) => protocol === undefined || protocol === protocolOf(program, protocols));
    const query = dataQuery(parameters, address !== undefined);
    // Before bounds apply to figures that only pool discovery has.
    const candidates = async (pools: readonly ListedPoolState[]): Promise<readonly ListedPoolState[]> =>
      parameters.bounds.some(({ of }) => of === 'organic_score') ? ((await markets?.withListed(pools, parameters)) ?? pools) : pools;
    const fromChain = async (of: readonly PoolProgram[]): Promise<readonly ListedPoolState[]> =>
      orderedPools(await candidates(await this.#fromChain(parameters, address, of)), parameters, now());

    const asked = programs.filter((program) => dataApis[program] !== undefined);
    // Beside pools with all figures, those without are listed only where they are searched for: by their type, or by an address.
    let own = asked.length > 0 && address === undefined ? [] : await fromChain(programs.filter((program) => !asked.includes(program)));
    const isAlone = asked.length === 1 && own.length === 0;
    const answers = await Promise.all(asked.map((program) => this.#fromData(program, query, parameters, isAlone)));
    const lists = answers.filter((answer) => answer !== undefined);
    if (lists.length < asked.length) {
      own = await fromChain(programs.filter((program) => answers[asked.indexOf(program)] === undefined));
    }
    if (!query.isExact) {
      const listed = await candidates(this.#listed(lists.flatMap(({ pools }) => pools)));
      const sorted = orderedPools([...listed, ...own], parameters, now());
      return await shownPage(onPage(sorted, parameters), sorted.length);
    }
    const [only] = lists;
    if (isAlone && only !== undefined) {
      return await shownPage(this.#listed(only.pools), only.total);
    }
    const total = lists.reduce((sum, list) => sum + Math.min(list.total, DATA_PAGE * DATA_PAGES), own.length);
    return await shownPage(onPage(this.#merged(lists, own, parameters), parameters), total);
  }

  /**
   * Pools of a program from its data API: where it can make the list, the requested page if it is the only list, else the first pools as far as
   * that page may reach into them. `undefined`: it does not answer.
   */
  async #fromData(program: PoolProgram, query: DataQuery, parameters: DiscoverParameters, isAlone: boolean): Promise<DataList | undefined> {
    const dataApi = this.#options.dataApis[program];
    const { page, pageSize } = parameters;
    if (dataApi === undefined) {
      return undefined;
    }
    try {
      const list =
        query.isExact && (isAlone || page * pageSize <= DATA_PAGE)
          ? await pageOf(dataApi, query, isAlone ? { page, pageSize } : { page: 1, pageSize: page * pageSize })
          : await this.#lists.of(`${program} ${JSON.stringify(query)}`, () => firstPages(dataApi, query));
      this.#failures[program].succeeded();
      return list;
    } catch (error) {
      if (!(error instanceof DataApiError)) {
        throw error;
      }
      this.#failures[program].failed(error, listedWithoutData(program));
      return undefined;
    }
  }

  /** Puts lists together that are in the requested order each. */
  #merged(lists: readonly DataList[], own: readonly ListedPoolState[], parameters: DiscoverParameters): readonly ListedPoolState[] {
    const { protocols, now } = this.#options;
    const ranked = lists.map(({ pools }) =>
      pools.map((pool) => ({ item: stateFromData(pool, protocols, now()), figure: figureOf(pool, parameters) ?? null })),
    );
    // Accounts do not contain the figures of the other orders that the APIs have.
    const ownRanked = own.map((item) => ({ item, figure: parameters.sortBy === 'tvl' ? item.tvlUsd : null }));
    return merge([...ranked, ownRanked], parameters.sortOrder);
  }

  #listed(pools: readonly DataPool[]): readonly ListedPoolState[] {
    const { protocols, now } = this.#options;
    return pools.map((pool) => stateFromData(pool, protocols, now()));
  }

  /** Pools that the index knows and those of an address, as far as they match. */
  async #fromChain(
    parameters: DiscoverParameters,
    address: Address | undefined,
    programs: readonly PoolProgram[],
  ): Promise<readonly ListedPoolState[]> {
    if (programs.length === 0) {
      return [];
    }
    const program = programs.length === 1 ? programs[0] : undefined;
    const known = this.#finder.known(program, MOST_KNOWN);
    // A list is not good any more once another pool is known: right after the start none is.
    const listed = await this.#chainLists.of([program, address, ...known].join(' '), () => this.#chainList(address, program, known));
    return matchingPools(listed, parameters);
  }

  async #chainList(
    address: Address | undefined,
    program: PoolProgram | undefined,
    known: readonly Address[],
  ): Promise<readonly ListedPoolState[]> {
    const { pools, prices, protocols, now } = this.#options;
    const programs = program === undefined ? PROGRAMS : [program];
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
}

/** A page of a list that the API makes. */
async function pageOf(dataApi: PoolDataApi, { search, sortBy, filters }: DataQuery, page: PageOf): Promise<DataList> {
  const { pools, total } = await dataApi.pools({ search, sortBy, filters, ...page });
  return { pools: pools.slice(0, page.pageSize), total };
}

/** The first pages of a list. */
async function firstPages(dataApi: PoolDataApi, { search, sortBy, filters }: DataQuery): Promise<DataList> {
  const first = await dataApi.pools({ search, sortBy, filters, page: 1, pageSize: DATA_PAGE });
  const more: DataPoolsPage[] = [];
  for (let page = 2; page <= Math.min(first.pages, DATA_PAGES); page += 1) {
    more.push(await dataApi.pools({ search, sortBy, filters, page, pageSize: DATA_PAGE }));
  }
  // A pool may move to the next page while they are read.
  const pools = new Map([first, ...more].flatMap((page) => page.pools).map((pool) => [pool.address, pool]));
  return { pools: [...pools.values()], total: first.total };
}
