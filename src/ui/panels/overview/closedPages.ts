import type { Page } from '../../../service/common';
import type { ClosedPosition } from '../../../service/positions';

/** The most that is asked for on a page. */
export const CLOSED_PAGE_SIZE = 100;

/** More is not kept at a time: no wallet has as many, so a service that goes on like this never ends. */
const MOST_CLOSED = 100_000;

/** Reads a page, counted from 1. */
export type ReadClosedPage = (page: number) => Promise<Page<ClosedPosition>>;

/** A closed position, and a name for it that no other one has. */
export interface KeptPosition {
  readonly key: string;
  readonly position: ClosedPosition;
}

/**
 * Closed positions of one wallet and range as far as they were read, page by page. Positions that are closed meanwhile push the
 * others to later pages: who comes twice is kept once, and the newest are read again ({@link catchUp}).
 */
export class ClosedPages {
  readonly #byKey: Map<string, ClosedPosition>;
  #pagesRead = 0;
  #hasMore = true;
  #totalCount: number | undefined;

  constructor(known: Iterable<readonly [string, ClosedPosition]> = []) {
    this.#byKey = new Map(known);
  }

  /** Pages that were read one after the other. */
  get pagesRead(): number {
    return this.#pagesRead;
  }

  /** Positions that were read. */
  get count(): number {
    return this.#byKey.size;
  }

  /** How many there are, as the service said last; `undefined` where it does not say. */
  get totalCount(): number | undefined {
    return this.#totalCount;
  }

  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** So many were read that no more are taken ({@link MOST_CLOSED}). */
  get isFull(): boolean {
    return this.#byKey.size >= MOST_CLOSED;
  }

  /** What was read, the last closed first; what has no date comes last. */
  newestFirst(): readonly KeptPosition[] {
    const closedAt = ({ position }: KeptPosition): number => position.closedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
    return [...this.#byKey]
      .map(([key, position]) => ({ key, position }))
      .toSorted((a, b) => (closedAt(a) === closedAt(b) ? 0 : closedAt(b) - closedAt(a)));
  }

  /** As much known, to be read on by itself. */
  copy(): ClosedPages {
    const copy = new ClosedPages(this.#byKey);
    copy.#pagesRead = this.#pagesRead;
    copy.#hasMore = this.#hasMore;
    copy.#totalCount = this.#totalCount;
    return copy;
  }

  /** Reads the next page. @throws what `read` throws; then it is as it was. */
  async readNext(read: ReadClosedPage): Promise<void> {
    const page = await read(this.#pagesRead + 1);
    const fresh = this.#take(page);
    // A service that gives the same page again and again would never end.
    this.#hasMore = page.hasNextPage && (fresh > 0 || this.#pagesRead === 0);
    this.#pagesRead += 1;
  }

  /** Reads the newest again, until a page has some that were known; the first page where none was read. @throws what `read` throws. */
  async catchUp(read: ReadClosedPage): Promise<void> {
    if (this.#pagesRead === 0) {
      await this.readNext(read);
      return;
    }
    for (let number = 1; ; number += 1) {
      const page = await read(number);
      const fresh = this.#take(page);
      // Where nothing is new, nothing of it could be read either: a service that goes on like this would never end.
      if (fresh === 0 || fresh < page.items.length || !page.hasNextPage || this.isFull) {
        return;
      }
    }
  }

  /** @returns how many of them are new. */
  #take(page: Page<ClosedPosition>): number {
    const before = this.#byKey.size;
    for (const position of page.items) {
      this.#byKey.set(position.address ?? contentOf(position), position);
    }
    this.#totalCount = page.totalCount;
    return this.#byKey.size - before;
  }
}

/** What a position without an address is told from others by. Its place on the page would say nothing: it moves. */
function contentOf({ pool, pairName, createdAt, closedAt, input, output }: ClosedPosition): string {
  return JSON.stringify([pool, pairName, createdAt, closedAt, input, output]);
}
