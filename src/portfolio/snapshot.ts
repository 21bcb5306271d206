import type { Address } from '../solana/address';
import { isSame, isUnchanged, listChange } from './diff';
import { totalsOf } from './totals';
import type { PortfolioChange, PortfolioSnapshot } from './types';

/** What is known before anything was read. */
export function emptySnapshot(owner: Address | undefined): PortfolioSnapshot {
  return {
    owner,
    positions: [],
    positionsState: { kind: 'idle' },
    totals: totalsOf([]),
    pools: [],
    poolsState: { kind: 'idle' },
    poolsHaveMore: false,
  };
}

/** A snapshot with some parts replaced; the totals always fit its positions. */
export function withParts(before: PortfolioSnapshot, parts: Partial<Omit<PortfolioSnapshot, 'totals'>>): PortfolioSnapshot {
  const totals = parts.positions === undefined ? before.totals : totalsOf(parts.positions);
  return { ...before, ...parts, totals };
}

/** What differs between two snapshots; `undefined` where nothing does. */
export function changeBetween(before: PortfolioSnapshot, snapshot: PortfolioSnapshot): PortfolioChange | undefined {
  const positions = listChange(before.positions, snapshot.positions, (position) => position.key);
  const pools = listChange(before.pools, snapshot.pools, (pool) => pool.address);
  const summaryChanged =
    before.owner !== snapshot.owner ||
    before.positionsState !== snapshot.positionsState ||
    before.poolsState !== snapshot.poolsState ||
    before.poolsHaveMore !== snapshot.poolsHaveMore ||
    !isSame(before.totals, snapshot.totals);
  return summaryChanged || !isUnchanged(positions) || !isUnchanged(pools) ? { snapshot, positions, pools, summaryChanged } : undefined;
}
