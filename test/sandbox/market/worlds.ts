import { addressFromBytes, type Address } from '../../../src/solana/address';
import { marketWithPast } from '../../../src/sandbox/market/history';
import type { Market } from '../../../src/sandbox/market/market';
import type { Pool } from '../../../src/sandbox/market/pool';
import { emptyPosition, type PositionState } from '../../../src/sandbox/market/position';

/** 2026-11-20T12:00:00Z. */
export const NOON = 1_795_176_000_000;

/** The owner in tests of the market. */
export const OWNER: Address = addressFromBytes(new Uint8Array(32).fill(7));

/** A market with its past, standing at noon. */
export function worldAt(seed: number, now = NOON): Market {
  return marketWithPast(seed, now, OWNER, 1);
}

/** @throws Error where the catalogue has no such pool. */
export function poolOf(market: Market, key: string): Pool {
  const pool = market.pools.find(({ spec }) => spec.key === key);
  if (pool === undefined) {
    throw new Error(`There is no pool ${key}`);
  }
  return pool;
}

/** A position with nothing in it, of bins counted from the active one. */
export function positionIn(pool: Pool, lower: number, upper: number, byte = 1): PositionState {
  return emptyPosition({
    address: addressFromBytes(new Uint8Array(32).fill(byte)),
    owner: OWNER,
    pool: pool.address,
    strategy: 'Spot',
    lowerBinId: pool.activeBinId + lower,
    upperBinId: pool.activeBinId + upper,
    createdAt: NOON,
  });
}
