import type { Subscription } from '../../base/async/clock';
import { Emitter } from '../../base/async/emitter';
import type { Remembered } from '../shell/rememberedChoice';
import type { PositionGrouping, PositionListFilter, PositionListOptions, PositionSort } from './positionList';

export interface RememberedList {
  readonly sortBy: Remembered<PositionSort>;
  readonly groupBy: Remembered<PositionGrouping>;
}

/** Order, grouping and filter of the *Positions* view. Order and grouping are remembered; the filter ends with the window. */
export class PositionListControl {
  readonly #remembered: RememberedList;
  readonly #changes: Emitter<PositionListOptions>;
  #filter: PositionListFilter = 'all';

  constructor(remembered: RememberedList, onError: (error: unknown) => void) {
    this.#remembered = remembered;
    this.#changes = new Emitter(onError);
  }

  get options(): PositionListOptions {
    const { sortBy, groupBy } = this.#remembered;
    return { sortBy: sortBy.value, groupBy: groupBy.value, filter: this.#filter };
  }

  /** Calls `listener` with the options after every change. */
  onDidChange(listener: (options: PositionListOptions) => void): Subscription {
    return this.#changes.on(listener);
  }

  filter(by: PositionListFilter): void {
    this.#filter = by;
    this.#changes.fire(this.options);
  }

  async sort(by: PositionSort): Promise<void> {
    const stored = this.#remembered.sortBy.remember(by);
    this.#changes.fire(this.options);
    await stored;
  }

  async group(by: PositionGrouping): Promise<void> {
    const stored = this.#remembered.groupBy.remember(by);
    this.#changes.fire(this.options);
    await stored;
  }
}
