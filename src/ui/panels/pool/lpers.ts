import type { Page } from '../../../service/common';
import { LPER_SORTS, type LperSort, type PoolLper } from '../../../service/pools';
import type { OpenPosition } from '../../../service/positions';
import { MAX_BINS_PER_POSITION } from '../../../base/dlmm/bins';
import type { LpersPage, LpersQuery, LperRow } from '../../../protocol/pool';
import type { Address } from '../../../base/solana/address';

/** A query that the service accepts. */
export type SortableLpersQuery = LpersQuery & { readonly orderBy: LperSort };

export const LPERS_PER_PAGE = 20;

/** The query, if the service can sort by its column. */
export function sortableQuery(query: LpersQuery): SortableLpersQuery | undefined {
  const orderBy = LPER_SORTS.find((sort) => sort === query.orderBy);
  return orderBy === undefined ? undefined : { ...query, orderBy };
}

export function isSameQuery(one: LpersQuery, other: LpersQuery): boolean {
  return one.orderBy === other.orderBy && one.sortOrder === other.sortOrder && one.page === other.page;
}

/** A page of the top LPers with its query. */
export interface LpersRead {
  readonly query: LpersQuery;
  readonly page: Page<PoolLper>;
}

/** Converts a page to the panel's format. @param own the selected wallet */
export function lpersPageOf({ query, page }: LpersRead, own: Address | undefined): LpersPage {
  const { items, pageSize, totalCount, totalPages, hasNextPage } = page;
  return { query, rows: items.map((lper) => lperRowOf(lper, own)), pageSize, totalCount, totalPages, hasNextPage };
}

function lperRowOf(lper: PoolLper, own: Address | undefined): LperRow {
  const { owner, inflow, averageInflow, outflow, fee, reward, pnl, feeRate, winRate, roi, apr, positions, won, averageAgeHours } = lper;
  return {
    ...{
      owner,
      isOwn: owner === own,
      inflow,
      averageInflow,
      outflow,
      fee,
      reward,
      pnl,
      feeRate,
      winRate,
      roi,
      apr,
      positions,
      won,
      averageAgeHours,
    },
    firstActivityMs: lper.firstActivity?.getTime(),
    lastActivityMs: lper.lastActivity?.getTime(),
  };
}

/** A wallet's open ranges in one pool. */
export interface RangesRead {
  readonly owner: Address;
  readonly ranges: readonly {
    readonly lowerBinId: number;
    readonly upperBinId: number;
    readonly strategy: string | undefined;
    readonly value: OpenPosition['value'];
  }[];
}

/** Maximum number of ranges shown: each has its own button. */
const MOST_RANGES = 100;

/** The ranges that can be used for a plan: those in the pool with both bounds and a valid width, most valuable first. */
export function rangesIn(pool: Address, owner: Address, positions: readonly OpenPosition[]): RangesRead {
  const ranges = positions.flatMap(({ pool: at, lowerBinId, upperBinId, strategy, value }) =>
    at !== pool ||
    lowerBinId === undefined ||
    upperBinId === undefined ||
    lowerBinId > upperBinId ||
    upperBinId - lowerBinId >= MAX_BINS_PER_POSITION
      ? []
      : [{ lowerBinId, upperBinId, strategy, value }],
  );
  return {
    owner,
    ranges: ranges
      .sort((one, other) => (other.value.usd ?? -Infinity) - (one.value.usd ?? -Infinity) || one.lowerBinId - other.lowerBinId)
      .slice(0, MOST_RANGES),
  };
}
