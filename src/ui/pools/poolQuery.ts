import type { Interval } from '../../service/pools';
import type { DiscoverQuery, PoolSort } from '../../service/service';
import { Emitter } from '../../base/async/emitter';
import type { Subscription } from '../../base/async/clock';
import type { Remembered } from '../shell/rememberedChoice';

/** Pools per page: about as many as the view has room for. A refresh reads all listed pools with one request. */
const PAGE_SIZE = 10;
const DEFAULT_INTERVAL: Interval = '24h';

/** The filters of discover. */
export type PoolFilter = Pick<
  DiscoverQuery,
  | 'quoteToken'
  | 'marketCapUsd'
  | 'binStepBps'
  | 'organicScore'
  | 'baseFeePercent'
  | 'ageHours'
  | 'liquidityUsd'
  | 'fees24hUsd'
  | 'volume24hUsd'
  | 'volume1hUsd'
  | 'poolType'
>;

/** The order of the list. */
export interface PoolOrder {
  readonly sortBy: PoolSort;
  /** The interval of fees / TVL. It counts only in that order. */
  readonly interval: Interval;
  /** The smallest or oldest pools come first. */
  readonly isReversed: boolean;
}

/** What the view lists. */
export interface PoolListSearch {
  /** The search text; `undefined`: no search. */
  readonly text: string | undefined;
  readonly filter: PoolFilter;
  /** Names the active filters for the view: "TVL ≥ $10K"; `undefined`: none. */
  readonly filterText: string | undefined;
}

/** The orders of the *Pools* view, the usual one first. */
export const POOL_SORTS = ['vol_24h', 'mcap', 'tvl', 'fee_tvl_ratio', 'volatility', 'created_at'] as const satisfies readonly PoolSort[];

const EVERYTHING: PoolListSearch = { text: undefined, filter: {}, filterText: undefined };

/** Search, filters and order of the *Pools* view. What it is sorted by is remembered; all else ends with the window. */
export class PoolQuery {
  #shown = EVERYTHING;
  #interval = DEFAULT_INTERVAL;
  #isReversed = false;
  readonly #changes: Emitter<DiscoverQuery>;
  readonly #sortBy: Remembered<PoolSort>;

  constructor(sortBy: Remembered<PoolSort>, onError: (error: unknown) => void) {
    this.#sortBy = sortBy;
    this.#changes = new Emitter(onError);
  }

  get query(): DiscoverQuery {
    const { text, filter } = this.#shown;
    const { sortBy, interval, isReversed } = this.order;
    return {
      ...filter,
      sortBy,
      sortOrder: isReversed ? 'asc' : 'desc',
      pageSize: PAGE_SIZE,
      ...(interval === DEFAULT_INTERVAL ? {} : { feeTvlInterval: interval }),
      ...(text === undefined ? {} : { search: text }),
    };
  }

  get order(): PoolOrder {
    const sortBy = this.#sortBy.value;
    return { sortBy, interval: sortBy === 'fee_tvl_ratio' ? this.#interval : DEFAULT_INTERVAL, isReversed: this.#isReversed };
  }

  get shown(): PoolListSearch {
    return this.#shown;
  }

  /** Calls `listener` with every new query. */
  onDidChange(listener: (query: DiscoverQuery) => void): Subscription {
    return this.#changes.on(listener);
  }

  /** Lists only pools that match a text; `undefined`: no search. */
  searchFor(text: string | undefined): void {
    if (text !== this.#shown.text) {
      this.#shown = { ...this.#shown, text };
      this.#changed();
    }
  }

  /** Replaces all filters. @param filterText names them; `undefined`: there are none */
  filterBy(filter: PoolFilter, filterText: string | undefined): void {
    this.#shown = { ...this.#shown, filter, filterText };
    this.#changed();
  }

  /** Replaces search, filters and order at once. */
  async show(shown: PoolListSearch, order: PoolOrder): Promise<void> {
    this.#shown = shown;
    await this.sort(order);
  }

  async sort({ sortBy, interval, isReversed }: PoolOrder): Promise<void> {
    this.#interval = interval;
    this.#isReversed = isReversed;
    const stored = sortBy === this.#sortBy.value ? undefined : this.#sortBy.remember(sortBy);
    this.#changed();
    await stored;
  }

  #changed(): void {
    this.#changes.fire(this.query);
  }
}
