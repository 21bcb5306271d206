import * as z from 'zod';
import { type Address, addressBytes } from '../../../base/solana/address';
import type { HistoricalParameters } from '../../../server/engine';
import type { WireClosedPosition, WireHistorical } from '../../../server/wire/positions';
import { POSITION_COLUMNS, PositionRow } from '../storedPosition';
import type { Position } from '../types';
import { pageCount } from './common';
import { closedRecord } from './positionRecord';
import { isIndexed, type RecordContext } from './reading';

/** One position in this many copies another one. */
const COPIES_ONE_IN = 4;

/** The pool (1), the moment (2), who follows (3): whose position was the youngest there at that moment. */
export const FOLLOWED =
  'SELECT owner, address FROM position WHERE pool = ?1 AND opened_at < ?2 AND owner <> ?3 AND (closed_at IS NULL OR closed_at > ?2) ORDER BY opened_at DESC, address DESC LIMIT 1';

const FollowedRow = z.object({ owner: z.string(), address: z.string() });

/**
 * Whom a position copies. Nobody in the pretend market decides to follow somebody; but some positions (which ones, their
 * addresses say) count as copies of the youngest one that another wallet had in the pool when they were opened. That
 * never changes afterwards. `undefined`: nobody.
 */
export function followInfo(
  { database }: RecordContext,
  { address, pool, openedAt, owner }: Readonly<Position>,
): WireClosedPosition['followInfo'] {
  const followed = isCopy(address) ? database.get(FollowedRow, FOLLOWED, pool, openedAt, owner) : undefined;
  return followed === undefined
    ? undefined
    : { sourceOwner: followed.owner, sourceLabel: `LP ${followed.owner.slice(0, 4)}`, sourceTokenId: followed.address };
}

function isCopy(address: Address): boolean {
  return (addressBytes(address).at(-1) ?? 0) % COPIES_ONE_IN === 0;
}

/** The owner (1), the first and the last moment (2, 3), the time (4). */
const CLOSED = `FROM position p WHERE p.owner = ?1 AND p.closed_at BETWEEN ?2 AND ?3 AND ${isIndexed('?4')}`;
/** So many (5) after so many others (6). */
export const CLOSED_POSITIONS = `SELECT ${POSITION_COLUMNS} ${CLOSED} ORDER BY p.closed_at DESC, p.address DESC LIMIT ?5 OFFSET ?6`;
const CLOSED_COUNT = `SELECT count(*) AS count ${CLOSED}`;

/** One of a listing's counts. */
export const CountRow = z.object({ count: z.int() }).transform(({ count }) => count);

/** The closed positions of an owner, the last closed first. */
export function historicalRecords(reading: RecordContext, { owner, from, to, page, pageSize }: HistoricalParameters): WireHistorical {
  const { database, market } = reading;
  const which = [owner, from ?? 0, to ?? Number.MAX_SAFE_INTEGER, market.now] as const;
  const totalCount = database.get(CountRow, CLOSED_COUNT, ...which) ?? 0;
  const positions = database.all(PositionRow, CLOSED_POSITIONS, ...which, pageSize, (page - 1) * pageSize);
  return {
    data: positions.flatMap((position) => closedRecordOf(reading, position)),
    pagination: { currentPage: page, totalPages: pageCount(totalCount, pageSize), totalCount, pageSize },
  };
}

/** A closed position as historical lists it; none where it is not closed. */
export function closedRecordOf(reading: RecordContext, position: Readonly<Position>): readonly WireClosedPosition[] {
  const pool = reading.market.poolAt(position.pool);
  const { closing } = position;
  return pool === undefined || closing === null ? [] : [closedRecord(reading, pool, position, closing, followInfo(reading, position))];
}
