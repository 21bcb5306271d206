import { HOUR } from '../spans';
import type { Pool } from '../types';
import type { Habits } from './strategyProfile';
import type { ProviderSlot, ProviderPosition } from './provider';

/** What somebody does about a seat after a look. */
export type Decision =
  /** Nothing, until the next look. */
  | 'leaveAlone'
  /** Opens a position. */
  | 'enter'
  | 'collect'
  /** Closes the position and opens another one where the price is now. */
  | 'move'
  /** Closes it, for a while. */
  | 'leave';

/** An anchor moves when the price is further than this part of a half width from the middle. */
const ANCHOR_LEASH = 0.55;

/**
 * What somebody with these habits does about a seat now. Notes in the stay since when it is out of range; changes nothing else.
 * `now`: milliseconds since 1970.
 */
export function decide(habits: Habits, seat: ProviderSlot, pool: Pool, now: number): Decision {
  const { stay } = seat;
  if (stay === null) {
    return now >= seat.enterAt && now >= pool.createdAt ? 'enter' : 'leaveAlone';
  }
  if (stay.leaveAt !== null && now >= stay.leaveAt) {
    return 'leave';
  }
  if (habits.exit !== null && hasReachedExit(habits.exit, pool.price / stay.openedAtPrice)) {
    return 'leave';
  }
  if (isOut(habits, seat, stay, pool)) {
    stay.outSince ??= now;
    if (now - stay.outSince >= patienceOf(habits, seat, stay, pool) * HOUR) {
      return 'move';
    }
  } else {
    stay.outSince = null;
  }
  return now >= stay.collectAt ? 'collect' : 'leaveAlone';
}

/** Says whether a one-sided position has been sold out: the price went through all of it. */
export function isSoldOut(side: ProviderSlot['side'], { range }: ProviderPosition, pool: Pool): boolean {
  return pool.type === 'bins' && range !== null && (side === 'x' ? pool.activeBinId > range.toBinId : pool.activeBinId < range.fromBinId);
}

function isOut(habits: Habits, seat: ProviderSlot, { range }: ProviderPosition, pool: Pool): boolean {
  if (pool.type === 'product' || range === null) {
    return false;
  }
  const { activeBinId } = pool;
  if (habits.style === 'anchor') {
    return Math.abs(activeBinId - (range.fromBinId + range.toBinId) / 2) > ANCHOR_LEASH * seat.halfWidthBins;
  }
  return activeBinId < range.fromBinId || activeBinId > range.toBinId;
}

/** A ladder that is sold out is laid anew at once; one that the price has run away from is waited for. */
function patienceOf(habits: Habits, seat: ProviderSlot, stay: ProviderPosition, pool: Pool): number {
  return habits.style === 'ladder' && isSoldOut(seat.side, stay, pool) ? 0 : habits.patienceHours;
}

function hasReachedExit({ profit, loss }: { readonly profit: number; readonly loss: number }, ratio: number): boolean {
  return ratio >= 1 + profit || ratio <= 1 - loss;
}
