import type { DiscoverQuery, PoolSort } from '../../service/service';
import { Emitter } from '../../base/async/emitter';
import type { Subscription } from '../../base/async/clock';

/** How many pools a page of the list has: about what the view has room for. However many are listed, one request reads them anew. */
const PAGE_SIZE = 10;

/** Which pools are listed, and in which order. The order is a setting; what is searched for is forgotten with the window. */
export class PoolQuery {
  private searched: string | undefined;
  private readonly changes: Emitter<DiscoverQuery>;

  /** @param setting reads and writes the order. */
  constructor(
    private readonly setting: { readonly get: () => PoolSort; readonly set: (sortBy: PoolSort) => Promise<void> },
    onError: (error: unknown) => void,
  ) {
    this.changes = new Emitter(onError);
  }

  /** What the service is asked. */
  get query(): DiscoverQuery {
    return {
      sortBy: this.sortBy,
      sortOrder: 'desc',
      pageSize: PAGE_SIZE,
      ...(this.searched === undefined ? {} : { search: this.searched }),
    };
  }

  get sortBy(): PoolSort {
    return this.setting.get();
  }

  /** What is searched for; `undefined`: all pools are listed. */
  get search(): string | undefined {
    return this.searched;
  }

  /** Calls `listener` with every new query. */
  onDidChange(listener: (query: DiscoverQuery) => void): Subscription {
    return this.changes.on(listener);
  }

  /** Lists only pools that match; `undefined`: all. */
  searchFor(text: string | undefined): void {
    if (text !== this.searched) {
      this.searched = text;
      this.changes.fire(this.query);
    }
  }

  /** Writes the order to the settings, whose change then comes back through {@link settingChanged}. */
  async sort(by: PoolSort): Promise<void> {
    await this.setting.set(by);
  }

  /** Reads the setting again. */
  settingChanged(): void {
    this.changes.fire(this.query);
  }
}
