import type { OwnRange, PoolView } from '../../../src/protocol/pool';
import type { CurrencyView } from '../../../src/protocol/schemas';
import type { Figures } from '../../shared/figures';
import type { DistributionOverlay } from '../plan/types';
import { assignLanes, type LaneRange } from './lanes';
import { extentOf, initialViewport, viewportOf, type Viewport } from './viewport';
import { summaryOf, type BinTextContext } from './messages';
import { binPrices, valueBins, type ValuedBins } from './worth';

/** Input of the distribution. */
export interface DistributionView {
  readonly pool: PoolView;
  readonly own: readonly OwnRange[];
  readonly figures: Pick<Figures, 'text'>;
  readonly currency: CurrencyView;
  readonly solUsd: number | undefined;
  readonly isPriceSwapped: boolean;
  readonly overlay: DistributionOverlay | undefined;
}

/** Everything that panning and zooming do not change: computed once per view. */
export class DistributionModel {
  #shown: DistributionView | undefined;
  #weighed: ValuedBins = { bins: [], unit: 'usd' };
  #own: readonly LaneRange[] = [];
  #first: Viewport = { from: 0, to: 1 };
  #extent: Viewport = { from: 0, to: 1 };
  #language: BinTextContext | undefined;
  #summary: string | undefined;

  /** Takes over new input; recomputes only what changed. */
  show(shown: DistributionView): void {
    const last = this.#shown;
    this.#shown = shown;
    const isOtherPool = shown.pool !== last?.pool;
    const isOtherOwn = shown.own !== last?.own;
    if (isOtherPool) {
      this.#weighed = valueBins(shown.pool);
    }
    if (isOtherOwn) {
      this.#own = assignLanes(shown.own);
    }
    const isOtherPlan =
      shown.overlay?.range.fromBinId !== last?.overlay?.range.fromBinId || shown.overlay?.range.toBinId !== last?.overlay?.range.toBinId;
    const middle = shown.pool.activeBinId ?? this.#weighed.bins[0]?.binId ?? 0;
    const { overlay } = shown;
    if (isOtherPool || isOtherOwn || isOtherPlan) {
      this.#extent = extentOf(this.#weighed.bins, middle, overlay === undefined ? this.#own : [...this.#own, overlay.range]);
    }
    if (isOtherPool || isOtherOwn) {
      this.#first = initialViewport(this.#weighed.bins, middle, this.#own);
    }
    if (
      last === undefined ||
      isOtherPool ||
      shown.figures !== last.figures ||
      shown.currency !== last.currency ||
      shown.solUsd !== last.solUsd ||
      shown.isPriceSwapped !== last.isPriceSwapped
    ) {
      const { pool, figures, currency, solUsd, isPriceSwapped } = shown;
      this.#language = { text: figures.text, pool, unit: this.#weighed.unit, currency, solUsd, isPriceSwapped, priceOf: binPrices(pool) };
      this.#summary = undefined;
    }
  }

  get weighed(): ValuedBins {
    return this.#weighed;
  }

  get own(): readonly LaneRange[] {
    return this.#own;
  }

  /** The viewport until the user moves it. */
  get first(): Viewport {
    return this.#first;
  }

  get extent(): Viewport {
    return this.#extent;
  }

  /** A viewport of all bins with liquidity. */
  get whole(): Viewport {
    const [least, most] = [this.#weighed.bins[0]?.binId, this.#weighed.bins.at(-1)?.binId];
    return least === undefined || most === undefined ? this.#first : viewportOf({ fromBinId: least, toBinId: most }, this.#extent);
  }

  /** Limits of the keyboard cursor: bins with liquidity, the active bin and the drawn ranges. */
  get cursorLimits(): { readonly least: number; readonly most: number } {
    const active = this.#shown?.pool.activeBinId;
    const ranges = [...this.#own, ...(this.#shown?.overlay === undefined ? [] : [this.#shown.overlay.range])];
    const bins = [
      this.#weighed.bins[0]?.binId,
      this.#weighed.bins.at(-1)?.binId,
      active,
      ...ranges.flatMap(({ fromBinId, toBinId }) => [fromBinId, toBinId]),
    ].filter((bin) => bin !== undefined);
    return { least: Math.min(...bins, active ?? 0), most: Math.max(...bins, active ?? 0) };
  }

  /** @throws Error before the first {@link show} */
  get language(): BinTextContext {
    if (this.#language === undefined) {
      throw new Error('Nothing is shown yet.');
    }
    return this.#language;
  }

  get summary(): string {
    this.#summary ??= summaryOf(this.#weighed, this.language);
    return this.#summary;
  }
}

export interface DistributionShown extends DistributionView {
  readonly pool: PoolView;
  readonly own: readonly OwnRange[];
  readonly figures: Figures;
  readonly currency: CurrencyView;
  readonly solUsd: number | undefined;
  readonly isPriceSwapped: boolean;
  readonly overlay: DistributionOverlay | undefined;
}
