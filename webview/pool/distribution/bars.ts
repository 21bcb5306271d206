import type { Viewport } from './viewport';
import type { WorthBin } from './worth';

/** The area in which bins are drawn, CSS pixels. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** From bins to pixels, and back. */
export interface BinScale {
  readonly binWidth: number;
  /** The left edge of a bin. */
  readonly xOf: (binId: number) => number;
  /** The place, in bins, at a pixel; its whole part is the bin. */
  readonly placeAt: (x: number) => number;
}

/** A bar: a bin, or as many of them as there is a pixel for. Token Y stands at the bottom, token X upon it. */
export interface Bar {
  readonly binId: number;
  readonly x: number;
  readonly width: number;
  /** Where token Y begins (the plot's bottom), where it ends and X begins, and where X ends. */
  readonly bottom: number;
  readonly middle: number;
  readonly top: number;
}

/** A bar that holds anything at all is at least so high, so that it is seen. */
const LEAST_HEIGHT = 1.5;
/** Bars have a gap between them where they are at least so wide. */
const GAP_FROM = 4;
const GAP = 1;
/** The highest bar leaves so much of the height free. */
const HEADROOM = 0.06;

/** The scale that shows the sight over the whole width of the plot. */
export function scaleOf(sight: Viewport, plot: Plot): BinScale {
  const binWidth = (plot.right - plot.left) / (sight.to - sight.from);
  return { binWidth, xOf: (binId) => plot.left + (binId - sight.from) * binWidth, placeAt: (x) => sight.from + (x - plot.left) / binWidth };
}

/** The bins that are in sight, wholly or in part. @param bins ascending */
export function visibleBins(bins: readonly WorthBin[], sight: Viewport): readonly WorthBin[] {
  return bins.slice(firstAtLeast(bins, Math.floor(sight.from)), firstAtLeast(bins, Math.ceil(sight.to)));
}

/** How high a bar gets: some height is left free above it. */
export function heightOf({ top, bottom }: Plot): number {
  return (bottom - top) * (1 - HEADROOM);
}

/** The bin of this number; `undefined` where it holds nothing. @param bins ascending */
export function binOf(bins: readonly WorthBin[], binId: number): WorthBin | undefined {
  const bin = bins[firstAtLeast(bins, binId)];
  return bin?.binId === binId ? bin : undefined;
}

/** The largest worth of a bin; 0 where there is none. */
export function mostIn(bins: readonly WorthBin[]): number {
  return bins.reduce((most, { total }) => Math.max(most, total), 0);
}

/**
 * The bars of the bins. Where a bin has less than a pixel, so many are taken together as have one, by their fullest, always the same ones:
 * bars do not dance while they are moved.
 * @param bins ascending, those in sight
 * @param most what is worth this is as high as a bar gets
 */
export function barsOf(bins: readonly WorthBin[], scale: BinScale, plot: Plot, most: number): readonly Bar[] {
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

/** The bars' parts of one token as the `d` of one `<path>`. */
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

/** The index of the first bin that is not below this number. */
function firstAtLeast(bins: readonly WorthBin[], binId: number): number {
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
