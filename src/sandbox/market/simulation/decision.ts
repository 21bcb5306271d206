import { WHOLE_BPS } from '../../../base/basisPoints';
import { MAX_BINS_PER_POSITION, maxBinIdOf } from '../../../base/dlmm/bins';
import type { Address } from '../../../base/solana/address';
import { HOUR_MS } from '../../../base/time';
import type { Market, MarketPool } from '../types';
import type { ProviderPosition, ProviderSlot } from './provider';
import type { PositionRequest } from './providerPositions';
import type { Habits } from './strategyProfile';

/** What a provider does in a slot after a check. */
export type Decision =
  | 'wait'
  /** Opens a position. */
  | 'enter'
  | 'collect'
  /** Closes the position and opens another one at the present price. */
  | 'move'
  /** Closes the position and pauses. */
  | 'leave';

/** What an anchor does about a pool with too little or too much liquidity. */
export type Correction =
  | { readonly kind: 'none' }
  | { readonly kind: 'add'; readonly usd: number }
  | { readonly kind: 'withdraw'; readonly shareBps: number };

/** How a position is laid out. */
export type Shape = Pick<PositionRequest, 'strategy' | 'partX' | 'range'>;

/** An anchor moves its position when the price is further from the middle than this part of the half width. */
const ANCHOR_DRIFT = 0.55;

/** An anchor acts when the liquidity of a pool leaves this range, as parts of its usual liquidity. */
const MIN_PART = 0.85;
const MAX_PART = 1.2;
/** An anchor always keeps this part of the usual liquidity in the pool. */
const KEPT_PART = 0.15;

const MAX_HALF_WIDTH = MAX_BINS_PER_POSITION / 2 - 1;
/** Providers stay away from the last bins of a program: their prices are next to nothing, or next to infinite. */
const AVOIDED_BINS = 100;

/**
 * Decides what a provider does in a slot. Records in the position since when it has been out of range, and changes nothing else.
 * @param now milliseconds since 1970
 */
export function decide(habits: Habits, slot: ProviderSlot, pool: MarketPool, now: number): Decision {
  const { stay: position } = slot;
  if (position === null) {
    return now >= slot.enterAt && now >= pool.createdAt ? 'enter' : 'wait';
  }
  if (position.leaveAt !== null && now >= position.leaveAt) {
    return 'leave';
  }
  if (habits.exit !== null && hasReachedExit(habits.exit, pool.price / position.openedAtPrice)) {
    return 'leave';
  }
  if (isOutOfRange(habits, slot, position, pool)) {
    position.outSince ??= now;
    if (now - position.outSince >= patienceHours(habits, slot, position, pool) * HOUR_MS) {
      return 'move';
    }
  } else {
    position.outSince = null;
  }
  return now >= position.collectAt ? 'collect' : 'wait';
}

/** Whether the price has crossed all bins of a one-sided position, which sold all of its token. */
export function isSoldOut(side: ProviderSlot['side'], { range }: ProviderPosition, pool: MarketPool): boolean {
  return pool.type === 'bins' && range !== null && (side === 'x' ? pool.activeBinId > range.toBinId : pool.activeBinId < range.fromBinId);
}

/**
 * The amount that an anchor without a position brings to a pool, US dollars. Trading does not depend on liquidity, so a pool with
 * little of it earns much, and attracts money.
 */
export function missingUsd(market: Market, pool: MarketPool): number {
  return Math.max(KEPT_PART * pool.spec.tvlUsd, pool.spec.tvlUsd - liquidityUsd(market, pool));
}

/** Decides how the anchor that owns this position corrects the liquidity of the pool. */
export function correctionOf(market: Market, pool: MarketPool, position: Address): Correction {
  const { tvlUsd } = pool.spec;
  const present = liquidityUsd(market, pool);
  if (present < MIN_PART * tvlUsd) {
    return { kind: 'add', usd: tvlUsd - present };
  }
  const own = market.positions.at(position);
  if (present <= MAX_PART * tvlUsd || own === undefined) {
    return { kind: 'none' };
  }
  const ownUsd = market.books.worthOf(pool, market.books.amountsOf(pool, own)).usd;
  const excess = Math.min(present - tvlUsd, ownUsd - KEPT_PART * tvlUsd);
  const shareBps = Math.floor((WHOLE_BPS * excess) / ownUsd);
  return shareBps > 0 ? { kind: 'withdraw', shareBps } : { kind: 'none' };
}

/**
 * The shape of a provider's next position, around the present price or beside it; `undefined` if the price is so extreme that the
 * pool has hardly any bins left.
 */
export function shapeOf({ style, strategy }: Habits, { halfWidthBins, side }: ProviderSlot, pool: MarketPool): Shape | undefined {
  if (pool.type === 'product') {
    return { strategy: 'Spot', partX: 0.5, range: null };
  }
  const { activeBinId } = pool;
  const half = Math.min(halfWidthBins, MAX_HALF_WIDTH);
  if (Math.abs(activeBinId) + 2 * half > maxBinIdOf(pool.spec.binStepBps) - AVOIDED_BINS) {
    return undefined;
  }
  if (style !== 'ladder') {
    return { strategy, partX: 0.5, range: { fromBinId: activeBinId - half, toBinId: activeBinId + half } };
  }
  return side === 'x'
    ? { strategy, partX: 1, range: { fromBinId: activeBinId + 1, toBinId: activeBinId + 2 * half } }
    : { strategy, partX: 0, range: { fromBinId: activeBinId - 2 * half, toBinId: activeBinId - 1 } };
}

function isOutOfRange(habits: Habits, slot: ProviderSlot, { range }: ProviderPosition, pool: MarketPool): boolean {
  if (pool.type === 'product' || range === null) {
    return false;
  }
  const { activeBinId } = pool;
  if (habits.style === 'anchor') {
    return Math.abs(activeBinId - (range.fromBinId + range.toBinId) / 2) > ANCHOR_DRIFT * slot.halfWidthBins;
  }
  return activeBinId < range.fromBinId || activeBinId > range.toBinId;
}

/** A ladder that is sold out is replaced at once; if the price moved away from it, its provider waits. */
function patienceHours(habits: Habits, slot: ProviderSlot, position: ProviderPosition, pool: MarketPool): number {
  return habits.style === 'ladder' && isSoldOut(slot.side, position, pool) ? 0 : habits.patienceHours;
}

function hasReachedExit({ profit, loss }: { readonly profit: number; readonly loss: number }, ratio: number): boolean {
  return ratio >= 1 + profit || ratio <= 1 - loss;
}

function liquidityUsd(market: Market, pool: MarketPool): number {
  return market.books.worthOf(pool, pool.liquidity).usd;
}
