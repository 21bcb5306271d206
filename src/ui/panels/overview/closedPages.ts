import { type Clock, pause } from '../../../base/async/clock';
import { asError } from '../../../base/thrown';
import { requestedPauseMs } from '../../../portfolio/failure';
import type { Page } from '../../../service/common';
import { closedKey, type ClosedPosition } from '../../../service/positions';
import { ClosedTable } from './closedTable';
import type { RowChange } from './closedView';

/** Positions requested per page. */
export const CLOSED_PAGE_SIZE = 100;

/** Maximum number of positions kept. No wallet has as many: a service that returns more may never end. */
const MOST_CLOSED = 100_000;
/** Maximum number of pages: twice as many as are needed, since positions may repeat. */
const MOST_PAGES = (2 * MOST_CLOSED) / CLOSED_PAGE_SIZE;

/** Reads a page; pages are counted from 1. */
export type ReadClosedPage = (page: number) => Promise<Page<ClosedPosition>>;

/**
 * The loaded closed positions of one wallet and range. Positions closed meanwhile push others to later pages: duplicates are dropped, and the newest
 * pages are read again by {@link catchUp}.
 */
export class ClosedPages {
  readonly table: ClosedTable;
  /** Called with the rows of each page that are new or replaced. */
  readonly #changed: (change: RowChange) => void;
  readonly #rowByKey: Map<string, number>;
  #pagesRead = 0;
  #hasMore = true;
  #totalCount: number | undefined;
  #hasDammV2 = false;

  constructor(
    changed: (change: RowChange) => void = () => undefined,
    known?: { readonly table: ClosedTable; readonly rowByKey: Map<string, number> },
  ) {
    this.#changed = changed;
    this.table = known?.table ?? new ClosedTable();
    this.#rowByKey = known?.rowByKey ?? new Map<string, number>();
  }

  /** Number of consecutive pages read so far. */
  get pagesRead(): number {
    return this.#pagesRead;
  }

  get count(): number {
    return this.#rowByKey.size;
  }

  /** Total number reported by the service; `undefined` if it reports none. */
  get totalCount(): number | undefined {
    return this.#totalCount;
  }

  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Whether the limit of positions or pages is reached and no more are loaded. */
  get isFull(): boolean {
    return this.#rowByKey.size >= MOST_CLOSED || this.#pagesRead >= MOST_PAGES;
  }

  /** Whether a DAMM v2 position has been seen. */
  get hasDammV2(): boolean {
    return this.#hasDammV2;
  }

  /** The rows of the loaded positions, in no order. */
  rows(): Iterable<number> {
    return this.#rowByKey.values();
  }

  /** The row of a position; `undefined` if it is not loaded. */
  rowOf(key: string): number | undefined {
    return this.#rowByKey.get(key);
  }

  /** An independent copy. */
  copy(): ClosedPages {
    const copy = new ClosedPages(undefined, { table: this.table.copy(), rowByKey: new Map(this.#rowByKey) });
    copy.#pagesRead = this.#pagesRead;
    copy.#hasMore = this.#hasMore;
    copy.#totalCount = this.#totalCount;
    copy.#hasDammV2 = this.#hasDammV2;
    return copy;
  }

  /** Reads the next page. @throws what `read` throws; the state is then unchanged */
  async readNext(read: ReadClosedPage): Promise<void> {
    const page = await read(this.#pagesRead + 1);
    const fresh = this.#take(page);
    // Guards against a service that repeats the same page forever.
    this.#hasMore = page.hasNextPage && (fresh > 0 || this.#pagesRead === 0);
    this.#pagesRead += 1;
  }

  /** Reads the newest pages again until one contains known positions. @throws what `read` throws */
  async catchUp(read: ReadClosedPage): Promise<void> {
    if (this.#pagesRead === 0) {
      await this.readNext(read);
      return;
    }
    for (let number = 1; ; number += 1) {
      const page = await read(number);
      const fresh = this.#take(page);
      // Also stops at a page with nothing readable: the service might continue like this forever.
      if (fresh === 0 || fresh < page.items.length || !page.hasNextPage || this.isFull) {
        return;
      }
    }
  }

  /** The address; of a further position at the same address, with its closing. */
  #keyOf(position: ClosedPosition): string {
    const { address, closedAt } = position;
    if (address === undefined) {
      return contentOf(position);
    }
    const known = this.#rowByKey.get(address);
    return known === undefined || isSameClosing(this.table.at(known).closedAt, closedAt) ? address : closedKey(position);
  }

  /** @returns the number of new positions */
  #take(page: Page<ClosedPosition>): number {
    const before = this.#rowByKey.size;
    const added = new Set<number>();
    const removed: number[] = [];
    for (const position of page.items) {
      const key = this.#keyOf(position);
      const known = this.#rowByKey.get(key);
      if (known !== undefined && this.table.equals(known, position)) {
        continue;
      }
      // Rows never change: a position with other figures gets another row.
      if (known !== undefined && !added.delete(known)) {
        removed.push(known);
      }
      const row = this.table.add(key, position);
      this.#rowByKey.set(key, row);
      added.add(row);
      this.#hasDammV2 ||= position.poolType === 'dammV2';
    }
    this.#totalCount = page.totalCount;
    if (added.size > 0) {
      this.#changed({ added: [...added], removed });
    }
    return this.#rowByKey.size - before;
  }
}

/** Whether two records of one address can be of the same position: an address that was used again has several. */
function isSameClosing(one: Date | undefined, other: Date | undefined): boolean {
  return one === undefined || other === undefined || one.getTime() === other.getTime();
}

/** Identifies a position without an address by its content. Its place on the page is no identity: it moves. */
function contentOf({ pool, pairName, createdAt, closedAt, input, output }: ClosedPosition): string {
  return JSON.stringify([pool, pairName, createdAt, closedAt, input, output]);
}

/** Maximum number of consecutive pauses that a service may ask for; then the read fails. */
const MAX_PAUSES = 10;

/**
 * Reads; if the service asks for a pause (429), waits and reads again. For reads that the user waits for anyway: many pages may exceed a plan's
 * requests per minute.
 * @throws what `read` throws otherwise; the signal's reason if it is aborted during a pause
 */
export async function retryLater<Result>(clock: Clock, signal: AbortSignal, read: () => Promise<Result>): Promise<Result> {
  for (let pauses = 0; ; pauses += 1) {
    try {
      return await read();
    } catch (error) {
      const pauseMs = requestedPauseMs(asError(error));
      if (pauseMs === undefined || pauses === MAX_PAUSES) {
        throw error;
      }
      await pause(pauseMs, signal, clock);
      signal.throwIfAborted();
    }
  }
}
