import * as z from 'zod';
import { STRATEGIES } from '../../../base/dlmm/strategy';
import { type Address, addressBytes } from '../../../base/solana/address';
import type { HistoricalParameters } from '../../../engine/engine';
import { logRecord } from '../../../engine/records/logRecord';
import { pageCount } from '../../../engine/records/text';
import type {
  WireClosedPosition,
  WireHistorical,
  WireOpening,
  WireOpenPosition,
  WirePositionLog,
  WirePositionLogs,
} from '../../../engine/wire/positions';
import { AddressRow } from '../../store/meta';
import { POSITION_COLUMNS, PositionRow } from '../positionStore';
import type { MarketPool, Position } from '../types';
import { closedRecord, openRecord, rangeOf, recordPool } from './positionRecord';
import { CountRow, isIndexed, type RecordContext } from './recordContext';

/** Columns of {@link EventRow}, from `position_event` e and `position` p. */
const EVENT_COLUMNS =
  'e.position, e.owner, e.pool, e.action, e.at, e.amount_x, e.amount_y, e.usd_x, e.usd_y, e.usd_sol, e.bps, p.strategy, p.lower_bin, p.upper_bin';

/** An event with some fields of its position. */
const EventRow = z.object({
  position: z.string(),
  owner: z.string(),
  pool: z.string(),
  action: z.enum(['add_liquidity', 'remove_liquidity', 'claim_fee', 'close_position']),
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

/** The log record of an event. */
function logOf(context: RecordContext, pool: MarketPool, event: z.output<typeof EventRow>): WirePositionLog {
  return logRecord(
    {
      address: event.position,
      owner: event.owner,
      pool: recordPool(context, pool),
      strategy: event.strategy,
      range: rangeOf({ lowerBinId: event.lower_bin, upperBinId: event.upper_bin }),
    },
    {
      action: event.action,
      at: event.at,
      amounts: { x: BigInt(event.amount_x), y: BigInt(event.amount_y) },
      usd0: event.usd_x,
      usd1: event.usd_y,
      usdSol: event.usd_sol,
      bps: event.bps,
    },
  );
}

const EVENTS = `SELECT ${EVENT_COLUMNS} FROM position_event e JOIN position p ON p.address = e.position`;

/** Events of positions (JSON list of addresses), each one's oldest first. */
export const LOGS_OF_POSITIONS = `${EVENTS} WHERE e.position IN (SELECT value FROM json_each(?)) ORDER BY e.position, e.number`;

/** Events of an owner, oldest first. */
export const LOGS_OF_OWNER = `${EVENTS} WHERE e.owner = ? ORDER BY e.at, e.position, e.number`;

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
    return owner === undefined ? undefined : withCount(logRecords(context, LOGS_OF_OWNER, owner));
  }
  const named = context.database.get(NamedRow, NAMED, position);
  if (named === undefined || (owner !== undefined && named.owner !== owner)) {
    return undefined;
  }
  return withCount(logRecords(context, LOGS_OF_POSITIONS, JSON.stringify([named.address])));
}

/** Events by position, oldest first. */
function logsByPosition(context: RecordContext, positions: readonly Address[]): ReadonlyMap<string, readonly WirePositionLog[]> {
  const logs = positions.length === 0 ? [] : logRecords(context, LOGS_OF_POSITIONS, JSON.stringify(positions));
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

function logRecords(context: RecordContext, sql: string, of: string): readonly WirePositionLog[] {
  const { database, market } = context;
  return database.all(EventRow, sql, of).flatMap((event) => {
    const pool = market.poolAt(event.pool);
    return pool === undefined ? [] : [logOf(context, pool, event)];
  });
}

function withCount(data: readonly WirePositionLog[]): WirePositionLogs {
  return { count: data.length, data };
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
  return { count: data.length, data: lagging.length === 0 ? data : data.sort((a, b) => openedAt(b) - openedAt(a)) };
}

function openedAt({ createdAt }: WireOpenPosition): number {
  return createdAt === null ? 0 : Date.parse(createdAt);
}

/** Records of open positions, in the given order. */
export function openRecords(context: RecordContext, positions: readonly Readonly<Position>[]): readonly WireOpenPosition[] {
  const logs = logsByPosition(
    context,
    positions.map(({ address }) => address),
  );
  return positions.flatMap((position) => {
    const pool = context.market.poolAt(position.pool);
    return pool === undefined ? [] : [openRecord(context, pool, position, logs.get(position.address) ?? [])];
  });
}

/** One position in this many counts as a copy. */
const COPIES_ONE_IN = 4;

/** The newest position of another owner at a moment. Parameters: pool (1), moment (2), follower (3). */
export const FOLLOWED_POSITION =
  'SELECT owner, address FROM position WHERE pool = ?1 AND opened_at < ?2 AND owner <> ?3 AND (closed_at IS NULL OR closed_at > ?2) ORDER BY opened_at DESC, address DESC LIMIT 1';

const FollowedRow = z.object({ owner: z.string(), address: z.string() });

/**
 * The position that a position copies, if any. The simulation has no copy trading; some positions, chosen by their address, count
 * as copies of the newest position of another wallet in the pool when they were opened. This never changes afterwards.
 */
function followInfo({ database }: RecordContext, { address, pool, openedAt, owner }: Readonly<Position>): WireClosedPosition['followInfo'] {
  const followed = isCopy(address) ? database.get(FollowedRow, FOLLOWED_POSITION, pool, openedAt, owner) : undefined;
  return followed === undefined
    ? undefined
    : { sourceOwner: followed.owner, sourceLabel: `LP ${followed.owner.slice(0, 4)}`, sourceTokenId: followed.address };
}

function isCopy(address: Address): boolean {
  return (addressBytes(address).at(-1) ?? 0) % COPIES_ONE_IN === 0;
}

/** Parameters: owner (1), first and last closing time (2, 3), time (4). */
const CLOSED = `FROM position p WHERE p.owner = ?1 AND p.closed_at BETWEEN ?2 AND ?3 AND ${isIndexed('?4')}`;
/** With limit (5) and offset (6). */
export const CLOSED_POSITIONS = `SELECT ${POSITION_COLUMNS} ${CLOSED} ORDER BY p.closed_at DESC, p.address DESC LIMIT ?5 OFFSET ?6`;
const CLOSED_COUNT = `SELECT count(*) AS count ${CLOSED}`;

/** The closed positions of an owner, the last closed first. */
export function historicalRecords(context: RecordContext, { owner, from, to, page, pageSize }: HistoricalParameters): WireHistorical {
  const { database, market } = context;
  const which = [owner, from ?? 0, to ?? Number.MAX_SAFE_INTEGER, market.now] as const;
  const totalCount = database.get(CountRow, CLOSED_COUNT, ...which) ?? 0;
  const positions = database.all(PositionRow, CLOSED_POSITIONS, ...which, pageSize, (page - 1) * pageSize);
  return {
    data: positions.flatMap((position) => closedRecordOf(context, position)),
    pagination: { currentPage: page, totalPages: pageCount(totalCount, pageSize), totalCount, pageSize },
  };
}

/** The record of a closed position; empty if it is open. */
export function closedRecordOf(context: RecordContext, position: Readonly<Position>): readonly WireClosedPosition[] {
  const pool = context.market.poolAt(position.pool);
  const { closing } = position;
  return pool === undefined || closing === null ? [] : [closedRecord(context, pool, position, closing, followInfo(context, position))];
}
