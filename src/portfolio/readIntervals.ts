import { MINUTE_MS } from '../base/time';
import type { OpenPosition } from '../service/positions';
import type { ListName } from './types';

/** Reads of an unfocused window, or for notices alone, are this much rarer, and at least this far apart. */
export const SLOWDOWN = 5;
const LEAST_SLOW_MS = 5 * 60_000;
/** Reads where something is likely to change soon are this much more frequent, and at least this far apart. */
const SPEEDUP = 4;
const LEAST_FAST_MS = 15_000;
/** Fast reads take at most this share of the service's limit. */
const FAST_SHARE = 1 / 3;
/** Bins between the price and an edge of the range, within which a position may leave or enter it any minute. */
const NEAR_BINS = 3;
/** How long after an operation the figures still change: the service learns of it, prices follow a large trade. */
export const AFTER_OPERATION_MS = 2 * MINUTE_MS;

/** What decides how often a list is read. */
export interface ReadingFacts {
  readonly list: ListName;
  /** A view or panel shows the list. */
  readonly isVisible: boolean;
  readonly isFocused: boolean;
  /** Notices are switched on, or something small shows the list. */
  readonly isWatched: boolean;
  /** The price of a position is near an edge of its range, or an operation has just ended. */
  readonly isLively: boolean;
  /** Interval of the setting, milliseconds. */
  readonly everyMs: number;
  /** Requests that the service allows per minute; `undefined`: unknown. */
  readonly perMinute: number | undefined;
}

/** The interval between two reads of a list in milliseconds; Infinity: it is not read at intervals. */
export function intervalOf({ list, isVisible, isFocused, isWatched, isLively, everyMs, perMinute }: ReadingFacts): number {
  if (!isVisible && !(isWatched && list === 'positions')) {
    return Number.POSITIVE_INFINITY;
  }
  if (!isVisible || !isFocused) {
    return Math.max(everyMs * SLOWDOWN, LEAST_SLOW_MS);
  }
  const shareMs = perMinute === undefined ? 0 : MINUTE_MS / (perMinute * FAST_SHARE);
  return list === 'positions' && isLively ? Math.min(everyMs, Math.max(everyMs / SPEEDUP, LEAST_FAST_MS, shareMs)) : everyMs;
}

/** Whether the price is within a few bins of an edge of a position's range, on either side. */
export function isNearEdge({ activeBinId, lowerBinId, upperBinId }: OpenPosition): boolean {
  return (
    activeBinId !== undefined && [lowerBinId, upperBinId].some((edge) => edge !== undefined && Math.abs(activeBinId - edge) <= NEAR_BINS)
  );
}
