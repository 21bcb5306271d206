import * as z from 'zod';
import { MAX_BIN_ID, MIN_BIN_ID } from '../../../base/dlmm/bins';
import { STRATEGIES } from '../../../base/dlmm/strategy';
import type { Address } from '../../../base/solana/address';
import type { WirePositionLog, WirePositionLogs } from '../../../server/wire/positions';
import type { Pool } from '../types';
import { decimalText, isoDate, strategyType } from './common';
import type { RecordContext } from './reading';

/** What {@link EventRow} reads, of `position_event` e and `position` p. */
export const EVENT_COLUMNS =
  'e.position, e.owner, e.pool, e.action, e.at, e.amount_x, e.amount_y, e.usd_x, e.usd_y, e.usd_sol, e.bps, p.strategy, p.lower_bin, p.upper_bin';

/** An event, with what its record takes from the position. */
export const EventRow = z.object({
  position: z.string(),
  owner: z.string(),
  pool: z.string(),
  action: z.string(),
  at: z.number(),
  amount_x: z.string(),
  amount_y: z.string(),
  usd_x: z.number(),
  usd_y: z.number(),
  usd_sol: z.number(),
  bps: z.int().nullable(),
  strategy: z.enum(STRATEGIES),
  lower_bin: z.int().nullable(),
  upper_bin: z.int().nullable(),
});

/** The event as logs list it. */
export function logRecord({ tokenX, tokenY }: Pool, event: z.output<typeof EventRow>): WirePositionLog {
  return {
    position: event.position,
    pool: event.pool,
    owner: event.owner,
    action: event.action,
    amount0: event.amount_x,
    amount1: event.amount_y,
    decimal0: tokenX.spec.decimals,
    decimal1: tokenY.spec.decimals,
    price0: decimalText(event.usd_x),
    price1: decimalText(event.usd_y),
    timestamp: isoDate(event.at),
    nativePrice: decimalText(event.usd_sol),
    strategyType: strategyType(event.strategy),
    tickUpper: event.upper_bin ?? MAX_BIN_ID,
    tickLower: event.lower_bin ?? MIN_BIN_ID,
    bps: event.bps,
    // There are many of these, and the record beside them has the pictures.
    logo0: null,
    logo1: null,
  };
}

const EVENTS = `SELECT ${EVENT_COLUMNS} FROM position_event e JOIN position p ON p.address = e.position`;

/** Events of positions (JSON list of addresses), each one's oldest first. */
export const LOGS_OF_POSITIONS = `${EVENTS} WHERE e.position IN (SELECT value FROM json_each(?)) ORDER BY e.position, e.number`;

/** Events of an owner, oldest first. */
export const LOGS_OF_OWNER = `${EVENTS} WHERE e.owner = ? ORDER BY e.at, e.position, e.number`;

const NAMED = 'SELECT address, owner FROM position WHERE address = ?1 UNION SELECT address, owner FROM position WHERE id = ?1';
const NamedRow = z.object({ address: z.string(), owner: z.string() });

/**
 * What happened to a position (its address or its opaque id), or to all of an owner's, oldest first. `undefined` where there
 * is no such position, or it is not that owner's.
 */
export function positionLogs(
  reading: RecordContext,
  { position, owner }: { readonly position: string | undefined; readonly owner: Address | undefined },
): WirePositionLogs | undefined {
  if (position === undefined) {
    return owner === undefined ? undefined : counted(read(reading, LOGS_OF_OWNER, owner));
  }
  const named = reading.database.get(NamedRow, NAMED, position);
  if (named === undefined || (owner !== undefined && named.owner !== owner)) {
    return undefined;
  }
  return counted(read(reading, LOGS_OF_POSITIONS, JSON.stringify([named.address])));
}

/** What happened to each of these positions. */
export function logsByPosition(reading: RecordContext, positions: readonly Address[]): ReadonlyMap<string, readonly WirePositionLog[]> {
  const logs = positions.length === 0 ? [] : read(reading, LOGS_OF_POSITIONS, JSON.stringify(positions));
  const byPosition = new Map<string, WirePositionLog[]>();
  for (const log of logs) {
    const known = byPosition.get(log.position);
    if (known === undefined) {
      byPosition.set(log.position, [log]);
    } else {
      known.push(log);
    }
  }
  return byPosition;
}

function read({ database, market }: RecordContext, sql: string, of: string): readonly WirePositionLog[] {
  return database.all(EventRow, sql, of).flatMap((event) => {
    const pool = market.poolAt(event.pool);
    return pool === undefined ? [] : [logRecord(pool, event)];
  });
}

function counted(data: readonly WirePositionLog[]): WirePositionLogs {
  return { count: data.length, data };
}
