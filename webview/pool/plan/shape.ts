import { type BinRange, priceOfBin } from '../../../src/base/dlmm/bins';
import { spreadOverBins, type Strategy } from '../../../src/base/dlmm/strategy';
import type { OverlayFrame } from './types';

/** The part of a plan that determines its shape. */
export interface ShapeOf extends BinRange {
  readonly activeBinId: number;
  readonly binStepBps: number;
  readonly strategy: Strategy;
  /** 0 to 1. */
  readonly percentX: number;
}

export interface ShapeBin {
  readonly binId: number;
  /** The bin's share of the whole deposit, 0 to 1. */
  readonly share: number;
  readonly isX: boolean;
}

/** The amount that is spread to compute the shape, raw units: large enough for rounding to be invisible. */
const AMOUNT = 1e24;

/**
 * How the strategy spreads the deposit over the bins of the range, ascending. A bin is valued at its own price, as the strategies define it; a
 * token's bins add up to the token's share. A token without bins in the range is not spread: then the sum is below 1.
 * @throws RangeError if the bounds are inverted or outside the program's limits
 */
export function shapeOf({ fromBinId, toBinId, activeBinId, binStepBps, strategy, percentX }: ShapeOf): readonly ShapeBin[] {
  // Value in raw units of Y, large enough that both amounts have enough digits, however different their units are.
  const price = priceOfBin(activeBinId, binStepBps);
  const worth = AMOUNT * Math.max(price, 1);
  const bins = spreadOverBins({
    fromBinId,
    toBinId,
    activeBinId,
    binStepBps,
    strategy,
    amountX: BigInt(Math.floor((worth * percentX) / price)),
    amountY: BigInt(Math.floor(worth * (1 - percentX))),
  });
  const worths = bins.map(({ binId, amountX, amountY }) => ({
    binId,
    isX: amountX > 0n,
    worth: Number(amountX) * priceOfBin(binId, binStepBps) + Number(amountY),
  }));
  const worthX = worths.reduce((sum, bin) => sum + (bin.isX ? bin.worth : 0), 0);
  return worths.map((bin) => ({ binId: bin.binId, isX: bin.isX, share: bin.isX ? (percentX * bin.worth) / worthX : bin.worth / worth }));
}

/** Share of the height that a plan's highest bin takes, so the pool's bars and the labels above stay readable. */
const HEIGHT_SHARE = 0.8;
const TENTHS = 10;

/**
 * The outline of one token's bins of a plan, as an SVG path: steps from bin to bin, closed at the ground. It has a scale of its own, since a
 * deposit would hardly be visible at the pool's scale. Only the visible part; empty if there is none.
 */
export function outlineOf(
  shape: readonly ShapeBin[],
  isX: boolean,
  { xOf, binWidth, left, right, top, bottom }: Pick<OverlayFrame, 'xOf' | 'binWidth' | 'left' | 'right' | 'top' | 'bottom'>,
): string {
  const most = shape.reduce((greatest, { share }) => Math.max(greatest, share), 0);
  const seen = shape.filter((bin) => bin.isX === isX && bin.share > 0 && xOf(bin.binId) + binWidth > left && xOf(bin.binId) < right);
  const [first] = seen;
  const last = seen.at(-1);
  if (first === undefined || last === undefined) {
    return '';
  }
  const x = (at: number): number => rounded(Math.min(Math.max(at, left), right));
  const steps = seen.map(
    ({ binId, share }) => `V${rounded(bottom - ((bottom - outlineTop({ top, bottom })) * share) / most)}H${x(xOf(binId) + binWidth)}`,
  );
  return `M${x(xOf(first.binId))} ${rounded(bottom)}${steps.join('')}V${rounded(bottom)}`;
}

/** The height at which the outline's highest bin ends. */
export function outlineTop({ top, bottom }: Pick<OverlayFrame, 'top' | 'bottom'>): number {
  return bottom - (bottom - top) * HEIGHT_SHARE;
}

/** Rounds to a tenth of a pixel to keep paths of up to 1,400 bins short. */
function rounded(value: number): number {
  return Math.round(value * TENTHS) / TENTHS;
}
