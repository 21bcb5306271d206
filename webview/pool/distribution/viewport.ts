import { MAX_BINS_PER_POSITION, type BinRange } from '../../../src/base/dlmm/bins';

/** The visible part of the bin axis. Bin b spans b to b + 1; the edges may be fractional. */
export interface Viewport {
  readonly from: number;
  readonly to: number;
}

/** Minimum width of the viewport, bins. */
export const LEAST_VISIBLE_BINS = 8;

/** Bins beyond the last one with liquidity that the viewport can show. */
const MARGIN_BINS = 20;

/** The first viewport shows this share of the liquidity, within the half widths below (bins). */
const FIRST_SHARE = 0.98;
const FIRST_LEAST_HALF = 24;
const FIRST_MOST_HALF = 70;
/** The first viewport includes the wallet's ranges that reach at most this far from the active bin. */
const FIRST_OWN_WITHIN = 200;

/**
 * Everything that can be shown: every bin with liquidity, every given range, and the reach of the widest position around the active bin.
 * @param bins ascending
 */
export function extentOf(bins: readonly { readonly binId: number }[], activeBinId: number, ranges: readonly BinRange[]): Viewport {
  const reach = MAX_BINS_PER_POSITION / 2;
  const lowest = [activeBinId - reach, bins[0]?.binId ?? activeBinId, ...ranges.map(({ fromBinId }) => fromBinId)];
  const highest = [activeBinId + reach, bins.at(-1)?.binId ?? activeBinId, ...ranges.map(({ toBinId }) => toBinId)];
  return { from: Math.min(...lowest) - MARGIN_BINS, to: Math.max(...highest) + 1 + MARGIN_BINS };
}

/** The narrowest viewport around the active bin with nearly all the liquidity and the nearby ranges, within limits. */
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

/** Moves the viewport by a number of bins (positive is upwards), within the extent. */
export function panned({ from, to }: Viewport, byBins: number, extent: Viewport): Viewport {
  return within({ from: from + byBins, to: to + byBins }, extent);
}

/** Widens (factor above 1) or narrows the viewport around a place that does not move. */
export function zoomed({ from, to }: Viewport, factor: number, around: number, extent: Viewport): Viewport {
  const width = clamp((to - from) * factor, LEAST_VISIBLE_BINS, extent.to - extent.from);
  const share = to > from ? (around - from) / (to - from) : 0.5;
  const start = around - share * width;
  return within({ from: start, to: start + width }, extent);
}

/** Moves the viewport only as far as needed to show a whole bin with a few beside it. */
export function revealing(viewport: Viewport, binId: number, extent: Viewport): Viewport {
  const beside = Math.min(2, (viewport.to - viewport.from) / 4);
  if (binId - beside < viewport.from) {
    return panned(viewport, binId - beside - viewport.from, extent);
  }
  return binId + 1 + beside > viewport.to ? panned(viewport, binId + 1 + beside - viewport.to, extent) : viewport;
}

/** A viewport of this range with a margin, at least the minimum width, within the extent. */
export function viewportOf({ fromBinId, toBinId }: BinRange, extent: Viewport): Viewport {
  const room = Math.max((toBinId - fromBinId + 1) * 0.15, (LEAST_VISIBLE_BINS - (toBinId - fromBinId + 1)) / 2, 1);
  return within({ from: fromBinId - room, to: toBinId + 1 + room }, extent);
}

/** Centers the viewport on a bin without changing its width. */
export function centered({ from, to }: Viewport, binId: number, extent: Viewport): Viewport {
  return panned({ from, to }, binId + 0.5 - (from + to) / 2, extent);
}

/** Clamps a viewport to the minimum width and to the extent. An invalid one becomes the extent. */
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
