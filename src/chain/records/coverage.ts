import { SECOND_MS } from '../../base/time';
import type { UnknownSpan } from '../../engine/records/ownerResults';
import type { WireIncomplete } from '../../engine/wire/incomplete';
import type { IndexedPosition, IndexProgress } from '../index/types';

/** How far the history of an owner is known. */
export interface HistoryCoverage {
  /** From when on all positions are known, milliseconds since 1970; 0: ever. */
  readonly wholeSince: number;
  /** After that: when something happened that cannot be read. */
  readonly unknown: UnknownSpan | undefined;
  /** `undefined`: everything is known. */
  readonly incomplete: WireIncomplete | undefined;
}

/** A slot takes at least this long: how long ago the first known slot was, at least. */
const LEAST_SLOT_MS = 200;
/** The latest time that a `Date` can have. */
const LAST_TIME_MS = 8.64e15;

/**
 * Says what is not known of an owner, and why. Where there are positions, a list without any transaction is of a node that lags behind: it is listed again.
 * @param positions all of the owner's that the index knows
 * @param hasOthers the owner has had other ones
 */
export function coverageOf(progress: IndexProgress, positions: readonly IndexedPosition[], hasOthers = false): HistoryCoverage {
  const { owner, transactions: read, left, prunedBeforeSlot, unreadable, error } = progress;
  const isEmpty = read === 0 && unreadable === undefined && prunedBeforeSlot === undefined;
  const state = progress.state === 'current' && isEmpty && (hasOthers || positions.length > 0) ? 'indexing' : progress.state;
  if (state !== 'current') {
    const isReading = state === 'indexing';
    const message = isReading
      ? `The history of ${owner} is still being read.`
      : `The history of ${owner} cannot be read now: ${error ?? 'the RPC does not answer'}.`;
    return { wholeSince: Infinity, unknown: undefined, incomplete: { reason: state, read, left, since: null, message } };
  }
  const wholeSince = timeFrom(prunedBeforeSlot, positions);
  const unknown =
    unreadable === undefined
      ? undefined
      : { from: unreadable.fromTimeS * SECOND_MS, to: Math.min(unreadable.toTimeS * SECOND_MS, LAST_TIME_MS) };
  return { wholeSince, unknown, incomplete: missingIn(progress, wholeSince, unknown) };
}

function missingIn(
  { owner, transactions: read, left, prunedBeforeSlot, unreadable }: IndexProgress,
  wholeSince: number,
  unknown: UnknownSpan | undefined,
): WireIncomplete | undefined {
  if (unreadable !== undefined && unknown !== undefined) {
    const what = `${unreadable.count} transaction${unreadable.count === 1 ? '' : 's'} of ${owner} cannot be read from this RPC`;
    const message = `${what}. Positions of that time may be missing, and sums over it are not known.`;
    return { reason: 'unreadable', read, left, since: unknown.from === 0 ? null : isoTime(unknown.from), message };
  }
  if (prunedBeforeSlot === undefined) {
    return undefined;
  }
  const message = `The RPC has no whole history of ${owner} before slot ${prunedBeforeSlot}. Positions that were opened before may be missing.`;
  return { reason: 'pruned', read, left, since: wholeSince === Infinity ? null : isoTime(wholeSince), message };
}

/**
 * From when on all positions of an owner are known, milliseconds since 1970; 0: ever. The time of the first known slot is estimated by the first
 * event at or after it, rather too late; without one, nothing is certain.
 */
function timeFrom(firstSlot: number | undefined, positions: readonly IndexedPosition[]): number {
  if (firstSlot === undefined) {
    return 0;
  }
  // The index may also know what was before a gap in the history.
  const times = positions.flatMap(({ events }) =>
    events.flatMap(({ slot, blockTimeS }) =>
      slot < firstSlot || blockTimeS === undefined ? [] : [SECOND_MS * blockTimeS - (slot - firstSlot) * LEAST_SLOT_MS],
    ),
  );
  return times.reduce((least, time) => Math.min(least, time), Infinity);
}

function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
