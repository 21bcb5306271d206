import type { ShapeBin } from './shape';
import type { OverlayFrame } from './types';

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
    ({ binId, share }) => `V${rounded(bottom - ((bottom - top) * HEIGHT_SHARE * share) / most)}H${x(xOf(binId) + binWidth)}`,
  );
  return `M${x(xOf(first.binId))} ${rounded(bottom)}${steps.join('')}V${rounded(bottom)}`;
}

/** Rounds to a tenth of a pixel to keep paths of up to 1,400 bins short. */
function rounded(value: number): number {
  return Math.round(value * TENTHS) / TENTHS;
}
