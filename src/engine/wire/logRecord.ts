import { MAX_BIN_ID, MIN_BIN_ID } from '../../base/dlmm/bins';
import { mapped } from '../state/figures';
import type { EventFacts, PositionFacts } from '../state/positionState';
import { decimalText, isoDate, strategyType } from './text';

/** A position, as its logs show it. */
export type LoggedPosition = Pick<PositionFacts, 'address' | 'owner' | 'pool' | 'strategy' | 'range'>;

/** One event in the life of a position (contract: /lp-positions/logs). Amounts raw, as text. */
export interface WirePositionLog {
  /** Whose event it is; not in the contract. */
  readonly position: string;
  readonly pool: string;
  readonly owner: string;
  readonly action: string;
  readonly amount0: string;
  readonly amount1: string;
  readonly decimal0: number;
  readonly decimal1: number;
  readonly price0: string | null;
  readonly price1: string | null;
  readonly timestamp: string | null;
  readonly nativePrice: string | null;
  readonly strategyType: string | null;
  readonly tickUpper: number | null;
  readonly tickLower: number | null;
  readonly bps: number | null;
  /** Of its transaction; not in the contract. */
  readonly signature: string | null;
  /** It is from public data; only where such events were asked for. Not in the contract. */
  readonly isReported?: true;
  readonly logo0: string | null;
  readonly logo1: string | null;
}

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
    signature: event.signature,
    ...(event.isReported === true ? { isReported: true as const } : {}),
    // Omitted because there are many events; the position's record has the logos.
    logo0: null,
    logo1: null,
  };
}
