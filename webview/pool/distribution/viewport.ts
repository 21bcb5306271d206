import { MAX_BINS_PER_POSITION, type BinRange } from '../../../src/base/dlmm/bins';

/** What of the bins is in sight: its two edges. Bin b lies from b to b + 1; edges lie anywhere. */
export interface Viewport {
  readonly from: number;
  readonly to: number;
}

/** Fewer bins than this are never in sight: bars would be walls. */
export const LEAST_VISIBLE_BINS = 8;

/** How many bins beyond the last one with liquidity can be looked at. */
const MARGIN_BINS = 20;

/** What is looked at first has so much of the liquidity in it, where that is not too wide. */
const FIRST_SHARE = 0.98;
const FIRST_LEAST_HALF = 24;
const FIRST_MOST_HALF = 70;
/** Own ranges that are at most so far from the active bin are in the first sight, too. */
const FIRST_OWN_WITHIN = 200;

/**
 * All that can be looked at: every bin with liquidity, every given range, and as far from the active bin as a position may reach.
 * @param bins ascending
 */
export function extentOf(bins: readonly { readonly binId: number }[], activeBinId: number, ranges: readonly BinRange[]): Viewport {
  const reach = MAX_BINS_PER_POSITION / 2;
  const lowest = [activeBinId - reach, bins[0]?.binId ?? activeBinId, ...ranges.map(({ fromBinId }) => fromBinId)];
  const highest = [activeBinId + reach, bins.at(-1)?.binId ?? activeBinId, ...ranges.map(({ toBinId }) => toBinId)];
  return { from: Math.min(...lowest) - MARGIN_BINS, to: Math.max(...highest) + 1 + MARGIN_BINS };
}

/** The least sight around the active bin that holds nearly all the liquidity and the ranges near by: not too narrow, not too wide. */
export function initialViewport(
  bins: readonly { readonly binId: number; readonly total: number }[],
  activeBinId: number,
  ranges: readonly BinRange[],
): Viewport {
  const far = (binId: number): number => Math.abs(binId - activeBinId);
  const byDistance = [...bins].sort((one, other) => far(one.binId) - far(other.binId));
  const all = bins.reduce((sum, { total }) => sum + total, 0);
  let seen = 0;
  const last = byDistance.find(({ total }) => (seen += total) >= all * FIRST_SHARE);
  const half = Math.min(Math.max(last === undefined ? 0 : far(last.binId) + 2, FIRST_LEAST_HALF), FIRST_MOST_HALF);
  const ofRanges = ranges
    .map(({ fromBinId, toBinId }) => Math.max(far(fromBinId), far(toBinId)) + 3)
    .filter((distance) => distance <= FIRST_OWN_WITHIN);
  const reach = Math.max(half, ...ofRanges);
  return { from: activeBinId - reach, to: activeBinId + 1 + reach };
}

/** The sight, moved by so many bins (upwards where positive), within the extent. */
export function panned({ from, to }: Viewport, byBins: number, extent: Viewport): Viewport {
  return within({ from: from + byBins, to: to + byBins }, extent);
}

/** The sight, made wider (factor above 1) or narrower around a place that stays where it is. */
export function zoomed({ from, to }: Viewport, factor: number, around: number, extent: Viewport): Viewport {
  const width = clamp((to - from) * factor, LEAST_VISIBLE_BINS, extent.to - extent.from);
  const share = to > from ? (around - from) / (to - from) : 0.5;
  const start = around - share * width;
  return within({ from: start, to: start + width }, extent);
}

/** The sight, moved no further than a bin needs to be wholly in it, with a few beside it. */
export function revealing(sight: Viewport, binId: number, extent: Viewport): Viewport {
  const beside = Math.min(2, (sight.to - sight.from) / 4);
  if (binId - beside < sight.from) {
    return panned(sight, binId - beside - sight.from, extent);
  }
  return binId + 1 + beside > sight.to ? panned(sight, binId + 1 + beside - sight.to, extent) : sight;
}

/** A sight of this range with some room at either end; wide enough, and within the extent. */
export function viewportOf({ fromBinId, toBinId }: BinRange, extent: Viewport): Viewport {
  const room = Math.max((toBinId - fromBinId + 1) * 0.15, (LEAST_VISIBLE_BINS - (toBinId - fromBinId + 1)) / 2, 1);
  return within({ from: fromBinId - room, to: toBinId + 1 + room }, extent);
}

/** The same, of the width it has, with this bin in its middle. */
export function centred({ from, to }: Viewport, binId: number, extent: Viewport): Viewport {
  return panned({ from, to }, binId + 0.5 - (from + to) / 2, extent);
}

/** A sight as it can be: no narrower than the least, no wider than the extent, and inside it. What is no sight at all gives the extent. */
export function within({ from, to }: Viewport, extent: Viewport): Viewport {
  if (!(Number.isFinite(from) && Number.isFinite(to) && from < to)) {
    return extent;
  }
  const width = clamp(to - from, LEAST_VISIBLE_BINS, extent.to - extent.from);
  const start = clamp(from, extent.from, extent.to - width);
  return { from: start, to: start + width };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(Math.min(value, most), least);
}
