import * as l10n from '@vscode/l10n';
import type { Clock } from '../../../base/async/clock';
import { Mutex } from '../../../base/async/concurrency';
import { asError } from '../../../base/thrown';
import type { ReadScheduler } from '../../../portfolio/readScheduler';
import type { DateRange, History, HistoryRequest, HistoryWindow } from '../../../protocol/overview';
import type { CurrencyView, Part } from '../../../protocol/schemas';
import type { ClosedPosition } from '../../../service/positions';
import { UserError } from '../../shell/errors';
import { errorSentence, Query } from '../query';
import { ClosedPages, type ReadClosedPage, retryLater } from './closedPages';
import { closedRowOf } from './closedRow';
import { type ClosedQuery, ClosedView, type RowChange } from './closedView';
import { isInverted, isSameRange } from './days';

export interface HistorySource {
  readonly read: (range: DateRange, signal: AbortSignal) => ReadClosedPage;
  readonly changed: () => void;
  /** The currency of requests that name none. */
  readonly currency: () => CurrencyView;
  /** Interval at which the newest page is read again while the panel is visible, milliseconds. */
  readonly everyMs: number;
  readonly scheduler: ReadScheduler;
  readonly clock: Clock;
  readonly log: (level: 'debug' | 'info' | 'warn', message: string) => void;
}

/** While pages are loading, the panel is updated at most this often, milliseconds. */
const PROGRESS_MS = 200;

/** Until the panel requests rows. */
const NO_REQUEST: HistoryRequest = {
  id: 0,
  query: { search: '', result: 'all', sort: { column: 'closedAtMs', order: 'desc' } },
  from: 0,
  count: 0,
};

/**
 * The closed positions of a range of days: the newest page, and further pages on demand, one at a time. They stay here; the panel gets the rows of
 * the window that it requests.
 */
export class ClosedHistory {
  readonly #source: HistorySource;
  readonly #turns = new Mutex();
  readonly #newest: Query<ClosedPages>;
  #range: DateRange = {};
  #pages: ClosedPages;
  /** The rows that the last completed request finds. */
  #view: ClosedView;
  /** The last request, and the last one whose rows are in {@link #view}. */
  #request = NO_REQUEST;
  #shown = NO_REQUEST;
  /** The view for {@link #request} while it is being filled. */
  #filling: { readonly view: ClosedView; readonly abort: AbortController } | undefined;
  /** Number of pages that are wanted. */
  #wanted = 1;
  /** Cancels the loading of further pages. */
  #readingOn: AbortController | undefined;
  /** Why loading further pages failed. */
  #error: string | undefined;
  #isVisible = false;

  constructor(source: HistorySource) {
    this.#source = source;
    this.#pages = this.#newPages();
    this.#view = new ClosedView(this.#pages.table, this.#queryOf(NO_REQUEST));
    this.#newest = new Query({
      name: 'the closed positions',
      read: (signal) => this.#readNewest(signal),
      changed: () => {
        source.changed();
        // More pages may have been requested before the first one arrived.
        void this.#readOn();
      },
      everyMs: source.everyMs,
      clock: source.clock,
      scheduler: source.scheduler,
      log: source.log,
    });
  }

  /** The loaded part, for the panel. */
  part(): Part<History> {
    const { status, asOfMs, words, remedies, data: pages } = this.#newest.part;
    if (pages === undefined) {
      return { status, asOfMs, words, remedies };
    }
    const data = {
      range: this.#range,
      loadedCount: pages.count,
      totalCount: pages.totalCount,
      hasMore: pages.hasMore && !pages.isFull,
      isReadingMore: this.#readingOn !== undefined,
      window: this.#window(pages),
    };
    return this.#error === undefined ? { status, data, asOfMs, words, remedies } : { status: 'stale', data, asOfMs, words: this.#error };
  }

  /** A copy of the pages loaded for a range, to continue from; empty for another range. */
  pagesOf(range: DateRange): ClosedPages {
    return isSameRange(range, this.#range) ? this.#pages.copy() : new ClosedPages();
  }

  /** The loaded position of a row; `undefined`: it is not loaded any more. */
  positionOf(key: string): ClosedPosition | undefined {
    const row = this.#pages.rowOf(key);
    return row === undefined ? undefined : this.#pages.table.at(row);
  }

  /** Whether the request that is shown finds a row. */
  finds(key: string): boolean {
    const row = this.#pages.rowOf(key);
    return row !== undefined && this.#view.indexOf(row) !== undefined;
  }

  /** Whether a DAMM v2 position is among the loaded ones. */
  get hasDammV2(): boolean {
    return this.#pages.hasDammV2;
  }

  want(): void {
    this.#newest.want();
  }

  /** The panel wants other rows. A request with the same search and order is answered at once. */
  show(request: HistoryRequest): void {
    this.#request = request;
    this.#renewView();
    this.#source.changed();
  }

  /** The default currency may have changed. */
  currencyChanged(): void {
    this.#renewView();
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#newest.setVisible(isVisible);
    void this.#readOn();
  }

  /** Changes the range; nothing happens for the same days. */
  setRange(range: DateRange): void {
    if (!isSameRange(range, this.#range)) {
      this.#range = range;
      this.forget();
      this.#source.changed();
    }
  }

  /** Loads the next page, or all remaining ones. */
  more(all: boolean): void {
    const next = this.#pages.pagesRead + 1;
    // Scrolling while all pages are loading does not cancel that.
    this.#wanted = all ? Number.POSITIVE_INFINITY : this.#error === undefined ? Math.max(this.#wanted, next) : next;
    this.#error = undefined;
    void this.#readOn();
  }

  /** Stops loading further pages; those that are loaded stay. */
  stop(): void {
    this.#wanted = this.#pages.pagesRead;
    this.#readingOn?.abort();
    this.#readingOn = undefined;
    this.#source.changed();
  }

  /** Retries what failed; without a failure, reads the newest page. */
  async retry(): Promise<void> {
    if (this.#error === undefined) {
      await this.#newest.ask();
      return;
    }
    this.#error = undefined;
    await this.#readOn();
  }

  async refresh(): Promise<void> {
    await this.#newest.ask();
  }

  /** Positions have been closed since the last read. */
  again(): void {
    this.#newest.again();
  }

  /** The wallet, service or range changed: starts over. */
  forget(): void {
    this.#readingOn?.abort();
    this.#readingOn = undefined;
    this.#filling?.abort.abort();
    this.#filling = undefined;
    this.#pages = this.#newPages();
    this.#view = new ClosedView(this.#pages.table, this.#queryOf(this.#request));
    this.#shown = this.#request;
    this.#wanted = 1;
    this.#error = undefined;
    this.#newest.forget();
  }

  dispose(): void {
    this.#filling?.abort.abort();
    this.#readingOn?.abort();
    this.#readingOn = undefined;
    this.#newest.dispose();
  }

  #newPages(): ClosedPages {
    const pages: ClosedPages = new ClosedPages((change) => this.#rowsChanged(pages, change));
    return pages;
  }

  #rowsChanged(pages: ClosedPages, change: RowChange): void {
    if (pages === this.#pages) {
      this.#view.apply(change);
      this.#filling?.view.apply(change);
    }
  }

  #queryOf({ query }: HistoryRequest): ClosedQuery {
    return { ...query, currency: query.currency ?? this.#source.currency() };
  }

  /** Shows what is requested: at once if only the window differs, else as soon as its rows are found and sorted. */
  #renewView(): void {
    const query = this.#queryOf(this.#request);
    if (isSameQuery(query, this.#filling?.view.query ?? this.#view.query)) {
      this.#shown = this.#filling === undefined ? this.#request : this.#shown;
      return;
    }
    this.#filling?.abort.abort();
    this.#filling = undefined;
    if (isSameQuery(query, this.#view.query)) {
      this.#shown = this.#request;
      return;
    }
    void this.#fill(new ClosedView(this.#pages.table, query));
  }

  /** Fills a view in slices and shows it, unless it is superseded. */
  async #fill(view: ClosedView): Promise<void> {
    const abort = new AbortController();
    const mine = { view, abort };
    this.#filling = mine;
    try {
      await view.fill(this.#pages.rows(), abort.signal);
    } catch (error) {
      if (!abort.signal.aborted) {
        this.#source.log('warn', `Sorting the closed positions failed: ${asError(error).message}`);
      }
    }
    if (this.#filling === mine) {
      this.#filling = undefined;
      this.#view = view;
      this.#shown = this.#request;
      this.#source.changed();
    }
  }

  #window(pages: ClosedPages): HistoryWindow {
    const { id, from, count, anchor } = this.#shown;
    const { table } = pages;
    const anchorRow = anchor === undefined ? undefined : pages.rowOf(anchor);
    return {
      id,
      found: this.#view.count,
      from,
      rows: this.#view.window(from, count).map((row) => closedRowOf(table.at(row), table.key(row))),
      sums: this.#view.sums(),
      ...(anchor === undefined
        ? {}
        : { anchor: { key: anchor, index: anchorRow === undefined ? undefined : this.#view.indexOf(anchorRow) } }),
    };
  }

  async #readNewest(signal: AbortSignal): Promise<ClosedPages> {
    if (isInverted(this.#range)) {
      throw new UserError(l10n.t('The first day is after the last day.'));
    }
    const pages = this.#pages;
    const read = this.#source.read(this.#range, signal);
    await this.#turns.take(() => pages.catchUp(read), signal);
    return pages;
  }

  /** Loads pages until there are as many as wanted; pauses while hidden. */
  async #readOn(): Promise<void> {
    if (this.#readingOn !== undefined || !this.#wantsMore()) {
      return;
    }
    const mine = new AbortController();
    const { signal } = mine;
    const isMine = (): boolean => this.#readingOn === mine;
    const pages = this.#pages;
    const { clock } = this.#source;
    this.#readingOn = mine;
    this.#source.changed();
    const read = this.#source.read(this.#range, signal);
    let sentAtMs = clock.now();
    try {
      while (isMine() && this.#wantsMore()) {
        await retryLater(clock, signal, () => this.#turns.take(() => pages.readNext(read), signal));
        if (isMine() && clock.now() >= sentAtMs + PROGRESS_MS) {
          sentAtMs = clock.now();
          this.#source.changed();
        }
      }
    } catch (thrown) {
      if (isMine()) {
        const error = asError(thrown);
        this.#source.log('warn', `Reading more of the closed positions failed: ${error.message}`);
        this.#error = errorSentence(error);
      }
    }
    if (isMine()) {
      this.#readingOn = undefined;
      this.#source.changed();
    }
  }

  #wantsMore(): boolean {
    const { pagesRead, hasMore, isFull } = this.#pages;
    return this.#isVisible && this.#error === undefined && pagesRead > 0 && pagesRead < this.#wanted && hasMore && !isFull;
  }
}

function isSameQuery(one: ClosedQuery, other: ClosedQuery): boolean {
  return (
    one.search === other.search &&
    one.result === other.result &&
    one.currency === other.currency &&
    one.sort.column === other.sort.column &&
    one.sort.order === other.sort.order
  );
}
