import * as z from 'zod';
import type { Address } from '../../../solana/address';
import type { WirePositionLog, WirePositionLogs } from '../../wire/positions';
import { EVENT_COLUMNS, EventRow, logRecord } from './positionEvents';
import type { RecordContext } from './reading';

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
export function positionLogs(reading: RecordContext, { position, owner }: { readonly position: string | undefined; readonly owner: Address | undefined }): WirePositionLogs | undefined {
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
