import { Slices } from '../../../base/async/slices';
import type { HistoryQuery, HistorySums } from '../../../protocol/overview';
import type { CurrencyView } from '../../../protocol/schemas';
import { ClosedSums } from './closedSums';
import { type ClosedFigure, type ClosedTable, FIGURE_OF } from './closedTable';

/** What a view shows, and in which order. */
export type ClosedQuery = HistoryQuery & { readonly currency: CurrencyView };

/** Rows that are sorted in one go. */
const RUN = 1_024;
/** Steps between two looks at the clock. */
const STEP = 4_096;

type Compare = (one: number, other: number) => number;

/** Changes of the rows, in the order in which they happened. */
export interface RowChange {
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

/**
 * The rows of a table that a query finds, sorted. The order is total (the sorted figure, then last closed first, then the key), so it does not depend
 * on the order in which rows arrive. Unknown figures come last in either order.
 */
export class ClosedView {
  readonly query: ClosedQuery;
  readonly #table: ClosedTable;
  readonly #compare: Compare;
  readonly #isFound: (row: number) => boolean;
  /** The first {@link count} are in use. */
  #rows = new Uint32Array(RUN);
  #count = 0;
  #sums: ClosedSums;
  /** Changes during {@link fill}. */
  #waiting: RowChange[] | undefined;

  constructor(table: ClosedTable, query: ClosedQuery) {
    this.query = query;
    this.#table = table;
    this.#compare = comparison(table, query);
    this.#isFound = condition(table, query);
    this.#sums = new ClosedSums(table);
  }

  /** Number of rows that are found. */
  get count(): number {
    return this.#count;
  }

  /** Fills an empty view in slices; changes that {@link apply} is given meanwhile come last. @throws the signal's reason */
  async fill(rows: Iterable<number>, signal: AbortSignal): Promise<void> {
    this.#waiting = [];
    const slices = new Slices();
    const breathe = async (): Promise<void> => {
      await slices.yieldIfDue();
      signal.throwIfAborted();
    };
    const all = Uint32Array.from(rows);
    let count = 0;
    for (const [index, row] of all.entries()) {
      if (index % RUN === 0) {
        await breathe();
      }
      if (this.#isFound(row)) {
        all[count] = row;
        count += 1;
      }
    }
    this.#rows = await sorted(all.subarray(0, count), this.#compare, breathe);
    this.#count = count;
    const sums = new ClosedSums(this.#table);
    for (let index = 0; index < count; index += 1) {
      if (index % RUN === 0) {
        await breathe();
      }
      sums.add(this.#rows[index] ?? 0);
    }
    this.#sums = sums;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting.forEach((change) => this.apply(change));
  }

  /** Rows were added to the table, or replaced by others. */
  apply(change: RowChange): void {
    if (this.#waiting !== undefined) {
      this.#waiting.push(change);
      return;
    }
    change.removed.forEach((row) => this.#remove(row));
    const added = Uint32Array.from(change.added.filter((row) => this.#isFound(row))).sort(this.#compare);
    this.#insert(added);
    added.forEach((row) => this.#sums.add(row));
  }

  /** The rows of a window. @param from counted from 0 */
  window(from: number, count: number): readonly number[] {
    return [...this.#rows.subarray(Math.min(from, this.#count), Math.min(from + count, this.#count))];
  }

  /** The place of a row, counted from 0; `undefined` if it is not found. */
  indexOf(row: number): number | undefined {
    const index = this.#placeFor(row, this.#count);
    return index < this.#count && this.#rows[index] === row ? index : undefined;
  }

  sums(): HistorySums {
    return this.#sums.all();
  }

  /** Inserts sorted rows in place, the last first. */
  #insert(added: Uint32Array): void {
    this.#makeRoomFor(this.#count + added.length);
    let end = this.#count;
    for (let index = added.length - 1; index >= 0; index -= 1) {
      const row = added[index] ?? 0;
      const place = this.#placeFor(row, end);
      this.#rows.copyWithin(place + index + 1, place, end);
      this.#rows[place + index] = row;
      end = place;
    }
    this.#count += added.length;
  }

  #remove(row: number): void {
    const index = this.indexOf(row);
    if (index !== undefined) {
      this.#rows.copyWithin(index, index + 1, this.#count);
      this.#count -= 1;
      this.#sums.remove(row);
    }
  }

  /** The first place below `end` whose row is not before this one. */
  #placeFor(row: number, end: number): number {
    let [low, high] = [0, end];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.#rows[middle] ?? 0, row) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  #makeRoomFor(count: number): void {
    if (count > this.#rows.length) {
      const larger = new Uint32Array(Math.max(count, this.#rows.length * 2));
      larger.set(this.#rows.subarray(0, this.#count));
      this.#rows = larger;
    }
  }
}

/** Sorts in slices: short runs first, which are then merged. @returns an array of its own */
async function sorted(rows: Uint32Array, compare: Compare, breathe: () => Promise<void>): Promise<Uint32Array<ArrayBuffer>> {
  let from = Uint32Array.from(rows);
  for (let start = 0; start < from.length; start += RUN) {
    from.subarray(start, start + RUN).sort(compare);
    await breathe();
  }
  let to = new Uint32Array(from.length);
  for (let width = RUN; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width) {
      const [middle, end] = [Math.min(start + width, from.length), Math.min(start + 2 * width, from.length)];
      let [left, right] = [start, middle];
      for (let place = start; place < end; place += 1) {
        if (place % STEP === 0) {
          await breathe();
        }
        const isLeft = left < middle && (right >= end || compare(from[left] ?? 0, from[right] ?? 0) <= 0);
        to[place] = from[isLeft ? left++ : right++] ?? 0;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}

/** The rows of a table, last closed first, sorted in slices. @throws the signal's reason */
export async function newestFirst(table: ClosedTable, rows: Iterable<number>, signal: AbortSignal): Promise<readonly number[]> {
  const view = new ClosedView(table, { search: '', result: 'all', sort: { column: 'closedAtMs', order: 'desc' }, currency: 'usd' });
  await view.fill(rows, signal);
  return view.window(0, view.count);
}

function comparison(table: ClosedTable, { sort: { column, order }, currency }: ClosedQuery): Compare {
  const direction = order === 'asc' ? 1 : -1;
  const bySort: Compare =
    column === 'pairName'
      ? (one, other) => direction * compared(table.sortName(one), table.sortName(other))
      : byFigure(table, FIGURE_OF[column][currency], direction);
  const byClosing = byFigure(table, 'closedAtMs', -1);
  return (one, other) => bySort(one, other) || byClosing(one, other) || compared(table.key(one), table.key(other));
}

function byFigure(table: ClosedTable, name: ClosedFigure, direction: number): Compare {
  return (one, other) => {
    const [a, b] = [table.figure(one, name), table.figure(other, name)];
    return Number.isNaN(a) || Number.isNaN(b) ? Number(Number.isNaN(a)) - Number(Number.isNaN(b)) : direction * compared(a, b);
  };
}

function compared<Value extends string | number>(one: Value, other: Value): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function condition(table: ClosedTable, { search, result, currency }: ClosedQuery): (row: number) => boolean {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const pnl = FIGURE_OF.pnl[currency];
  const hasResult = (row: number): boolean => {
    switch (result) {
      case 'all':
        return true;
      case 'gains':
        return table.figure(row, pnl) > 0;
      case 'losses':
        return table.figure(row, pnl) < 0;
    }
  };
  return (row) => hasResult(row) && (words.length === 0 || table.hasWords(row, words));
}
