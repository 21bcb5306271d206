import * as l10n from '@vscode/l10n';
import { asError } from '../../../portfolio/failure';
import type { RequestLimit } from '../../../portfolio/requestPace';
import { Mutex } from '../../../base/async/mutex';
import type { DateRange, History } from '../../../protocol/overview';
import type { Part } from '../../../protocol/parts';
import { UserError } from '../../shell/userError';
import { Query } from '../query';
import { errorSentence } from '../asyncState';
import { ClosedPages, type ReadClosedPage } from './closedPages';
import { isInverted, isSameRange } from './days';
import { closedRowOf } from './overviewViews';
import { retryLater } from './retryLater';
import type { Clock } from '../../../base/async/clock';

/** What the history is read with. */
export interface HistorySource {
  /** Reads a page of a range; the signal cancels it. */
  readonly read: (range: DateRange, signal: AbortSignal) => ReadClosedPage;
  readonly changed: () => void;
  /** How often the newest are read again while it is seen, milliseconds. */
  readonly everyMs: number;
  readonly limit?: RequestLimit | undefined;
  readonly clock: Clock;
  readonly log: (level: 'debug' | 'info' | 'warn', message: string) => void;
}

/** While all pages are read, the panel is told whenever there are so many times the rows it has: each message carries all of them. */
const PROGRESS_STEP = 1.2;

/** The closed positions of a range of days as far as the panel wants them: the newest page, and further ones on demand, one at a time. */
export class ClosedHistory {
  readonly #source: HistorySource;
  readonly #turns = new Mutex();
  readonly #newest: Query<ClosedPages>;
  #range: DateRange = {};
  #pages = new ClosedPages();
  /** So many pages are wanted. */
  #wanted = 1;
  /** Ends the reading of further pages that is under way. */
  #readingOn: AbortController | undefined;
  /** Why it was not read on as far as was wanted. */
  #trouble: string | undefined;
  #isVisible = false;

  constructor(source: HistorySource) {
    this.#source = source;
    this.#newest = new Query({
      name: 'the closed positions',
      read: (signal) => this.#readNewest(signal),
      changed: () => {
        source.changed();
        // More may have been wanted before the first page was there.
        void this.#readOn();
      },
      everyMs: source.everyMs,
      clock: source.clock,
      limit: source.limit,
      log: source.log,
    });
  }

  /** As far as it was read, for the panel. */
  part(): Part<History> {
    const { standing, asOfMs, words, data: pages } = this.#newest.part;
    if (pages === undefined) {
      return { standing, asOfMs, words };
    }
    const rows = pages.newestFirst().map(({ key, position }) => closedRowOf(position, key));
    const data = {
      range: this.#range,
      rows,
      totalCount: pages.totalCount,
      hasMore: pages.hasMore,
      isReadingMore: this.#readingOn !== undefined,
    };
    return this.#trouble === undefined ? { standing, data, asOfMs, words } : { standing: 'stale', data, asOfMs, words: this.#trouble };
  }

  /** What was read of a range so far, for somebody else to read on; nothing of another range. */
  pagesOf(range: DateRange): ClosedPages {
    return isSameRange(range, this.#range) ? this.#pages.copy() : new ClosedPages();
  }

  /** Shows it from now on. */
  want(): void {
    this.#newest.want();
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#newest.setVisible(isVisible);
    void this.#readOn();
  }

  /** Shows other days; the same ones stay as they are. */
  setRange(range: DateRange): void {
    if (!isSameRange(range, this.#range)) {
      this.#range = range;
      this.forget();
      this.#source.changed();
    }
  }

  /** Reads the next page, or all that are left. */
  more(all: boolean): void {
    const next = this.#pages.pagesRead + 1;
    // Who scrolls while all are being read still wants all.
    this.#wanted = all ? Number.POSITIVE_INFINITY : this.#trouble === undefined ? Math.max(this.#wanted, next) : next;
    this.#trouble = undefined;
    void this.#readOn();
  }

  /** Tries again what failed; where nothing did, reads the newest. */
  async retry(): Promise<void> {
    if (this.#trouble === undefined) {
      await this.#newest.ask();
      return;
    }
    this.#trouble = undefined;
    await this.#readOn();
  }

  /** Reads the newest now. */
  async refresh(): Promise<void> {
    await this.#newest.ask();
  }

  /** Some positions are known to have been closed since. */
  again(): void {
    this.#newest.again();
  }

  /** What was read is another wallet's, service's or range's: begins anew. */
  forget(): void {
    this.#readingOn?.abort();
    this.#readingOn = undefined;
    this.#pages = new ClosedPages();
    this.#wanted = 1;
    this.#trouble = undefined;
    this.#newest.forget();
  }

  dispose(): void {
    this.#readingOn?.abort();
    this.#readingOn = undefined;
    this.#newest.dispose();
  }

  async #readNewest(signal: AbortSignal): Promise<ClosedPages> {
    if (isInverted(this.#range)) {
      throw new UserError(l10n.t('The first day is after the last one: there is nothing between them.'));
    }
    const pages = this.#pages;
    const read = this.#source.read(this.#range, signal);
    await this.#turns.take(() => pages.catchUp(read), signal);
    return pages;
  }

  /** Reads page after page until there are as many as are wanted; pauses while it is not seen. */
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
    let told = pages.count;
    try {
      while (isMine() && this.#wantsMore()) {
        await retryLater(clock, signal, () => this.#turns.take(() => pages.readNext(read), signal));
        if (isMine() && pages.count >= told * PROGRESS_STEP) {
          told = pages.count;
          this.#source.changed();
        }
      }
    } catch (thrown) {
      if (isMine()) {
        const error = asError(thrown);
        this.#source.log('warn', `Reading more of the closed positions failed: ${error.message}`);
        this.#trouble = errorSentence(error);
      }
    }
    if (isMine()) {
      this.#readingOn = undefined;
      this.#source.changed();
    }
  }

  #wantsMore(): boolean {
    const { pagesRead, hasMore, isFull } = this.#pages;
    return this.#isVisible && this.#trouble === undefined && pagesRead > 0 && pagesRead < this.#wanted && hasMore && !isFull;
  }
}
