import { MAX_BIN_ID, MIN_BIN_ID } from '../../base/dlmm/bins';
import type { WirePositionLog } from '../wire/positions';
import { mapped } from './figures';
import type { EventFacts, PositionFacts } from './positionState';
import { decimalText, isoDate, strategyType } from './text';

/** A position, as its logs show it. */
export type LoggedPosition = Pick<PositionFacts, 'address' | 'owner' | 'pool' | 'strategy' | 'range'>;

/** The log record of an event. */
export function logRecord({ address, owner, pool, strategy, range }: LoggedPosition, event: EventFacts): WirePositionLog {
  const isFullRange = pool.bins.kind === 'none';
  return {
    position: address,
    pool: pool.address,
    owner,
    action: event.action,
    amount0: event.amounts.x.toString(),
    amount1: event.amounts.y.toString(),
    decimal0: pool.token0.decimals,
    decimal1: pool.token1.decimals,
    price0: mapped(event.usd0, decimalText),
    price1: mapped(event.usd1, decimalText),
    timestamp: mapped(event.at, isoDate),
    nativePrice: mapped(event.usdSol, decimalText),
    strategyType: strategy === null ? null : strategyType(strategy),
    tickUpper: isFullRange ? MAX_BIN_ID : (range?.toBinId ?? null),
    tickLower: isFullRange ? MIN_BIN_ID : (range?.fromBinId ?? null),
    bps: event.bps,
    // Omitted because there are many events; the position's record has the logos.
    logo0: null,
    logo1: null,
  };
}
