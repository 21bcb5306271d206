import type { OwnRange } from '../../../src/protocol/pool';
import type { Viewport } from './viewport';

/** One of the wallet's ranges with the lane that keeps it from covering another. */
export interface LaneRange {
  readonly own: OwnRange;
  readonly fromBinId: number;
  readonly toBinId: number;
  /** 0 is the uppermost. */
  readonly lane: number;
}

/** More lanes than this leave too little height for the bars. */
export const MOST_LANES = 3;

/** The wallet's ranges whose bounds are known. */
export function drawable(
  own: readonly OwnRange[],
): readonly { readonly own: OwnRange; readonly fromBinId: number; readonly toBinId: number }[] {
  return own.flatMap((range) =>
    range.lowerBinId === undefined || range.upperBinId === undefined || range.lowerBinId > range.upperBinId
      ? []
      : [{ own: range, fromBinId: range.lowerBinId, toBinId: range.upperBinId }],
  );
}

/** Assigns each range, from the left, to the first lane with room. Ranges for which no lane has room overlap in the last lane. */
export function assignLanes(own: readonly OwnRange[]): readonly LaneRange[] {
  const ends: number[] = [];
  return [...drawable(own)]
    .sort((one, other) => one.fromBinId - other.fromBinId || other.toBinId - one.toBinId)
    .map((range) => {
      const free = ends.findIndex((end) => end < range.fromBinId);
      const lane = free >= 0 ? free : Math.min(ends.length, MOST_LANES - 1);
      ends[lane] = Math.max(ends[lane] ?? -Infinity, range.toBinId);
      return { ...range, lane };
    });
}

/** The visible part of a range, as edges in bins; `undefined`: none of it. */
export function visiblePart({ fromBinId, toBinId }: Pick<LaneRange, 'fromBinId' | 'toBinId'>, sight: Viewport): Viewport | undefined {
  const part = { from: Math.max(fromBinId, sight.from), to: Math.min(toBinId + 1, sight.to) };
  return part.from < part.to ? part : undefined;
}
