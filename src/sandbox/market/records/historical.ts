import * as z from 'zod';
import type { HistoricalParameters } from '../../engine';
import type { WireClosedPosition, WireHistorical } from '../../wire/positions';
import { POSITION_COLUMNS, PositionRow } from '../storedPosition';
import type { Position } from '../types';
import { pageCount } from './common';
import { followInfo } from './following';
import { isIndexed } from './lag';
import { closedRecord } from './positionRecord';
import type { RecordContext } from './reading';

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
