import type { Address } from '../../../base/solana/address';
import { WHOLE_BPS } from '../../../base/basisPoints';
import type { Market, Pool } from '../types';

/** An anchor does nothing while what a pool has, as a part of what is usual in it, is between these. */
const LEAST_PART = 0.85;
const MOST_PART = 1.2;
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
  if (there < LEAST_PART * tvlUsd) {
    return { kind: 'add', usd: tvlUsd - there };
  }
  const own = market.positions.at(position);
  if (there <= MOST_PART * tvlUsd || own === undefined) {
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
