import type { Interval } from '../../service/pools';
import type { DiscoverQuery, PoolSort } from '../../service/service';
import { Emitter } from '../../base/async/emitter';
import type { Subscription } from '../../base/async/clock';

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

/** Reads and writes the setting of the order. */
interface SortSetting {
  readonly get: () => PoolSort;
  readonly set: (sortBy: PoolSort) => Promise<void>;
}

const EVERYTHING: PoolListSearch = { text: undefined, filter: {}, filterText: undefined };

/** Search, filters and order of the *Pools* view. What it is sorted by is a setting; all else ends with the window. */
export class PoolQuery {
  #shown = EVERYTHING;
  #interval = DEFAULT_INTERVAL;
  #isReversed = false;
  readonly #changes: Emitter<DiscoverQuery>;
  readonly #setting: SortSetting;

  constructor(setting: SortSetting, onError: (error: unknown) => void) {
    this.#setting = setting;
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
    const sortBy = this.#setting.get();
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
      this.settingChanged();
    }
  }

  /** Replaces all filters. @param filterText names them; `undefined`: there are none */
  filterBy(filter: PoolFilter, filterText: string | undefined): void {
    this.#shown = { ...this.#shown, filter, filterText };
    this.settingChanged();
  }

  /** Replaces search, filters and order at once. */
  async show(shown: PoolListSearch, order: PoolOrder): Promise<void> {
    this.#shown = shown;
    await this.sort(order);
  }

  /** Changes the order. What it sorts by is written to the settings; that change then arrives through {@link settingChanged}. */
  async sort({ sortBy, interval, isReversed }: PoolOrder): Promise<void> {
    this.#interval = interval;
    this.#isReversed = isReversed;
    if (sortBy !== this.#setting.get()) {
      try {
        await this.#setting.set(sortBy);
        return;
      } catch (error) {
        this.settingChanged();
        throw error;
      }
    }
    this.settingChanged();
  }

  /** To be called when the setting changed. */
  settingChanged(): void {
    this.#changes.fire(this.query);
  }
}
