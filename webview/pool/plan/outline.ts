import type { ShapeBin } from './shape';
import type { OverlayFrame } from './types';

/** How much of the height the tallest bin of a plan takes: the pool's own bars, and the words above, stay readable. */
const HEIGHT_SHARE = 0.8;
const TENTHS = 10;

/**
 * The outline of one token's bins of a plan, as the path of an SVG: steps from bin to bin, down to the ground at its ends. Its height is
 * the plan's own: what one puts into a pool would hardly be seen at the pool's. Only what is in sight. Empty: there is nothing of it.
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

/** To a tenth of a pixel: paths of 1,400 bins stay short. */
function rounded(value: number): number {
  return Math.round(value * TENTHS) / TENTHS;
}
