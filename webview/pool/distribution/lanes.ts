import type { OwnRange } from '../../../src/protocol/pool';
import type { Viewport } from './viewport';

/** An own range as it is drawn: in a lane of its own where it would cover another. */
export interface LaneRange {
  readonly own: OwnRange;
  readonly fromBinId: number;
  readonly toBinId: number;
  /** 0 is the uppermost. */
  readonly lane: number;
}

/** More lanes than this leave too little for the bars. */
export const MOST_LANES = 3;

/** The own ranges whose ends are known. */
export function drawable(
  own: readonly OwnRange[],
): readonly { readonly own: OwnRange; readonly fromBinId: number; readonly toBinId: number }[] {
  return own.flatMap((range) =>
    range.lowerBinId === undefined || range.upperBinId === undefined || range.lowerBinId > range.upperBinId
      ? []
      : [{ own: range, fromBinId: range.lowerBinId, toBinId: range.upperBinId }],
  );
}

/** Puts ranges into lanes, so that none covers another: from the left, each in the first lane with room. What no lane has room for lies over others in the last. */
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

/** The part of a range that is in sight, as edges in bins; `undefined`: none of it. */
export function visiblePart({ fromBinId, toBinId }: Pick<LaneRange, 'fromBinId' | 'toBinId'>, sight: Viewport): Viewport | undefined {
  const part = { from: Math.max(fromBinId, sight.from), to: Math.min(toBinId + 1, sight.to) };
  return part.from < part.to ? part : undefined;
}
