import type { BinRange } from '../../../base/dlmm/bins';
import { NO_WORTH } from '../../../engine/records/figures';
import type { PositionFacts, RecordPool } from '../../../engine/records/positionState';
import type { PoolMoment } from '../../../engine/records/placement';
import * as records from '../../../engine/records/positionRecord';
import type { WireClosedPosition, WireOpenPosition, WirePositionLog } from '../../../engine/wire/positions';
import type { Closing, MarketPool, Position } from '../types';
import { wholePrice } from '../units';
import { type RecordContext, recordToken } from './recordContext';

/** The record of an open position. */
export function openRecord(
  context: RecordContext,
  pool: MarketPool,
  position: Readonly<Position>,
  logs: readonly WirePositionLog[],
): WireOpenPosition {
  const { market } = context;
  const { holding } = position;
  const amounts = market.books.amountsOf(pool, position);
  const fees = market.books.feesOf(pool, position);
  const contents = {
    id: position.id,
    amounts,
    withdrawableShare: 1,
    fees,
    value: market.books.worthOf(pool, amounts),
    fee: market.books.worthOf(pool, fees),
    liquidity: holding?.type === 'product' ? holding.liquidity.toString() : '0',
  };
  return records.openRecord(factsOf(context, pool, position), contents, momentNow(context, pool), market.now, logs);
}

/** The record of a closed position. */
export function closedRecord(
  context: RecordContext,
  pool: MarketPool,
  position: Readonly<Position>,
  closing: Closing,
  followInfo: WireClosedPosition['followInfo'],
): WireClosedPosition {
  return records.closedRecord(factsOf(context, pool, position), momentOf(pool, closing), closing.at, followInfo);
}

/** The pool as records of positions show it. */
export function recordPool({ protocols }: RecordContext, pool: MarketPool): RecordPool {
  return {
    address: pool.address,
    protocol: protocols[pool.type],
    pairName: pool.pairName,
    token0: recordToken(pool.tokenX),
    token1: recordToken(pool.tokenY),
    bins: pool.type === 'bins' ? { kind: 'bins', stepBps: pool.spec.binStepBps } : { kind: 'none', baseFeeBps: pool.spec.baseFeeBps },
  };
}

/** The range of a position; null in pools without bins. */
export function rangeOf({ lowerBinId, upperBinId }: Pick<Position, 'lowerBinId' | 'upperBinId'>): BinRange | null {
  return lowerBinId === null || upperBinId === null ? null : { fromBinId: lowerBinId, toBinId: upperBinId };
}

function factsOf(context: RecordContext, pool: MarketPool, position: Readonly<Position>): PositionFacts {
  const { address, owner, strategy, openedAt, updatedAt, input, output, collectedFee } = position;
  return {
    address,
    owner,
    pool: recordPool(context, pool),
    strategy,
    range: rangeOf(position),
    openedAt,
    updatedAt,
    input,
    output,
    collectedFee,
    collectedReward: NO_WORTH,
  };
}

/** Prices and active bin of a pool now. */
function momentNow({ market }: RecordContext, pool: MarketPool): PoolMoment {
  const uiPrice = pool.type === 'bins' ? pool.uiPriceOf(pool.activeBinId) : wholePrice(pool.price, pool.tokenX, pool.tokenY);
  const activeBinId = pool.type === 'bins' ? pool.activeBinId : null;
  return { usd0: market.usd(pool.tokenX), usd1: market.usd(pool.tokenY), uiPrice, activeBinId };
}

/** Prices and active bin of a pool when a position was closed. */
function momentOf(pool: MarketPool, { activeBinId, usdX, usdY }: Closing): PoolMoment {
  const uiPrice = pool.type === 'bins' && activeBinId !== null ? pool.uiPriceOf(activeBinId) : usdX / usdY;
  return { usd0: usdX, usd1: usdY, uiPrice, activeBinId };
}
