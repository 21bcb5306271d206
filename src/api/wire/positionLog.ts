import type * as z from 'zod';
import type { PositionLog } from '../records/position';
import { readRecords, type FieldPath, type ParseContext } from './reading';
import { decimal, instant, integer, label, rawUnits, solanaAddress, tokenDecimals, wireRecord } from './scalars';

/** A row of /lp-positions/logs, and of `logs` in an open position. */
const positionLogRecord = wireRecord({
  owner: solanaAddress,
  action: label,
  amount0: rawUnits,
  amount1: rawUnits,
  decimal0: tokenDecimals,
  decimal1: tokenDecimals,
  price0: decimal,
  price1: decimal,
  nativePrice: decimal,
  timestamp: instant,
  tickLower: integer,
  tickUpper: integer,
  bps: integer,
});

/** Reads the events of a position. */
export function readPositionLogs(list: readonly unknown[], path: string, reading: ParseContext): PositionLog[] {
  return readRecords(positionLogRecord, list, path, reading, toPositionLog);
}

function toPositionLog(wire: z.output<typeof positionLogRecord>, place: FieldPath): PositionLog | undefined {
  if (wire.action === undefined && wire.timestamp === undefined) {
    place.oddities.add(place.path, 'left out: it says neither what was done nor when');
    return undefined;
  }
  return {
    action: wire.action ?? 'unknown',
    owner: wire.owner,
    amount0: wire.amount0,
    amount1: wire.amount1,
    decimals0: wire.decimal0,
    decimals1: wire.decimal1,
    price0Usd: wire.price0,
    price1Usd: wire.price1,
    nativePriceUsd: wire.nativePrice,
    at: wire.timestamp,
    lowerBinId: wire.tickLower,
    upperBinId: wire.tickUpper,
    bps: wire.bps,
  };
}
