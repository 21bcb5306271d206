import { niceStep } from '../../shared/geometry';
import type { Viewport } from './viewport';

/** Room that a label under the axis takes, pixels. */
const LABEL_ROOM = 84;

/**
 * The bins that are labelled on the axis: round numbers, so far apart that their labels have room.
 * @param width of the plot, pixels
 */
export function labelledBins({ from, to }: Viewport, width: number): readonly number[] {
  const most = Math.max(Math.floor(width / LABEL_ROOM), 2);
  const step = Math.max(niceStep((to - from) / most), 1);
  const [first, last] = [Math.ceil((from - 0.5) / step), Math.floor((to - 0.5) / step)];
  // Never -0, which would be written with a sign.
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => (first + index) * step + 0);
}
