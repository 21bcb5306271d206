import type { OpenPosition, PositionLog } from '../../../service/positions';
import type { PositionEvent, PositionView } from '../../../protocol/position';

/** Converts an open position to the panel's format. @param isBusy an operation on it is in progress */
export function positionViewOf(position: OpenPosition, isBusy: boolean): PositionView {
  const { key, address, pool, pairName, poolType, strategy, lowerBinId, upperBinId, activeBinId, binStepBps, inRange, priceRangeUsd } =
    position;
  const { value, input, output, collectedFee, collectedReward, uncollectedFee, pnl, pnlPercent, dailyReturn, aprPercent, ageHours } =
    position;
  return {
    ...{ key, address, pool, pairName, poolType, strategy, lowerBinId, upperBinId, activeBinId, binStepBps, inRange, priceRangeUsd },
    x: {
      address: position.token0.address,
      symbol: position.token0.symbol,
      amount: position.amount0,
      uncollectedFee: position.uncollectedFee0,
      priceUsd: position.price0Usd,
    },
    y: {
      address: position.token1.address,
      symbol: position.token1.symbol,
      amount: position.amount1,
      uncollectedFee: position.uncollectedFee1,
      priceUsd: position.price1Usd,
    },
    ...{ value, input, output, collectedFee, collectedReward, uncollectedFee, pnl, pnlPercent, dailyReturn, aprPercent, ageHours },
    createdAtMs: position.createdAt?.getTime(),
    updatedAtMs: position.updatedAt?.getTime(),
    isBusy,
  };
}

/** Maximum number of events: ten thousand would freeze the panel. */
const MOST_EVENTS = 2_000;

/** A position's events, newest first; events without a time come last. Of too many, the newest are kept. */
export function positionEventsOf(logs: readonly PositionLog[]): readonly PositionEvent[] {
  return logs
    .map(positionEvent)
    .sort((one, other) => (other.atMs ?? -Infinity) - (one.atMs ?? -Infinity) || 0)
    .slice(0, MOST_EVENTS);
}

function positionEvent({
  action,
  at,
  amount0,
  amount1,
  decimals0,
  decimals1,
  price0Usd,
  price1Usd,
  lowerBinId,
  upperBinId,
  bps,
}: PositionLog): PositionEvent {
  return {
    action,
    atMs: at?.getTime(),
    amount0Raw: amount0?.toString(),
    amount1Raw: amount1?.toString(),
    decimals0,
    decimals1,
    price0Usd,
    price1Usd,
    lowerBinId,
    upperBinId,
    bps,
  };
}
