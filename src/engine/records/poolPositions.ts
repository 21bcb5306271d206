import type { PoolPositionsParameters } from '../engine';
import type { POOL_POSITION_COLUMNS, WireOnchainStats, WirePoolPositions, WirePositionBin, WirePositionState } from '../wire/pools';
import { binPrice } from '../wire/binRecords';
import type { BinPriceScale } from '../state/poolState';
import { difference, type KnownOrNull, sumOfWorths, UNKNOWN_WORTH, type UsdAndNative } from '../state/figures';
import { inOrder, onPage, pageCount } from './lists';
import { endOf, positionRecord, profitOf } from '../wire/positionRecord';
import { isOpen, type OpenPositionState, type PositionBins, type RecordedPosition } from '../state/positionState';

export interface PositionPage {
  /** Of all pages. */
  readonly total: number;
  readonly records: WirePoolPositions['positions'];
  /** Those that are open. */
  readonly open: readonly OpenPositionState[];
}

/** One page of the positions with enough profit; those without a known figure come last. @param now milliseconds since 1970 */
export function pageOfPositions(
  positions: readonly RecordedPosition[],
  { orderBy, sortOrder, minPnlUsd, minPnlNative, ...page }: Omit<PoolPositionsParameters, 'pool' | 'owner' | 'status'>,
  now: number,
): PositionPage {
  const fitting = positions
    .filter((position) => {
      const { usd, native } = profitOf(position);
      return isAtLeast(usd, minPnlUsd) && isAtLeast(native, minPnlNative);
    })
    .map((position) => ({ position, record: positionRecord(position, now) }));
  const shown = onPage(
    inOrder(fitting, (listed) => figureOf(listed, orderBy, now), sortOrder),
    page,
  );
  return {
    total: fitting.length,
    records: shown.map(({ record }) => record),
    open: shown.flatMap(({ position }) => (isOpen(position) ? [position] : [])),
  };
}

/** What the list of a pool's positions shows of the pool. */
export interface PositionPool {
  /** `undefined` in pools without bins. */
  readonly bins: (BinPriceScale & { readonly activeBinId: number }) | undefined;
  /** US dollars for one whole token, by mint. */
  readonly prices: ReadonlyMap<string, number>;
}

/** The answer to a pool's positions. @param contents the bins of the open positions of the page */
export function poolPositionsRecord(
  { total, records }: PositionPage,
  { bins, prices }: PositionPool,
  contents: readonly PositionBins[],
  { page, pageSize }: Pick<PoolPositionsParameters, 'page' | 'pageSize'>,
): WirePoolPositions {
  return {
    pagination: { page, pageSize, total, totalPages: pageCount(total, pageSize) },
    positions: records,
    positionState: bins === undefined ? [] : positionStates(bins, contents),
    ...(bins === undefined ? {} : { activeBin: binPrice(bins, bins.activeBinId) }),
    prices: Object.fromEntries(prices),
  };
}

/** Up to 1,400 bins in each. Fields that do not depend on the position are computed once for each bin. */
function positionStates(scale: BinPriceScale, contents: readonly PositionBins[]): readonly WirePositionState[] {
  const known = new Map<number, Pick<WirePositionBin, 'binId' | 'price' | 'pricePerToken' | 'binXAmount' | 'binYAmount'>>();
  return contents.map(({ position, bins }) => ({
    positionId: position,
    positionData: bins.map(({ binId, all, own, fees }) => {
      const shared = known.get(binId) ?? { ...binPrice(scale, binId), binXAmount: all.x.toString(), binYAmount: all.y.toString() };
      known.set(binId, shared);
      return {
        ...shared,
        positionXAmount: own.x.toString(),
        positionYAmount: own.y.toString(),
        feeX: fees.x.toString(),
        feeY: fees.y.toString(),
      };
    }),
  }));
}

export interface PoolOpenTotals {
  readonly pool: string;
  readonly positions: KnownOrNull;
  readonly owners: KnownOrNull;
  /** The deposits of each; `undefined`: not all are known. */
  readonly inputs: readonly UsdAndNative[] | undefined;
}

/** The answer to onchain-stats. */
export function onchainStatsRecord({ pool, positions, owners, inputs }: PoolOpenTotals): WireOnchainStats {
  const input = inputs === undefined ? UNKNOWN_WORTH : sumOfWorths(...inputs);
  return {
    poolStats: [
      { pool, total_open_positions: positions, unique_owners: owners, total_input_value: input.usd, total_input_native: input.native },
    ],
  };
}

function isAtLeast(figure: KnownOrNull, least: number | undefined): boolean {
  return least === undefined || (figure !== null && figure >= least);
}

/** The figure of a column. Texts with fewer places than the figure are not ordered by. */
function figureOf(
  { position, record }: { readonly position: RecordedPosition; readonly record: WirePoolPositions['positions'][number] },
  column: (typeof POOL_POSITION_COLUMNS)[number],
  now: number,
): KnownOrNull {
  switch (column) {
    case 'pnl':
      return record.pnl.value;
    case 'age':
    case 'ageHour':
      return difference(endOf(position, now), position.openedAt);
    case 'createdAt':
      return position.openedAt;
    case 'updatedAt':
      return position.updatedAt;
    default: {
      const figure = record[column];
      return typeof figure === 'string' ? Number(figure) : figure;
    }
  }
}
