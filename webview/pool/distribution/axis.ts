import { niceStep } from '../../shared/geometry';
import type { Viewport } from './viewport';

/** Width that a label under the axis takes, CSS pixels. */
const LABEL_ROOM = 84;

/**
 * The bins to label on the axis: round numbers, far enough apart for their labels.
 * @param width of the plot, CSS pixels
 */
export function labelledBins({ from, to }: Viewport, width: number): readonly number[] {
  const most = Math.max(Math.floor(width / LABEL_ROOM), 2);
  const step = Math.max(niceStep((to - from) / most), 1);
  const [first, last] = [Math.ceil((from - 0.5) / step), Math.floor((to - 0.5) / step)];
  // Adding 0 turns -0 into 0, which would be formatted with a sign.
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => (first + index) * step + 0);
}
