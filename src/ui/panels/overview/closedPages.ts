import { type Clock, pause } from '../../../base/async/clock';
import { asError, requestedPauseMs } from '../../../portfolio/failure';
import type { Page } from '../../../service/common';
import type { ClosedPosition } from '../../../service/positions';

/** Positions requested per page. */
export const CLOSED_PAGE_SIZE = 100;

/** Maximum number of positions kept. No wallet has as many: a service that returns more may never end. */
const MOST_CLOSED = 100_000;

/** Reads a page; pages are counted from 1. */
export type ReadClosedPage = (page: number) => Promise<Page<ClosedPosition>>;

/** A closed position with a unique key. */
export interface KeptPosition {
  readonly key: string;
  readonly position: ClosedPosition;
}

/**
 * The loaded closed positions of one wallet and range. Positions closed meanwhile push others to later pages: duplicates are dropped, and the newest
 * pages are read again by {@link catchUp}.
 */
export class ClosedPages {
  readonly #byKey: Map<string, ClosedPosition>;
  #pagesRead = 0;
  #hasMore = true;
  #totalCount: number | undefined;

  constructor(known: Iterable<readonly [string, ClosedPosition]> = []) {
    this.#byKey = new Map(known);
  }

  /** Number of consecutive pages read so far. */
  get pagesRead(): number {
    return this.#pagesRead;
  }

  get count(): number {
    return this.#byKey.size;
  }

  /** Total number reported by the service; `undefined` if it reports none. */
  get totalCount(): number | undefined {
    return this.#totalCount;
  }

  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Whether {@link MOST_CLOSED} is reached and no more are loaded. */
  get isFull(): boolean {
    return this.#byKey.size >= MOST_CLOSED;
  }

  /** The loaded positions, last closed first; those without a date come last. */
  newestFirst(): readonly KeptPosition[] {
    const closedAt = ({ position }: KeptPosition): number => position.closedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
    return [...this.#byKey]
      .map(([key, position]) => ({ key, position }))
      .toSorted((a, b) => (closedAt(a) === closedAt(b) ? 0 : closedAt(b) - closedAt(a)));
  }

  /** An independent copy. */
  copy(): ClosedPages {
    const copy = new ClosedPages(this.#byKey);
    copy.#pagesRead = this.#pagesRead;
    copy.#hasMore = this.#hasMore;
    copy.#totalCount = this.#totalCount;
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

  /** @returns the number of new positions */
  #take(page: Page<ClosedPosition>): number {
    const before = this.#byKey.size;
    for (const position of page.items) {
      this.#byKey.set(position.address ?? contentOf(position), position);
    }
    this.#totalCount = page.totalCount;
    return this.#byKey.size - before;
  }
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
