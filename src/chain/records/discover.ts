import { type Address, parseAddress } from '../../base/solana/address';
import { HOUR_MS } from '../../base/time';
import type { DiscoverBound, DiscoverParameters, ProtocolNames } from '../../engine/engine';
import { pageCount } from '../../engine/records/lists';
import { CHAIN_NAME } from '../../engine/records/text';
import type { WireDiscovered } from '../../engine/wire/pools';
import { DataLog } from '../dataApi/dataLog';
import type { DataApi, DataPool, DataPoolsPage } from '../dataApi/types';
import { DataApiError } from '../dataApi/types';
import type { PoolProgram } from '../index/types';
import type { PriceSource } from '../prices/types';
import { type DataQuery, dataQuery } from './dataQuery';
import { PoolFinder, type PoolFinderOptions } from '../pools/findPools';
import { type ListedPool, listedFromChain, listedFromData, type PoolOfTokens } from './listedPool';
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
  readonly #chainLists: SharedAnswers<string, readonly ListedPool[]>;

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
    const { chain, protocol, search } = parameters;
    if (chain.toUpperCase() !== CHAIN_NAME || (protocol !== undefined && protocol !== protocols.bins && protocol !== protocols.product)) {
      return pageOf([], parameters);
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
    return this.#ordered(await this.#fromChain(parameters, address, this.#programOf(protocol)), parameters);
  }

  async #withData(dataApi: DataApi, parameters: DiscoverParameters, address: Address | undefined): Promise<WireDiscovered> {
    const query = dataQuery(parameters, address !== undefined);
    // The API knows only DLMM pools.
    const isAlsoOther = parameters.protocol === undefined && address !== undefined;
    if (query.isExact && !isAlsoOther) {
      const { page, pageSize } = parameters;
      const { pools, total } = await dataApi.pools({ ...query, page, pageSize });
      const records = this.#listed(pools.slice(0, pageSize), parameters).map(({ record }) => record);
      return { data: records, pagination: paginationOf(total, parameters) };
    }
    const [candidates, others] = await Promise.all([
      this.#candidates.of(JSON.stringify(query), () => candidatesOf(dataApi, query)),
      isAlsoOther ? this.#fromChain(parameters, address, 'damm') : [],
    ]);
    return this.#ordered([...this.#listed(candidates, parameters), ...others], parameters);
  }

  #listed(pools: readonly DataPool[], { feeTvlInterval }: DiscoverParameters): readonly ListedPool[] {
    const { protocols, now } = this.#options;
    const context = { protocol: protocols.bins, now: now() };
    return pools.map((pool) => listedFromData(pool, feeTvlInterval, context));
  }

  /** Pools that the index knows and those of an address, filtered by quote token and by a text that is no address. */
  async #fromChain(
    { search, quoteToken }: DiscoverParameters,
    address: Address | undefined,
    program: PoolProgram | undefined,
  ): Promise<readonly ListedPool[]> {
    const known = this.#finder.known(program, MOST_KNOWN);
    // A list is not good any more once another pool is known: right after the start none is.
    const listed = await this.#chainLists.of([program, address, ...known].join(' '), () => this.#chainList(address, program, known));
    const text = address === undefined ? (search ?? '').trim().toLowerCase() : '';
    return listed.filter(({ record }) => (quoteToken === undefined || record.token1 === quoteToken) && searchText(record).includes(text));
  }

  async #chainList(
    address: Address | undefined,
    program: PoolProgram | undefined,
    known: readonly Address[],
  ): Promise<readonly ListedPool[]> {
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
    return details.map((pool) =>
      listedFromChain(pool, usd, { protocol: pool.state.program === 'dlmm' ? protocols.bins : protocols.product, now: now() }),
    );
  }

  #ordered(listed: readonly ListedPool[], parameters: DiscoverParameters): WireDiscovered {
    const now = this.#options.now();
    const { bounds, sortOrder } = parameters;
    const fitting = listed.filter((pool) => bounds.every(({ of, min, max }) => isWithin(figureOf(pool, of, now), min, max)));
    const direction = sortOrder === 'asc' ? 1 : -1;
    const sorted = fitting
      .map(({ record, ...pool }) => ({ record, key: sortKey({ record, ...pool }, parameters) }))
      .sort((a, b) => compared(a, b, direction));
    return pageOf(
      sorted.map(({ record }) => record),
      parameters,
    );
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

function figureOf({ record, fees24hUsd }: ListedPool, of: DiscoverBound, now: number): number | null {
  switch (of) {
    case 'market_cap':
      return record.mcap;
    case 'bin_step':
      return record.bin_step;
    case 'organic_score':
      return record.organic_score;
    case 'base_fee':
      return record.fee;
    case 'age_hr':
      return record.created_at === null ? null : (now - Date.parse(record.created_at)) / HOUR_MS;
    case 'liquidity':
      return record.tvl;
    case '24h_fees':
      return fees24hUsd;
    case '24h_vol':
      return record.vol_24h;
    case '1h_vol':
      return record.vol_1h;
  }
}

function isWithin(figure: number | null, min: number | undefined, max: number | undefined): boolean {
  return (min === undefined && max === undefined) || (figure !== null && figure >= (min ?? -Infinity) && figure <= (max ?? Infinity));
}

function sortKey({ record, variableFeePercent }: ListedPool, { sortBy }: DiscoverParameters): number | null {
  switch (sortBy) {
    case 'mcap':
      return record.mcap;
    case 'created_at':
      return record.created_at === null ? null : Date.parse(record.created_at);
    case 'vol_24h':
      return record.vol_24h;
    case 'tvl':
      return record.tvl;
    case 'fee_tvl_ratio':
      return record.fee_tvl_ratio;
    case 'volatility':
      return variableFeePercent;
  }
}

interface Sortable {
  readonly key: number | null;
  readonly record: ListedPool['record'];
}

/** Unknown figures come last, whatever the direction, in the order in which they were listed. */
function compared(a: Sortable, b: Sortable, direction: 1 | -1): number {
  if (a.key === null || b.key === null) {
    return Number(a.key === null) - Number(b.key === null);
  }
  return direction * (a.key - b.key || (a.record.pool < b.record.pool ? -1 : 1));
}

/** Names in lower case, and the usual notations of the pair. */
function searchText(record: ListedPool['record']): string {
  const { pairName, token0_symbol, token0_name, token1_symbol, token1_name } = record;
  const pairs = [pairName, pairName.replace('/', '-'), pairName.replace('/', ' ')];
  return [...pairs, token0_symbol, token0_name, token1_symbol, token1_name].join('\n').toLowerCase();
}

function pageOf(records: WireDiscovered['data'], parameters: DiscoverParameters): WireDiscovered {
  const { page, pageSize } = parameters;
  return { data: records.slice((page - 1) * pageSize, page * pageSize), pagination: paginationOf(records.length, parameters) };
}

function paginationOf(totalCount: number, { page, pageSize }: DiscoverParameters): WireDiscovered['pagination'] {
  const totalPages = pageCount(totalCount, pageSize);
  return { currentPage: page, pageSize, totalCount, totalPages, hasNextPage: page < totalPages, hasPreviousPage: page > 1 };
}
