import { MAX_BINS_PER_POSITION, maxBinIdOf } from '../../../base/dlmm/bins';
import type { Pool } from '../types';
import type { Habits } from './strategyProfile';
import type { ProviderSlot } from './provider';
import type { Wish } from './providerPositions';

/** How the money of a position is laid out. */
export type Shape = Pick<Wish, 'strategy' | 'partX' | 'range'>;

const LARGEST_HALF_WIDTH = MAX_BINS_PER_POSITION / 2 - 1;
/** The last bins that a program's prices reach are worth nothing, or everything: nobody goes there. */
const SHUNNED_BINS = 100;

/**
 * The shape of the next position of somebody with these habits, around the present price or beside it; `undefined` where the
 * price is so far out that a pool has hardly any bins left.
 */
export function shapeOf({ style, strategy }: Habits, { halfWidthBins, side }: ProviderSlot, pool: Pool): Shape | undefined {
  if (pool.type === 'product') {
    return { strategy: 'Spot', partX: 0.5, range: null };
  }
  const { activeBinId } = pool;
  const half = Math.min(halfWidthBins, LARGEST_HALF_WIDTH);
  if (Math.abs(activeBinId) + 2 * half > maxBinIdOf(pool.spec.binStepBps) - SHUNNED_BINS) {
    return undefined;
  }
  if (style !== 'ladder') {
    return { strategy, partX: 0.5, range: { fromBinId: activeBinId - half, toBinId: activeBinId + half } };
  }
  return side === 'x'
    ? { strategy, partX: 1, range: { fromBinId: activeBinId + 1, toBinId: activeBinId + 2 * half } }
    : { strategy, partX: 0, range: { fromBinId: activeBinId - 2 * half, toBinId: activeBinId - 1 } };
}
