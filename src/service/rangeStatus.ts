import type { OpenPosition } from './positions';

/** The range status of a position. `none`: its pool has no bins (DAMM v2); `unknown`: not reported. */
export type RangeStatus = 'inRange' | 'outOfRange' | 'unknown' | 'none';

export function rangeStatus({ inRange, poolType }: Pick<OpenPosition, 'inRange' | 'poolType'>): RangeStatus {
  return poolType === 'dammV2' ? 'none' : inRange === undefined ? 'unknown' : inRange ? 'inRange' : 'outOfRange';
}
