import { binStepOf, MAX_BINS_PER_POSITION } from '../../base/dlmm/bins';
import { type EventKind, kindOfEvent } from '../../base/insight/positionEvents';
import { shortAddress } from '../../base/format/identifiers';
import type { Address } from '../../base/solana/address';
import { factsOf, type TokenFacts } from '../../base/tokenFacts';
import type { PortfolioSnapshot } from '../../portfolio/types';
import type { LperRow, LpersPage, LpersQuery, OwnRange, OwnTrade, PoolView, TokenView } from '../../protocol/pool';
import type { Part } from '../../protocol/schemas';
import type { Page, Token } from '../../service/common';
import type { PoolInfo, PoolTokenFacts } from '../../service/poolInfo';
import { LPER_SORTS, type LperSort, type PoolLper } from '../../service/poolLpers';
import type { Pool } from '../../service/pools';
import type { PositionLog } from '../../service/positionLogs';
import type { OpenPosition } from '../../service/positions';
import { stateOfList } from './query';

/** Maximum number of bins sent to a panel: the widest position has 1,400, services report some hundreds. */
const MOST_BINS = 10_000;

/** Symbol of an unknown token. */
const UNKNOWN_SYMBOL = '?';

/**
 * Builds the pool panel's data from the pool's details and its record in the search, which has volumes, price changes and TVL. Without a record, the
 * details' own statistics are used.
 * @param pool its shortened address is the name if the tokens are unknown
 * @param recordAsOfMs when the record was read
 */
export function poolViewOf(info: PoolInfo, record: Pool | undefined, pool?: Address, recordAsOfMs?: number): PoolView {
  const [factsX, factsY] = info.tokens;
  const x = tokenView(factsX, record?.token0, { ...factsOf(record), priceUsd: record?.price0Usd, holders: record?.holders });
  const y = tokenView(factsY, record?.token1, { priceUsd: record?.price1Usd });
  const { fees, activeBin, statistics } = info;
  const tvlUsd = record?.tvlUsd ?? statistics.tvlUsd;
  const feeTvl24h = record?.feeTvlRatio24h;
  return {
    pairName:
      record?.pairName ??
      (pool !== undefined && x.symbol === UNKNOWN_SYMBOL && y.symbol === UNKNOWN_SYMBOL ? shortAddress(pool) : `${x.symbol}/${y.symbol}`),
    poolType: info.poolType,
    x,
    y,
    price: activeBin?.price ?? ratioOf(x.priceUsd, y.priceUsd),
    binStepBps: record?.binStepBps ?? statistics.binStepBps ?? binStepOf(info.bins),
    tvlUsd,
    amountX: info.amountX ?? record?.liquidity0,
    amountY: info.amountY ?? record?.liquidity1,
    volumeUsd: {
      '5m': record?.volumeUsd['5m'] ?? statistics.volumeUsd?.['5m'],
      '1h': record?.volumeUsd['1h'] ?? statistics.volumeUsd?.['1h'],
      '6h': record?.volumeUsd['6h'] ?? statistics.volumeUsd?.['6h'],
      '24h': record?.volumeUsd['24h'] ?? statistics.volumeUsd?.['24h'],
    },
    volumeChangePercent: { ...record?.volumeChangePercent },
    priceChangePercent: { ...record?.priceChangePercent },
    ...(record?.price0Usd === undefined || recordAsOfMs === undefined
      ? {}
      : { priceAfterChanges: { usd: record.price0Usd, atMs: recordAsOfMs } }),
    fees: {
      basePercent: fees.basePercent ?? record?.baseFeePercent,
      dynamicPercent: fees.dynamicPercent,
      maxPercent: fees.maxPercent,
      protocolPercent: fees.protocolPercent,
      ...(fees.collectedIn === undefined ? {} : { collectedIn: fees.collectedIn }),
      fees24hUsd: statistics.fees24hUsd ?? productOf(feeTvl24h, tvlUsd),
      feeTvl24h: feeTvl24h ?? ratioOf(statistics.fees24hUsd, tvlUsd),
    },
    createdAtMs: (record?.createdAt ?? statistics.createdAt)?.getTime(),
    activeBinId: activeBin?.binId,
    bins: info.bins.slice(0, MOST_BINS).map(({ binId, amountX, amountY }) => ({ binId, x: amountX, y: amountY })),
    feeStats: info.feeStats.map(({ at, feeUsd, volumeUsd }) => ({ atMs: at.getTime(), feeUsd, volumeUsd })),
  };
}

type ListedFigures = TokenFacts & Partial<Pick<PoolTokenFacts, 'priceUsd' | 'holders'>>;

/** A token's details, completed from the record. */
function tokenView(facts: PoolTokenFacts | undefined, listed: Token | undefined, figures: ListedFigures): TokenView {
  return {
    ...figures,
    address: facts?.address ?? listed?.address,
    symbol: facts?.symbol ?? listed?.symbol ?? UNKNOWN_SYMBOL,
    name: facts?.name ?? listed?.name,
    decimals: facts?.decimals ?? listed?.decimals,
    priceUsd: facts?.priceUsd ?? figures.priceUsd,
    marketCapUsd: facts?.marketCapUsd ?? figures.marketCapUsd,
    fdvUsd: facts?.fdvUsd ?? figures.fdvUsd,
    organicScore: facts?.organicScore ?? figures.organicScore,
    holders: facts?.holders ?? figures.holders,
  };
}

function ratioOf(part: number | undefined, whole: number | undefined): number | undefined {
  return part === undefined || whole === undefined || whole <= 0 ? undefined : part / whole;
}

function productOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one * other;
}

/** Maximum number of own ranges: all are redrawn with each movement, and thousands would freeze the panel. Each locks rent, so no wallet has as many in one pool. */
const MAX_OWN_RANGES = 200;

/** The selected wallet's positions in a pool, with the state of the list of positions; empty without a wallet. */
export function ownRangesOf({ owner, positions, positionsState }: PortfolioSnapshot, pool: Address): Part<readonly OwnRange[]> {
  return owner === undefined
    ? { status: 'ready', data: [] }
    : stateOfList(
        positionsState,
        positions
          .filter((position) => position.pool === pool)
          .slice(0, MAX_OWN_RANGES)
          .map(ownRange),
      );
}

function ownRange({ key, address, lowerBinId, upperBinId, inRange, strategy, value, pnl, uncollectedFee }: OpenPosition): OwnRange {
  return { key, address, lowerBinId, upperBinId, inRange, strategy, value, pnl, uncollectedFee };
}

/** Longer lists are cut: marks beyond these are not told apart. */
const MAX_OWN_TRADES = 500;

/** The deposits and withdrawals among events, ascending by time; the newest of too many. */
export function ownTradesOf(logs: readonly PositionLog[]): readonly OwnTrade[] {
  const trades = logs.flatMap(({ action, at, price0Usd, price1Usd }): readonly OwnTrade[] => {
    const kind = TRADES[kindOfEvent({ action })];
    const price = (price0Usd ?? NaN) / (price1Usd ?? NaN);
    return kind === undefined || at === undefined
      ? []
      : [{ atMs: at.getTime(), kind, ...(Number.isFinite(price) && price > 0 ? { price } : {}) }];
  });
  return trades.sort((one, other) => one.atMs - other.atMs).slice(-MAX_OWN_TRADES);
}

const TRADES: Readonly<Partial<Record<EventKind, OwnTrade['kind']>>> = { deposit: 'entry', withdrawal: 'exit' };

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
const MAX_LPER_RANGES = 100;

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
      .slice(0, MAX_LPER_RANGES),
  };
}
