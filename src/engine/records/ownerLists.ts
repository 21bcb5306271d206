import type { HistoricalParameters } from '../engine';
import type { WireIncomplete } from '../wire/incomplete';
import type { WireHistorical, WireOpening, WirePositionLogs } from '../wire/positions';
import type { WireOpenPosition } from '../wire/positionRecord';
import { onPage, pageCount } from './lists';
import { type LoggedPosition, logRecord } from '../wire/logRecord';
import { closedRecord } from '../wire/positionRecord';
import type { ClosedPositionState, EventFacts, PositionFacts } from '../state/positionState';

/** The answer to opening. @param data the newest first @param incomplete why positions may be missing */
export function openingRecord(data: readonly WireOpenPosition[], incomplete?: WireIncomplete): WireOpening {
  return { count: data.length, data, ...marked(incomplete) };
}

function marked(incomplete: WireIncomplete | undefined): { readonly incomplete?: WireIncomplete } {
  return incomplete === undefined ? {} : { incomplete };
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

/** The answer to historical. @param shown the positions of the page @param incomplete why positions may be missing */
export function historicalRecord(
  shown: readonly ClosedPositionState[],
  pagination: WireHistorical['pagination'],
  incomplete?: WireIncomplete,
): WireHistorical {
  return { data: shown.map(closedRecord), pagination, ...marked(incomplete) };
}

/** The answer to logs. @param events the oldest first @param incomplete why events may be missing */
export function logsRecord(
  events: readonly { readonly position: LoggedPosition; readonly event: EventFacts }[],
  incomplete?: WireIncomplete,
): WirePositionLogs {
  return { count: events.length, data: events.map(({ position, event }) => logRecord(position, event)), ...marked(incomplete) };
}
