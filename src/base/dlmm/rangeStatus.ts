/** The range status of a position. `none`: its pool has no bins (DAMM v2); `unknown`: not reported. */
export type RangeStatus = 'inRange' | 'outOfRange' | 'unknown' | 'none';

/** What the status follows from. */
interface Placed {
  readonly poolType: string;
  readonly inRange: boolean | undefined;
}

export function rangeStatus({ inRange, poolType }: Placed): RangeStatus {
  return poolType === 'dammV2' ? 'none' : inRange === undefined ? 'unknown' : inRange ? 'inRange' : 'outOfRange';
}
