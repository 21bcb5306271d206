import { WHOLE_BPS } from '../../base/basisPoints';
import { type BinRange, MAX_BIN_ID, MIN_BIN_ID, uiPriceOfBin } from '../../base/dlmm/bins';
import { type KnownOrNull, mapped, product } from '../state/figures';
import type { PoolMoment, RecordPool } from '../state/positionState';

/** Basis points of a tick in pools without bins: the program bounds their prices by 1.0001^±443636, as the others' at a bin step of 1. */
const TICK_BPS = 1;

/** Range and price of a position in bins; in pools without bins, in ticks of one basis point over the program's full range. */
export interface PositionPlacement {
  readonly lower: number | null;
  readonly upper: number | null;
  readonly current: number | null;
  readonly isInRange: boolean | null;
  /** US dollars for one token0: lower end, upper end, now. */
  readonly priceRange: readonly [KnownOrNull, KnownOrNull, KnownOrNull];
  /** The `poolInfo` field of the record. */
  readonly poolInfo: { readonly fee: KnownOrNull; readonly tickSpacing: number };
}

/** Range of a position in its pool. */
export function placementOf(pool: RecordPool, range: BinRange | null, moment: PoolMoment): PositionPlacement {
  const { bins } = pool;
  return bins.kind === 'bins' ? binPlacement(pool, bins.stepBps, range, moment) : tickPlacement(pool, bins.baseFeeBps, moment);
}

function binPlacement(
  pool: RecordPool,
  stepBps: number,
  range: BinRange | null,
  { uiPrice, usd1, activeBinId }: PoolMoment,
): PositionPlacement {
  const priceAt = (binId: number | undefined): KnownOrNull =>
    binId === undefined || usd1 === null ? null : uiPriceOfBin(binId, stepBps, pool.token0.decimals, pool.token1.decimals) * usd1;
  return {
    lower: range?.fromBinId ?? null,
    upper: range?.toBinId ?? null,
    current: activeBinId,
    isInRange: range === null || activeBinId === null ? null : range.fromBinId <= activeBinId && activeBinId <= range.toBinId,
    priceRange: [priceAt(range?.fromBinId), priceAt(range?.toBinId), product(uiPrice, usd1)],
    poolInfo: { fee: stepBps, tickSpacing: stepBps },
  };
}

function tickPlacement({ token0, token1 }: RecordPool, baseFeeBps: KnownOrNull, { uiPrice, usd1 }: PoolMoment): PositionPlacement {
  const priceAt = (tick: number): KnownOrNull =>
    mapped(usd1, (usd) => uiPriceOfBin(tick, TICK_BPS, token0.decimals, token1.decimals) * usd);
  const tickAt = (price: number): number =>
    Math.floor(Math.log(price * 10 ** (token1.decimals - token0.decimals)) / Math.log1p(TICK_BPS / WHOLE_BPS));
  return {
    lower: MIN_BIN_ID,
    upper: MAX_BIN_ID,
    current: mapped(uiPrice, tickAt),
    isInRange: true,
    priceRange: [priceAt(MIN_BIN_ID), priceAt(MAX_BIN_ID), product(uiPrice, usd1)],
    poolInfo: { fee: baseFeeBps, tickSpacing: TICK_BPS },
  };
}
