import type { HistoricalParameters } from '../engine';
import type { WireHistorical, WireOpening, WirePositionLogs } from '../wire/positions';
import type { WireOpenPosition } from '../wire/positionRecord';
import { onPage, pageCount } from './lists';
import { type LoggedPosition, logRecord } from '../wire/logRecord';
import { closedRecord } from '../wire/positionRecord';
import type { ClosedPosition, EventFacts, PositionFacts } from '../state/positionState';

/** The answer to opening. @param data the newest first */
export function openingRecord(data: readonly WireOpenPosition[]): WireOpening {
  return { count: data.length, data };
}

/** What the list of closed positions is ordered by. */
interface Closing extends Pick<PositionFacts, 'address'> {
  /** Milliseconds since 1970; null: not known, which counts as the oldest. */
  readonly closedAt: number | null;
}

/** A page of closed positions: which they are, and how many there are in all. */
export interface ClosedPage<Item extends Closing> {
  readonly shown: readonly Item[];
  readonly pagination: WireHistorical['pagination'];
}

/** One page of the positions that were closed in a span, the last closed first. */
export function pageOfClosed<Item extends Closing>(
  closed: readonly Item[],
  { from, to, page, pageSize }: Omit<HistoricalParameters, 'owner'>,
): ClosedPage<Item> {
  const fitting = closed
    .filter(({ closedAt }) => (from === undefined || (closedAt ?? 0) >= from) && (to === undefined || (closedAt ?? 0) <= to))
    .sort((one, other) => (other.closedAt ?? 0) - (one.closedAt ?? 0) || (one.address < other.address ? 1 : -1));
  return {
    shown: onPage(fitting, { page, pageSize }),
    pagination: { currentPage: page, totalPages: pageCount(fitting.length, pageSize), totalCount: fitting.length, pageSize },
  };
}

/** The answer to historical. @param shown the positions of the page */
export function historicalRecord(shown: readonly ClosedPosition[], pagination: WireHistorical['pagination']): WireHistorical {
  return { data: shown.map(closedRecord), pagination };
}

/** The answer to logs. @param events the oldest first */
export function logsRecord(events: readonly { readonly position: LoggedPosition; readonly event: EventFacts }[]): WirePositionLogs {
  return { count: events.length, data: events.map(({ position, event }) => logRecord(position, event)) };
}
