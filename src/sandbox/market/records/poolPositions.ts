import { MAX_BIN_ID, MIN_BIN_ID } from '../../../base/dlmm/bins';
import type { PoolPositionsParameters } from '../../../server/engine';
import type { POOL_POSITION_COLUMNS, WirePoolPositions, WirePositionBin, WirePositionState } from '../../../server/wire/poolPositions';
import type { WireClosedPosition, WireOpenPosition } from '../../../server/wire/positions';
import { POSITION_COLUMNS, PositionRow } from '../storedPosition';
import type { BinHolding, BinPool, Pool, Position } from '../types';
import { binPrice } from './poolFigures';
import { pageCount } from './common';
import { closedRecordOf, CountRow } from './historical';
import { openRecords } from './opening';
import { LEAST_AGE_MS } from './positionRecord';
import { NO_PRESENT, PRESENT, presentIn } from './present';
import type { RecordContext } from './reading';

type Column = (typeof POOL_POSITION_COLUMNS)[number];

const VALUE_USD = 'CASE WHEN p.closed_at IS NULL THEN v.value_usd ELSE p.input_usd END';
const VALUE_NATIVE = 'CASE WHEN p.closed_at IS NULL THEN v.value_native ELSE p.input_native END';
const PNL_USD = '(p.pnl_usd + coalesce(v.value_usd + v.due_usd, 0.0))';
const PNL_NATIVE = '(p.pnl_native + coalesce(v.value_native + v.due_native, 0.0))';
const AGE = '(coalesce(p.closed_at, ?3) - p.opened_at)';
const AGE_AT_LEAST = `max(${LEAST_AGE_MS}.0, ${AGE})`;

/** What a record has under that name, of `position` p and `present` v. */
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

/** Those that depend on what open positions are worth now. */
const OF_PRESENT: ReadonlySet<Column> = new Set(['currentValue', 'uncollectedFee', 'value', 'valueNative', 'pnl', 'dpr', 'dprNative']);

/** What open positions are worth (1), the pool (2), the time (3), the owner (4), 1 for open and 0 for closed ones (5), least profits (6, 7); null: no matter. */
const FITTING = `FROM position p LEFT JOIN present v ON v.position = p.address
WHERE p.pool = ?2 AND (?4 IS NULL OR p.owner = ?4) AND (?5 IS NULL OR (p.closed_at IS NULL) = ?5)
  AND (?6 IS NULL OR ${PNL_USD} >= ?6) AND (?7 IS NULL OR ${PNL_NATIVE} >= ?7)`;
const COUNT = `WITH ${PRESENT} SELECT count(*) AS count ${FITTING}`;

/** Positions of a pool, open and closed, one page of them; equals by address. Open ones of bin pools with their bins. */
export function poolPositionRecords(
  reading: RecordContext,
  pool: Pool,
  parameters: Omit<PoolPositionsParameters, 'pool'>,
): WirePoolPositions {
  const { database, market } = reading;
  const { owner, status, page, pageSize, leastPnlUsd, leastPnlNative } = parameters;
  const asksPresent = leastPnlUsd !== undefined || leastPnlNative !== undefined || OF_PRESENT.has(parameters.orderBy);
  const isOpen = status === undefined ? null : status === 'Open' ? 1 : 0;
  const which = [
    asksPresent ? presentIn(market, pool) : NO_PRESENT,
    pool.address,
    market.now,
    owner ?? null,
    isOpen,
    leastPnlUsd ?? null,
    leastPnlNative ?? null,
  ] as const;
  const total = database.get(CountRow, COUNT, ...which) ?? 0;
  const positions = database.all(PositionRow, pageSql(parameters), ...which, pageSize, (page - 1) * pageSize);
  const open = positions.flatMap(({ address, closing }) => (closing === null ? (market.positions.at(address) ?? []) : []));
  return {
    pagination: { page, pageSize, total, totalPages: pageCount(total, pageSize) },
    positions: inOrder(positions, openRecords(reading, open), (position) => closedRecordOf(reading, position)),
    ...(pool.type === 'bins' ? binFigures(pool, open) : { positionState: [] }),
    prices: { [pool.tokenX.mint]: market.usd(pool.tokenX), [pool.tokenY.mint]: market.usd(pool.tokenY) },
  };
}

function binFigures(pool: BinPool, open: readonly Readonly<Position>[]): Pick<WirePoolPositions, 'positionState' | 'activeBin'> {
  const states = new BinStates(pool);
  return { positionState: open.flatMap((position) => states.of(position)), activeBin: binPrice(pool, pool.activeBinId) };
}

/** The statement that gives one page: parameters of {@link FITTING}, how many (8), after how many (9). */
export function pageSql({ orderBy, sortOrder }: Pick<PoolPositionsParameters, 'orderBy' | 'sortOrder'>): string {
  return `WITH ${PRESENT} SELECT ${POSITION_COLUMNS} ${FITTING} ORDER BY ${EXPRESSIONS[orderBy]} ${sortOrder}, p.address LIMIT ?8 OFFSET ?9`;
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

/** The bins of open positions. What is the same for all positions of a bin is made once: there are up to 1,400 of them in each. */
class BinStates {
  readonly #bins = new Map<number, Omit<WirePositionBin, 'positionXAmount' | 'positionYAmount' | 'feeX' | 'feeY'>>();

  readonly #pool: BinPool;

  constructor(pool: BinPool) {
    this.#pool = pool;
  }

  /** Fees that were settled before stand with the bin nearest to the active one, so that all together are what can be collected. */
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
    const bin = { ...binPrice(this.#pool, binId), binXAmount: x.toString(), binYAmount: y.toString() };
    this.#bins.set(binId, bin);
    return bin;
  }
}
