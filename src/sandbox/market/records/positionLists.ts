import * as z from 'zod';
import type { Address } from '../../../base/solana/address';
import type { HistoricalParameters } from '../../../engine/engine';
import { historicalRecord, logsRecord, openingRecord, pageOfClosed } from '../../../engine/records/ownerLists';
import { openRecord } from '../../../engine/wire/positionRecord';
import type { WireHistorical, WireOpening, WirePositionLogs } from '../../../engine/wire/positions';
import type { WireOpenPosition } from '../../../engine/wire/positionRecord';
import { AddressRow, StoredAddress } from '../../store/meta';
import type { Position } from '../types';
import { closedStates, loggedEvents, LOGS_OF_OWNER, LOGS_OF_POSITIONS, openStates } from './positionStates';
import { isIndexed, type RecordContext } from './recordContext';

const NAMED = 'SELECT address, owner FROM position WHERE address = ?1 UNION SELECT address, owner FROM position WHERE id = ?1';
const NamedRow = z.object({ address: z.string(), owner: z.string() });

/**
 * Events of a position (by address or opaque id), or of all positions of an owner, oldest first. `undefined` if there is no such
 * position, or it is not the owner's.
 */
export function positionLogs(
  context: RecordContext,
  { position, owner }: { readonly position: string | undefined; readonly owner: Address | undefined },
): WirePositionLogs | undefined {
  if (position === undefined) {
    return owner === undefined ? undefined : logsRecord(loggedEvents(context, LOGS_OF_OWNER, owner));
  }
  const named = context.database.get(NamedRow, NAMED, position);
  return named === undefined || (owner !== undefined && named.owner !== owner)
    ? undefined
    : logsRecord(loggedEvents(context, LOGS_OF_POSITIONS, JSON.stringify([named.address])));
}

/** The owner (1), the time (2). */
export const OPEN_POSITIONS = `SELECT p.address FROM position p WHERE p.owner = ?1 AND p.closed_at IS NULL AND ${isIndexed('?2')} ORDER BY p.opened_at DESC, p.address`;
const LAGGING = 'SELECT record FROM lagging_record WHERE owner = ?1 AND until > ?2 AND record IS NOT NULL';

/** A stored record of {@link openRecords}. */
const StoredRecord = z.custom<WireOpenPosition>(
  (value) => z.object({ status: z.literal('Open'), position: z.string(), createdAt: z.iso.datetime() }).safeParse(value).success,
);
const LaggingRow = z.object({ record: z.string() }).transform(({ record }) => StoredRecord.parse(JSON.parse(record)));

/** The open positions of an owner, newest first; those whose index lags with their old records. */
export function openingRecords(context: RecordContext, owner: Address): WireOpening {
  const { database, market } = context;
  const current = database.all(AddressRow, OPEN_POSITIONS, owner, market.now).flatMap((address) => market.positions.at(address) ?? []);
  const lagging = database.all(LaggingRow, LAGGING, owner, market.now);
  const data = [...openRecords(context, current), ...lagging];
  return openingRecord(lagging.length === 0 ? data : data.sort((a, b) => openedAt(b) - openedAt(a)));
}

function openedAt({ createdAt }: WireOpenPosition): number {
  return createdAt === null ? 0 : Date.parse(createdAt);
}

/** Records of open positions, in the given order. */
export function openRecords(context: RecordContext, positions: readonly Readonly<Position>[]): readonly WireOpenPosition[] {
  return openStates(context, positions).map((position) => openRecord(position, context.market.now));
}

/** The owner (1), the time (2). */
export const CLOSED_POSITIONS = `SELECT p.address, p.closed_at FROM position p WHERE p.owner = ?1 AND p.closed_at IS NOT NULL AND ${isIndexed('?2')}`;
const ClosedRow = z
  .object({ address: StoredAddress, closed_at: z.number() })
  .transform(({ address, closed_at: closedAt }) => ({ address, closedAt }));

/** The closed positions of an owner, the last closed first. */
export function historicalRecords(context: RecordContext, { owner, ...parameters }: HistoricalParameters): WireHistorical {
  const { database, market } = context;
  const { shown, pagination } = pageOfClosed(database.all(ClosedRow, CLOSED_POSITIONS, owner, market.now), parameters);
  const positions = shown.flatMap(({ address }) => market.positions.at(address) ?? []);
  return historicalRecord(
    positions.flatMap((position) => closedStates(context, position)),
    pagination,
  );
}
