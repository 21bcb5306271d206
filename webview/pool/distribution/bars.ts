import type { Viewport } from './viewport';
import type { ValuedBin } from './worth';

/** The area in which bins are drawn, CSS pixels. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Maps bins to pixels and back. */
export interface BinScale {
  readonly binWidth: number;
  /** The left edge of a bin. */
  readonly xOf: (binId: number) => number;
  /** The place in bins at a pixel; its integer part is the bin. */
  readonly placeAt: (x: number) => number;
}

/** A bar: one bin, or as many bins as share a pixel. Token Y is at the bottom, token X on top of it. */
export interface Bar {
  readonly binId: number;
  readonly x: number;
  readonly width: number;
  /** Edges: `bottom` to `middle` is token Y, `middle` to `top` is token X. */
  readonly bottom: number;
  readonly middle: number;
  readonly top: number;
}

/** Minimum height of a non-empty bar, CSS pixels, to keep it visible. */
const LEAST_HEIGHT = 1.5;
/** Bars at least this wide, CSS pixels, have a gap between them. */
const GAP_FROM = 4;
const GAP = 1;
/** Share of the height that the highest bar leaves free. */
const HEADROOM = 0.06;

/** The scale that spreads the viewport over the width of the plot. */
export function scaleOf(viewport: Viewport, plot: Plot): BinScale {
  const binWidth = (plot.right - plot.left) / (viewport.to - viewport.from);
  return {
    binWidth,
    xOf: (binId) => plot.left + (binId - viewport.from) * binWidth,
    placeAt: (x) => viewport.from + (x - plot.left) / binWidth,
  };
}

/** The bins that are wholly or partly visible. @param bins ascending */
export function visibleBins(bins: readonly ValuedBin[], viewport: Viewport): readonly ValuedBin[] {
  return bins.slice(firstAtLeast(bins, Math.floor(viewport.from)), firstAtLeast(bins, Math.ceil(viewport.to)));
}

/** Height of the highest bar; the rest stays free above it. */
export function heightOf({ top, bottom }: Plot): number {
  return (bottom - top) * (1 - HEADROOM);
}

/** Finds a bin by its id; `undefined` if it is empty. @param bins ascending */
export function binOf(bins: readonly ValuedBin[], binId: number): ValuedBin | undefined {
  const bin = bins[firstAtLeast(bins, binId)];
  return bin?.binId === binId ? bin : undefined;
}

/** The highest value of a bin; 0 for no bins. */
export function mostIn(bins: readonly ValuedBin[]): number {
  return bins.reduce((most, { total }) => Math.max(most, total), 0);
}

/**
 * The bars of the bins. Bins narrower than a pixel are grouped and drawn as high as their fullest. Groups are aligned to bin ids, so bars do
 * not flicker while panning.
 * @param bins ascending, the visible ones
 * @param most the value that gets the full height
 */
export function barsOf(bins: readonly ValuedBin[], scale: BinScale, plot: Plot, most: number): readonly Bar[] {
  const together = scale.binWidth >= 1 ? 1 : Math.ceil(1 / scale.binWidth);
  const height = heightOf(plot);
  const gap = scale.binWidth >= GAP_FROM ? GAP : 0;
  const width = Math.max(together * scale.binWidth - gap, 0.5);
  const bars: Bar[] = [];
  for (let index = 0; index < bins.length;) {
    const group = Math.floor((bins[index]?.binId ?? 0) / together);
    let fullest = bins[index];
    for (; index < bins.length && Math.floor((bins[index]?.binId ?? 0) / together) === group; index++) {
      const bin = bins[index];
      fullest = bin !== undefined && bin.total > (fullest?.total ?? 0) ? bin : fullest;
    }
    if (fullest !== undefined && fullest.total > 0 && most > 0) {
      const full = Math.max((fullest.total / most) * height, LEAST_HEIGHT);
      const ofY = (fullest.worthY / fullest.total) * full;
      bars.push({
        binId: fullest.binId,
        x: scale.xOf(group * together) + gap / 2,
        width,
        bottom: plot.bottom,
        middle: plot.bottom - ofY,
        top: plot.bottom - full,
      });
    }
  }
  return bars;
}

/** One token's parts of all bars, as the `d` attribute of a `<path>`. */
export function pathOf(bars: readonly Bar[], token: 'x' | 'y'): string {
  let path = '';
  for (const bar of bars) {
    const [low, high] = token === 'y' ? [bar.bottom, bar.middle] : [bar.middle, bar.top];
    if (low - high > 0.05) {
      path += `M${rounded(bar.x)} ${rounded(low)}V${rounded(high)}h${rounded(bar.width)}V${rounded(low)}z`;
    }
  }
  return path;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Index of the first bin at or above this id (binary search). */
function firstAtLeast(bins: readonly ValuedBin[], binId: number): number {
  let low = 0;
  let high = bins.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bins[middle]?.binId ?? Infinity) < binId) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
