import * as z from 'zod';
import type { Address } from '../../../base/solana/address';
import type { WireOpening, WireOpenPosition } from '../../../server/wire/positions';
import { AddressRow } from '../../store/meta';
import type { Position } from '../types';
import { logsByPosition } from './logs';
import { openRecord } from './positionRecord';
import { isIndexed, type RecordContext } from './reading';

/** The owner (1), the time (2). */
export const OPEN_POSITIONS = `SELECT p.address FROM position p WHERE p.owner = ?1 AND p.closed_at IS NULL AND ${isIndexed('?2')} ORDER BY p.opened_at DESC, p.address`;
const LAGGING = 'SELECT record FROM lagging_record WHERE owner = ?1 AND until > ?2 AND record IS NOT NULL';

/** What {@link openRecords} has made before. */
const StoredRecord = z.custom<WireOpenPosition>(
  (value) => z.object({ status: z.literal('Open'), position: z.string(), createdAt: z.iso.datetime() }).safeParse(value).success,
);
const LaggingRow = z.object({ record: z.string() }).transform(({ record }) => StoredRecord.parse(JSON.parse(record)));

/** The open positions of an owner, the youngest first; those whose index lags as they were. */
export function openingRecords(reading: RecordContext, owner: Address): WireOpening {
  const { database, market } = reading;
  const current = database.all(AddressRow, OPEN_POSITIONS, owner, market.now).flatMap((address) => market.positions.at(address) ?? []);
  const lagging = database.all(LaggingRow, LAGGING, owner, market.now);
  const data = [...openRecords(reading, current), ...lagging];
  return { count: data.length, data: lagging.length === 0 ? data : data.sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt)) };
}

/** Open positions as opening lists them, in the order given. */
export function openRecords(reading: RecordContext, positions: readonly Readonly<Position>[]): readonly WireOpenPosition[] {
  const logs = logsByPosition(
    reading,
    positions.map(({ address }) => address),
  );
  return positions.flatMap((position) => {
    const pool = reading.market.poolAt(position.pool);
    return pool === undefined ? [] : [openRecord(reading, pool, position, logs.get(position.address) ?? [])];
  });
}
