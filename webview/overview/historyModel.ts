import type { ClosedRow, HistoryColumn } from '../../src/protocol/overview';
import type { CurrencyView } from '../../src/protocol/schemas';
import type { HistorySort } from './state';

/** Search, sort and currency of the history. */
export interface HistoryQuery {
  readonly search: string;
  readonly sort: HistorySort;
  readonly currency: CurrencyView;
}

/** The rows that a search finds, sorted. Unknown values come last in either order; equal rows keep the service's order. */
export function historyRows(rows: readonly ClosedRow[], { search, sort, currency }: HistoryQuery): readonly ClosedRow[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found =
    words.length === 0
      ? rows
      : rows.filter((row) => {
          const text = searchedText(row);
          return words.every((word) => text.includes(word));
        });
  const direction = sort.order === 'asc' ? 1 : -1;
  const keyed = found.map((row) => ({ row, key: sortKey(row, sort.column, currency) }));
  keyed.sort((one, other) => {
    if (one.key === undefined || other.key === undefined) {
      return Number(one.key === undefined) - Number(other.key === undefined);
    }
    return direction * compared(one.key, other.key);
  });
  return keyed.map(({ row }) => row);
}

/** Caches the last result of {@link historyRows}, so thousands of rows are not sorted for each view. */
export class HistoryRows {
  #rows: readonly ClosedRow[] | undefined;
  #query: HistoryQuery | undefined;
  #answer: readonly ClosedRow[] = [];

  of(rows: readonly ClosedRow[], query: HistoryQuery): readonly ClosedRow[] {
    if (
      rows !== this.#rows ||
      query.search !== this.#query?.search ||
      query.sort !== this.#query.sort ||
      query.currency !== this.#query.currency
    ) {
      this.#rows = rows;
      this.#query = query;
      this.#answer = historyRows(rows, query);
    }
    return this.#answer;
  }
}

function searchedText(row: ClosedRow): string {
  return [row.pairName, row.strategy, row.address, row.pool, row.followed?.label, row.followed?.owner]
    .filter((part) => part !== undefined)
    .join('\n')
    .toLowerCase();
}

function sortKey(row: ClosedRow, column: HistoryColumn, currency: CurrencyView): string | number | undefined {
  switch (column) {
    case 'closedAtMs':
    case 'ageHours':
      return row[column];
    case 'pairName':
      return row.pairName.toLowerCase();
    case 'input':
    case 'output':
    case 'fee':
    case 'pnl':
    case 'pnlPercent':
    case 'dailyReturn':
      return row[column][currency];
  }
}

function compared(one: string | number, other: string | number): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
