import type { Subscription } from '../../base/async/clock';
import { Emitter } from '../../base/async/emitter';
import type { PositionGrouping, PositionSort } from '../shell/settings/values';
import type { PositionListFilter, PositionListOptions } from './positionList';

/** Reads and writes the settings of the list. */
export interface PositionListSettings {
  readonly sortBy: () => PositionSort;
  readonly groupBy: () => PositionGrouping;
  readonly setSortBy: (value: PositionSort) => Promise<void>;
  readonly setGroupBy: (value: PositionGrouping) => Promise<void>;
}

/** Order, grouping and filter of the *Positions* view. Order and grouping are settings; the filter ends with the window. */
export class PositionListControl {
  readonly #settings: PositionListSettings;
  readonly #changes: Emitter<PositionListOptions>;
  #filter: PositionListFilter = 'all';

  constructor(settings: PositionListSettings, onError: (error: unknown) => void) {
    this.#settings = settings;
    this.#changes = new Emitter(onError);
  }

  get options(): PositionListOptions {
    return { sortBy: this.#settings.sortBy(), groupBy: this.#settings.groupBy(), filter: this.#filter };
  }

  /** Calls `listener` with the options after every change. */
  onDidChange(listener: (options: PositionListOptions) => void): Subscription {
    return this.#changes.on(listener);
  }

  filter(by: PositionListFilter): void {
    if (by !== this.#filter) {
      this.#filter = by;
      this.#changes.fire(this.options);
    }
  }

  /** Writes the order to the settings. The change then arrives through {@link settingChanged}. */
  async sort(by: PositionSort): Promise<void> {
    await this.#settings.setSortBy(by);
  }

  /** Writes the grouping to the settings. The change then arrives through {@link settingChanged}. */
  async group(by: PositionGrouping): Promise<void> {
    await this.#settings.setGroupBy(by);
  }

  /** To be called when one of the settings changed. */
  settingChanged(): void {
    this.#changes.fire(this.options);
  }
}
