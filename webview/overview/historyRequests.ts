import { type ClosedRow, type HistoryQuery, type HistoryRequest, type HistoryWindow, MOST_HISTORY_ROWS } from '../../src/protocol/overview';
import { clamp } from '../shared/geometry';
import type { RowSource, ShownRows } from '../shared/table/columns';

/** Rows that are requested before and after those that are shown, so scrolling rarely meets rows that are not there yet. */
const MARGIN = 60;
/** More rows are requested when fewer than this many are left before or after those that are shown. */
const LEAST_MARGIN = 16;
/** Rows of the first request, before the height of the table is known. */
const FIRST_ROWS = 100;

/**
 * Decides which rows the panel requests. One request for rows is under way at a time; another search or order replaces it at once.
 */
export class HistoryRequests {
  #last: HistoryRequest | undefined;

  /** The request that the panel begins with. */
  first(query: HistoryQuery): HistoryRequest {
    this.#last = { id: 1, query, from: 0, count: FIRST_ROWS };
    return this.#last;
  }

  /** Whether the rows are those of this search and order, and not of an earlier one. */
  isAnswered(query: HistoryQuery, window: HistoryWindow): boolean {
    return this.#last !== undefined && window.id === this.#last.id && isSameQuery(query, this.#last.query);
  }

  /** The request to make now; `undefined`: none. @param window the last answer */
  next(query: HistoryQuery, shown: ShownRows, window: HistoryWindow): HistoryRequest | undefined {
    const last = this.#last ?? this.first(query);
    if (isSameQuery(query, last.query) && (window.id !== last.id || isCovered(shown, window))) {
      return undefined;
    }
    const from = Math.max(shown.from - MARGIN, 0);
    this.#last = {
      id: last.id + 1,
      query,
      from,
      count: Math.min(shown.to - from + MARGIN, MOST_HISTORY_ROWS),
      ...(shown.currentKey === undefined ? {} : { anchor: shown.currentKey }),
    };
    return this.#last;
  }
}

/** The rows of an answer at their places in the table; the others are not there yet. */
export function rowsOf({ found, from, rows, anchor }: HistoryWindow): RowSource<ClosedRow> {
  return {
    length: found,
    at: (index) => (index < from ? undefined : rows[index - from]),
    placeOf: (key) => {
      const index = rows.findIndex((row) => row.key === key);
      return index !== -1 ? from + index : anchor?.key === key ? anchor.index : undefined;
    },
  };
}

/** Whether the shown rows and some around them are in the answer. */
function isCovered(shown: ShownRows, { found, from, rows }: HistoryWindow): boolean {
  return from <= clamp(shown.from - LEAST_MARGIN, 0, found) && from + rows.length >= clamp(shown.to + LEAST_MARGIN, 0, found);
}

function isSameQuery(one: HistoryQuery, other: HistoryQuery): boolean {
  return (
    one.search === other.search &&
    one.result === other.result &&
    one.currency === other.currency &&
    one.sort.column === other.sort.column &&
    one.sort.order === other.sort.order
  );
}
