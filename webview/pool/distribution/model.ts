import type { OwnRange, PoolView } from '../../../src/protocol/pool';
import type { CurrencyView } from '../../../src/protocol/schemas';
import type { Figures } from '../../shared/figures';
import type { DistributionOverlay } from '../plan/types';
import { type BinTextContext, summaryOf } from './messages';
import { extentOf, initialViewport, type Viewport, viewportOf } from './viewport';
import { binPrices, valueBins, type ValuedBins } from './worth';

/** One of the wallet's ranges with the lane that keeps it from covering another. */
export interface LaneRange {
  readonly own: OwnRange;
  readonly fromBinId: number;
  readonly toBinId: number;
  /** 0 is the uppermost. */
  readonly lane: number;
}

/** More lanes than this leave too little height for the bars. */
export const MOST_LANES = 3;

/** The wallet's ranges whose bounds are known. */
export function drawable(
  own: readonly OwnRange[],
): readonly { readonly own: OwnRange; readonly fromBinId: number; readonly toBinId: number }[] {
  return own.flatMap((range) =>
    range.lowerBinId === undefined || range.upperBinId === undefined || range.lowerBinId > range.upperBinId
      ? []
      : [{ own: range, fromBinId: range.lowerBinId, toBinId: range.upperBinId }],
  );
}

/** Assigns each range, from the left, to the first lane with room. Ranges for which no lane has room overlap in the last lane. */
export function assignLanes(own: readonly OwnRange[]): readonly LaneRange[] {
  const ends: number[] = [];
  return [...drawable(own)]
    .sort((one, other) => one.fromBinId - other.fromBinId || other.toBinId - one.toBinId)
    .map((range) => {
      const free = ends.findIndex((end) => end < range.fromBinId);
      const lane = free >= 0 ? free : Math.min(ends.length, MOST_LANES - 1);
      ends[lane] = Math.max(ends[lane] ?? -Infinity, range.toBinId);
      return { ...range, lane };
    });
}

/** The visible part of a range, as edges in bins; `undefined`: none of it. */
export function visiblePart({ fromBinId, toBinId }: Pick<LaneRange, 'fromBinId' | 'toBinId'>, viewport: Viewport): Viewport | undefined {
  const part = { from: Math.max(fromBinId, viewport.from), to: Math.min(toBinId + 1, viewport.to) };
  return part.from < part.to ? part : undefined;
}

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

/** The values that panning and zooming do not change, computed once per view. */
export class DistributionModel {
  #shown: DistributionView | undefined;
  #weighed: ValuedBins = { bins: [], unit: 'usd' };
  #own: readonly LaneRange[] = [];
  #first: Viewport = { from: 0, to: 1 };
  #extent: Viewport = { from: 0, to: 1 };
  #textContext: BinTextContext | undefined;
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
      this.#textContext = {
        text: figures.text,
        pool,
        unit: this.#weighed.unit,
        currency,
        solUsd,
        isPriceSwapped,
        priceOf: binPrices(pool),
      };
      this.#summary = undefined;
    }
  }

  get valued(): ValuedBins {
    return this.#weighed;
  }

  get own(): readonly LaneRange[] {
    return this.#own;
  }

  /** The viewport until the user moves it. */
  get initial(): Viewport {
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
  get textContext(): BinTextContext {
    if (this.#textContext === undefined) {
      throw new Error('Nothing is shown yet.');
    }
    return this.#textContext;
  }

  get summary(): string {
    this.#summary ??= summaryOf(this.#weighed, this.textContext);
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
