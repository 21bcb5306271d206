import * as z from 'zod';
import { MAX_BIN_ID, MIN_BIN_ID } from '../../../base/dlmm/bins';
import type { PoolPositionsParameters, TopLpersParameters } from '../../../engine/engine';
import { isoDate, pageCount } from '../../../engine/records/text';
import { binPrice } from '../../../engine/records/binRecords';
import type { WithoutNulls } from '../../../engine/wire/known';
import type {
  LPER_FIGURES,
  POOL_POSITION_COLUMNS,
  WirePoolPositions,
  WirePositionBin,
  WirePositionState,
  WireTopLpers,
} from '../../../engine/wire/pools';
import type { WireClosedPosition, WireOpenPosition } from '../../../engine/wire/positions';
import { POSITION_COLUMNS, PositionRow } from '../positionStore';
import type { BinHolding, BinPool, Market, MarketPool, Position } from '../types';
import { scaleOf } from './poolFigures';
import { closedRecordOf, openRecords } from './positionLists';
import { MIN_AGE_MS } from '../../../engine/records/positionRecord';
import { CountRow, type RecordContext } from './recordContext';

/**
 * A common table expression `present` of the present value and uncollected fees of open positions, from a JSON list in parameter 1.
 * Closed positions are not in the list.
 */
const OPEN_VALUES = `present AS MATERIALIZED (
  SELECT value ->> 0 AS position, value ->> 1 AS value_usd, value ->> 2 AS value_native, value ->> 3 AS due_usd, value ->> 4 AS due_native FROM json_each(?1)
)`;

/** An empty list for {@link OPEN_VALUES}, for statements that need no values. */
const NO_VALUES = '[]';

/** The list for {@link OPEN_VALUES} with all open positions of a pool. */
function openValuesIn({ books, positions }: Market, pool: MarketPool): string {
  const rows = positions.openIn(pool.address).map((position) => {
    const value = books.worthOf(pool, books.amountsOf(pool, position));
    const fee = books.worthOf(pool, books.feesOf(pool, position));
    return [position.address, value.usd, value.native, fee.usd, fee.native];
  });
  return JSON.stringify(rows);
}

type Column = (typeof POOL_POSITION_COLUMNS)[number];

const VALUE_USD = 'CASE WHEN p.closed_at IS NULL THEN v.value_usd ELSE p.input_usd END';
const VALUE_NATIVE = 'CASE WHEN p.closed_at IS NULL THEN v.value_native ELSE p.input_native END';
const PNL_USD = '(p.pnl_usd + coalesce(v.value_usd + v.due_usd, 0.0))';
const PNL_NATIVE = '(p.pnl_native + coalesce(v.value_native + v.due_native, 0.0))';
const AGE = '(coalesce(p.closed_at, ?3) - p.opened_at)';
const AGE_AT_LEAST = `max(${MIN_AGE_MS}.0, ${AGE})`;

/** SQL expressions of record fields, from `position` p and `present` v. */
const EXPRESSIONS: Readonly<Record<Column, string>> = {
  inputNative: 'p.input_native',
  inputValue: 'p.input_usd',
  outputNative: 'p.output_native',
  outputValue: 'p.output_usd',
  collectedReward: '0.0',
  collectedRewardNative: '0.0',
  collectedFee: 'p.fee_usd',
  collectedFeeNative: 'p.fee_native',
  currentValue: VALUE_USD,
  uncollectedFee: 'coalesce(v.due_usd, 0.0)',
  value: VALUE_USD,
  valueNative: VALUE_NATIVE,
  pnl: PNL_USD,
  pnlNative: 'p.pnl_native',
  dpr: `coalesce(${PNL_USD} / nullif(p.input_usd, 0.0), 0.0) / ${AGE_AT_LEAST}`,
  dprNative: `coalesce(${PNL_NATIVE} / nullif(p.input_native, 0.0), 0.0) / ${AGE_AT_LEAST}`,
  ageHour: AGE,
  age: AGE,
  tickLower: `coalesce(p.lower_bin, ${MIN_BIN_ID})`,
  tickUpper: `coalesce(p.upper_bin, ${MAX_BIN_ID})`,
  createdAt: 'p.opened_at',
  updatedAt: 'p.updated_at',
};

/** Columns that depend on the present value of open positions. */
const OF_PRESENT: ReadonlySet<Column> = new Set(['currentValue', 'uncollectedFee', 'value', 'valueNative', 'pnl', 'dpr', 'dprNative']);

/** Parameters: open values (1), pool (2), time (3), owner (4), 1 for open and 0 for closed (5), lowest profits (6, 7). A null matches everything. */
const FITTING = `FROM position p LEFT JOIN present v ON v.position = p.address
WHERE p.pool = ?2 AND (?4 IS NULL OR p.owner = ?4) AND (?5 IS NULL OR (p.closed_at IS NULL) = ?5)
  AND (?6 IS NULL OR ${PNL_USD} >= ?6) AND (?7 IS NULL OR ${PNL_NATIVE} >= ?7)`;
const COUNT = `WITH ${OPEN_VALUES} SELECT count(*) AS count ${FITTING}`;

/** One page of the open and closed positions of a pool, ties by address; with the bins of open positions. */
export function poolPositionRecords(
  context: RecordContext,
  pool: MarketPool,
  parameters: Omit<PoolPositionsParameters, 'pool'>,
): WirePoolPositions {
  const { database, market } = context;
  const { owner, status, page, pageSize, minPnlUsd, minPnlNative } = parameters;
  const asksPresent = minPnlUsd !== undefined || minPnlNative !== undefined || OF_PRESENT.has(parameters.orderBy);
  const isOpen = status === undefined ? null : status === 'Open' ? 1 : 0;
  const which = [
    asksPresent ? openValuesIn(market, pool) : NO_VALUES,
    pool.address,
    market.now,
    owner ?? null,
    isOpen,
    minPnlUsd ?? null,
    minPnlNative ?? null,
  ] as const;
  const total = database.get(CountRow, COUNT, ...which) ?? 0;
  const positions = database.all(PositionRow, positionPageSql(parameters), ...which, pageSize, (page - 1) * pageSize);
  const open = positions.flatMap(({ address, closing }) => (closing === null ? (market.positions.at(address) ?? []) : []));
  return {
    pagination: { page, pageSize, total, totalPages: pageCount(total, pageSize) },
    positions: inOrder(positions, openRecords(context, open), (position) => closedRecordOf(context, position)),
    ...(pool.type === 'bins' ? binFigures(pool, open) : { positionState: [] }),
    prices: { [pool.tokenX.mint]: market.usd(pool.tokenX), [pool.tokenY.mint]: market.usd(pool.tokenY) },
  };
}

function binFigures(pool: BinPool, open: readonly Readonly<Position>[]): Pick<WirePoolPositions, 'positionState' | 'activeBin'> {
  const states = new BinStates(pool);
  return { positionState: open.flatMap((position) => states.of(position)), activeBin: binPrice(scaleOf(pool), pool.activeBinId) };
}

/** Statement for one page: parameters of {@link FITTING}, limit (8), offset (9). */
export function positionPageSql({ orderBy, sortOrder }: Pick<PoolPositionsParameters, 'orderBy' | 'sortOrder'>): string {
  return `WITH ${OPEN_VALUES} SELECT ${POSITION_COLUMNS} ${FITTING} ORDER BY ${EXPRESSIONS[orderBy]} ${sortOrder}, p.address LIMIT ?8 OFFSET ?9`;
}

function inOrder(
  positions: readonly Position[],
  open: readonly WireOpenPosition[],
  closed: (position: Position) => readonly WireClosedPosition[],
): WirePoolPositions['positions'] {
  const byAddress = new Map(open.map((record) => [record.position, record]));
  return positions.flatMap((position): WirePoolPositions['positions'] => {
    const record = byAddress.get(position.address);
    return record === undefined ? closed(position) : [record];
  });
}

/** The bins of open positions, up to 1,400 in each. Fields that do not depend on the position are computed once per bin. */
class BinStates {
  readonly #bins = new Map<number, Omit<WirePositionBin, 'positionXAmount' | 'positionYAmount' | 'feeX' | 'feeY'>>();

  readonly #pool: BinPool;

  constructor(pool: BinPool) {
    this.#pool = pool;
  }

  /** Settled fees are added to the bin nearest to the active one, so that the bins add up to all collectable fees. */
  of({ address, holding }: Readonly<Position>): readonly WirePositionState[] {
    if (holding?.type !== 'bins') {
      return [];
    }
    const { lowerBinId, bins } = holding;
    const nearest = Math.min(Math.max(this.#pool.activeBinId, lowerBinId), lowerBinId + bins.length - 1);
    return [
      { positionId: address, positionData: bins.map((_, place) => this.#bin(holding, lowerBinId + place, lowerBinId + place === nearest)) },
    ];
  }

  #bin(holding: BinHolding, binId: number, hasSettled: boolean): WirePositionBin {
    const own = this.#pool.amountsInBin(holding, binId);
    const fees = this.#pool.feesInBin(holding, binId);
    return {
      ...this.#shared(binId),
      positionXAmount: own.x.toString(),
      positionYAmount: own.y.toString(),
      feeX: (hasSettled ? fees.x + holding.pendingX : fees.x).toString(),
      feeY: (hasSettled ? fees.y + holding.pendingY : fees.y).toString(),
    };
  }

  #shared(binId: number): Omit<WirePositionBin, 'positionXAmount' | 'positionYAmount' | 'feeX' | 'feeY'> {
    const known = this.#bins.get(binId);
    if (known !== undefined) {
      return known;
    }
    const { x, y } = this.#pool.binAmounts(binId);
    const bin = { ...binPrice(scaleOf(this.#pool), binId), binXAmount: x.toString(), binYAmount: y.toString() };
    this.#bins.set(binId, bin);
    return bin;
  }
}

/** One row for each owner. Parameters: open values (1), pool (2), time (3). Fees include uncollected ones; profit includes open positions. */
const LPERS = `
WITH ${OPEN_VALUES}, result AS (
  SELECT p.owner, p.input_usd, p.input_native, p.output_usd, p.output_native, p.opened_at, p.updated_at,
    p.fee_usd + coalesce(v.due_usd, 0.0) AS fee_usd, p.fee_native + coalesce(v.due_native, 0.0) AS fee_native,
    p.pnl_usd + coalesce(v.value_usd + v.due_usd, 0.0) AS pnl_usd, p.pnl_native + coalesce(v.value_native + v.due_native, 0.0) AS pnl_native,
    (coalesce(p.closed_at, ?3) - p.opened_at) / 3600000.0 AS age_hours
  FROM position p LEFT JOIN present v ON v.position = p.address WHERE p.pool = ?2
),
lper AS (
  SELECT owner, total(input_usd) AS total_inflow, avg(input_usd) AS avg_inflow, total(output_usd) AS total_outflow, total(fee_usd) AS total_fee,
    total(pnl_usd) AS total_pnl, total(input_native) AS total_inflow_native, avg(input_native) AS avg_inflow_native,
    total(output_native) AS total_outflow_native, 0.0 AS total_reward, total(fee_native) AS total_fee_native, 0.0 AS total_reward_native,
    total(pnl_native) AS total_pnl_native, count(*) AS total_lp, avg(age_hours) AS avg_age_hour,
    count(*) FILTER (WHERE pnl_usd > 0) AS win_lp, count(*) FILTER (WHERE pnl_native > 0) AS win_lp_native,
    min(opened_at) AS first_activity, max(updated_at) AS last_activity
  FROM result GROUP BY owner
),
rated AS (
  SELECT *, 1.0 * win_lp / total_lp AS win_rate, 1.0 * win_lp_native / total_lp AS win_rate_native,
    coalesce(total_fee / nullif(total_inflow, 0.0), 0.0) AS fee_percent, coalesce(total_fee_native / nullif(total_inflow_native, 0.0), 0.0) AS fee_percent_native,
    coalesce(total_pnl / nullif(total_inflow, 0.0), 0.0) AS roi
  FROM lper
)
SELECT *, coalesce(100.0 * roi * 8760.0 / nullif(avg_age_hour, 0.0), 0.0) AS apr FROM rated`;
const LPER_COUNT = 'SELECT count(DISTINCT owner) AS count FROM position WHERE pool = ?';

const figure = z.number();
const Figures = z.object({
  total_inflow: figure,
  avg_inflow: figure,
  total_outflow: figure,
  total_fee: figure,
  total_pnl: figure,
  total_inflow_native: figure,
  avg_inflow_native: figure,
  total_outflow_native: figure,
  total_reward: figure,
  total_fee_native: figure,
  total_reward_native: figure,
  total_pnl_native: figure,
  total_lp: figure,
  avg_age_hour: figure,
  win_lp: figure,
  win_lp_native: figure,
  win_rate: figure,
  win_rate_native: figure,
  fee_percent: figure,
  fee_percent_native: figure,
  apr: figure,
  roi: figure,
} satisfies Record<(typeof LPER_FIGURES)[number], typeof figure>);
const LperRow = Figures.extend({ owner: z.string(), first_activity: z.number(), last_activity: z.number() });

/** One page of the liquidity providers of a pool; ties by address. */
export function topLperRecords(
  { database, market, protocols }: RecordContext,
  pool: MarketPool,
  parameters: Omit<TopLpersParameters, 'pool'>,
): WithoutNulls<WireTopLpers> {
  const { page, pageSize } = parameters;
  const totalCount = database.get(CountRow, LPER_COUNT, pool.address) ?? 0;
  const rows = database.all(
    LperRow,
    lperPageSql(parameters),
    openValuesIn(market, pool),
    pool.address,
    market.now,
    pageSize,
    (page - 1) * pageSize,
  );
  const totalPages = pageCount(totalCount, pageSize);
  const data = rows.map(({ owner, first_activity, last_activity, ...figures }) => ({
    pool: pool.address,
    owner,
    protocol: protocols[pool.type],
    token0: pool.tokenX.mint,
    token1: pool.tokenY.mint,
    ...figures,
    first_activity: isoDate(first_activity),
    last_activity: isoDate(last_activity),
  }));
  return { data, pagination: { page, pageSize, totalCount, totalPages, hasNextPage: page < totalPages } };
}

/** Statement for one page: parameters of {@link LPERS}, limit (4), offset (5). */
export function lperPageSql({ orderBy, sortOrder }: Pick<TopLpersParameters, 'orderBy' | 'sortOrder'>): string {
  return `${LPERS} ORDER BY ${orderBy} ${sortOrder}, owner LIMIT ?4 OFFSET ?5`;
}
