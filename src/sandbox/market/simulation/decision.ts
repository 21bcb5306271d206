import { WHOLE_BPS } from '../../../base/basisPoints';
import { MAX_BINS_PER_POSITION, maxBinIdOf } from '../../../base/dlmm/bins';
import type { Address } from '../../../base/solana/address';
import { HOUR } from '../units';
import type { Market, Pool } from '../types';
import type { ProviderPosition, ProviderSlot } from './provider';
import type { PositionRequest } from './providerPositions';
import type { Habits } from './strategyProfile';

/** What somebody does about a slot after a look. */
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
 * What somebody with these habits does about a slot now. Notes in the stay since when it is out of range; changes nothing else.
 * `now`: milliseconds since 1970.
 */
export function decide(habits: Habits, slot: ProviderSlot, pool: Pool, now: number): Decision {
  const { stay } = slot;
  if (stay === null) {
    return now >= slot.enterAt && now >= pool.createdAt ? 'enter' : 'leaveAlone';
  }
  if (stay.leaveAt !== null && now >= stay.leaveAt) {
    return 'leave';
  }
  if (habits.exit !== null && hasReachedExit(habits.exit, pool.price / stay.openedAtPrice)) {
    return 'leave';
  }
  if (isOut(habits, slot, stay, pool)) {
    stay.outSince ??= now;
    if (now - stay.outSince >= patienceOf(habits, slot, stay, pool) * HOUR) {
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

function isOut(habits: Habits, slot: ProviderSlot, { range }: ProviderPosition, pool: Pool): boolean {
  if (pool.type === 'product' || range === null) {
    return false;
  }
  const { activeBinId } = pool;
  if (habits.style === 'anchor') {
    return Math.abs(activeBinId - (range.fromBinId + range.toBinId) / 2) > ANCHOR_LEASH * slot.halfWidthBins;
  }
  return activeBinId < range.fromBinId || activeBinId > range.toBinId;
}

/** A ladder that is sold out is laid anew at once; one that the price has run away from is waited for. */
function patienceOf(habits: Habits, slot: ProviderSlot, stay: ProviderPosition, pool: Pool): number {
  return habits.style === 'ladder' && isSoldOut(slot.side, stay, pool) ? 0 : habits.patienceHours;
}

function hasReachedExit({ profit, loss }: { readonly profit: number; readonly loss: number }, ratio: number): boolean {
  return ratio >= 1 + profit || ratio <= 1 - loss;
}

/** An anchor does nothing while what a pool has, as a part of what is usual in it, is between these. */
const MIN_PART = 0.85;
const MAX_PART = 1.2;
/** It always leaves so much in the pool, as a part of what is usual. */
const KEPT_PART = 0.15;

/** What an anchor does about a pool that has too little or too much. */
export type Correction =
  { readonly kind: 'none' } | { readonly kind: 'add'; readonly usd: number } | { readonly kind: 'takeOut'; readonly shareBps: number };

/**
 * What an anchor brings to a pool in which it has nothing, US dollars. What is traded in a pool does not depend on what is in it: where
 * that is little, it earns much, and that is where more money goes.
 */
export function missingUsd(market: Market, pool: Pool): number {
  return Math.max(KEPT_PART * pool.spec.tvlUsd, pool.spec.tvlUsd - worthUsd(market, pool));
}

/** What an anchor does about the pool in which it has that position. */
export function correctionOf(market: Market, pool: Pool, position: Address): Correction {
  const { tvlUsd } = pool.spec;
  const there = worthUsd(market, pool);
  if (there < MIN_PART * tvlUsd) {
    return { kind: 'add', usd: tvlUsd - there };
  }
  const own = market.positions.at(position);
  if (there <= MAX_PART * tvlUsd || own === undefined) {
    return { kind: 'none' };
  }
  const ownUsd = market.books.worthOf(pool, market.books.amountsOf(pool, own)).usd;
  const out = Math.min(there - tvlUsd, ownUsd - KEPT_PART * tvlUsd);
  const shareBps = Math.floor((WHOLE_BPS * out) / ownUsd);
  return shareBps > 0 ? { kind: 'takeOut', shareBps } : { kind: 'none' };
}

function worthUsd(market: Market, pool: Pool): number {
  return market.books.worthOf(pool, pool.liquidity).usd;
}

/** How the money of a position is laid out. */
export type Shape = Pick<PositionRequest, 'strategy' | 'partX' | 'range'>;

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
