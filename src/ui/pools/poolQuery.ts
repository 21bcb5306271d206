import type { DiscoverQuery, PoolSort } from '../../service/service';
import { Emitter } from '../../base/async/emitter';
import type { Subscription } from '../../base/async/clock';

/** Pools per page: about as many as the view has room for. A refresh reads all listed pools with one request. */
const PAGE_SIZE = 10;

/** Search and sort order of the *Pools* view. The sort order is a setting; the search ends with the window. */
export class PoolQuery {
  #search: string | undefined;
  readonly #changes: Emitter<DiscoverQuery>;

  readonly #setting: { readonly get: () => PoolSort; readonly set: (sortBy: PoolSort) => Promise<void> };

  /** @param setting reads and writes the sort order */
  constructor(
    setting: { readonly get: () => PoolSort; readonly set: (sortBy: PoolSort) => Promise<void> },
    onError: (error: unknown) => void,
  ) {
    this.#setting = setting;

    this.#changes = new Emitter(onError);
  }

  get query(): DiscoverQuery {
    return { sortBy: this.sortBy, sortOrder: 'desc', pageSize: PAGE_SIZE, ...(this.#search === undefined ? {} : { search: this.#search }) };
  }

  get sortBy(): PoolSort {
    return this.#setting.get();
  }

  /** The search text; `undefined`: all pools are listed. */
  get search(): string | undefined {
    return this.#search;
  }

  /** Calls `listener` with every new query. */
  onDidChange(listener: (query: DiscoverQuery) => void): Subscription {
    return this.#changes.on(listener);
  }

  /** Lists only pools that match; `undefined`: all. */
  searchFor(text: string | undefined): void {
    if (text !== this.#search) {
      this.#search = text;
      this.#changes.fire(this.query);
    }
  }

  /** Writes the sort order to the settings. The change then arrives through {@link settingChanged}. */
  async sort(by: PoolSort): Promise<void> {
    await this.#setting.set(by);
  }

  /** To be called when the setting changed. */
  settingChanged(): void {
    this.#changes.fire(this.query);
  }
}
