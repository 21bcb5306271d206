import * as l10n from '@vscode/l10n';
import type { Clock } from '../../../base/async/clock';
import { Mutex } from '../../../base/async/concurrency';
import { asError } from '../../../portfolio/failure';
import type { ReadScheduler } from '../../../portfolio/readScheduler';
import type { DateRange, History, ClosedRow } from '../../../protocol/overview';
import type { Part } from '../../../protocol/schemas';
import { UserError } from '../../shell/errors';
import { errorSentence, Query } from '../query';
import { ClosedPages, type ReadClosedPage, retryLater } from './closedPages';
import { isInverted, isSameRange } from './days';
import type { ClosedPosition } from '../../../service/positions';

export interface HistorySource {
  readonly read: (range: DateRange, signal: AbortSignal) => ReadClosedPage;
  readonly changed: () => void;
  /** Interval at which the newest page is read again while the panel is visible, milliseconds. */
  readonly everyMs: number;
  readonly scheduler: ReadScheduler;
  readonly clock: Clock;
  readonly log: (level: 'debug' | 'info' | 'warn', message: string) => void;
}

/** While all pages are loading, the panel is updated whenever the rows have grown by this factor: each message carries all rows. */
const PROGRESS_STEP = 1.2;

/** The closed positions of a range of days: the newest page, and further pages on demand, one at a time. */
export class ClosedHistory {
  readonly #source: HistorySource;
  readonly #turns = new Mutex();
  readonly #newest: Query<ClosedPages>;
  #range: DateRange = {};
  #pages = new ClosedPages();
  /** Number of pages that are wanted. */
  #wanted = 1;
  /** Cancels the loading of further pages. */
  #readingOn: AbortController | undefined;
  /** Why loading further pages failed. */
  #error: string | undefined;
  #isVisible = false;

  constructor(source: HistorySource) {
    this.#source = source;
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
    const { status, asOfMs, words, data: pages } = this.#newest.part;
    if (pages === undefined) {
      return { status, asOfMs, words };
    }
    const rows = pages.newestFirst().map(({ key, position }) => closedRowOf(position, key));
    const data = {
      range: this.#range,
      rows,
      totalCount: pages.totalCount,
      hasMore: pages.hasMore,
      isReadingMore: this.#readingOn !== undefined,
    };
    return this.#error === undefined ? { status, data, asOfMs, words } : { status: 'stale', data, asOfMs, words: this.#error };
  }

  /** A copy of the pages loaded for a range, to continue from; empty for another range. */
  pagesOf(range: DateRange): ClosedPages {
    return isSameRange(range, this.#range) ? this.#pages.copy() : new ClosedPages();
  }

  want(): void {
    this.#newest.want();
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
    this.#pages = new ClosedPages();
    this.#wanted = 1;
    this.#error = undefined;
    this.#newest.forget();
  }

  dispose(): void {
    this.#readingOn?.abort();
    this.#readingOn = undefined;
    this.#newest.dispose();
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
    let sentCount = pages.count;
    try {
      while (isMine() && this.#wantsMore()) {
        await retryLater(clock, signal, () => this.#turns.take(() => pages.readNext(read), signal));
        if (isMine() && pages.count >= sentCount * PROGRESS_STEP) {
          sentCount = pages.count;
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

/** A closed position as a row of the history. @param key unique among the rows */
function closedRowOf(position: ClosedPosition, key: string): ClosedRow {
  const { followed } = position;
  return {
    key,
    address: position.address,
    pool: position.pool,
    pairName: position.pairName,
    poolType: position.poolType,
    strategy: position.strategy,
    openedAtMs: position.createdAt?.getTime(),
    closedAtMs: position.closedAt?.getTime(),
    ageHours: position.ageHours,
    input: position.input,
    output: position.output,
    fee: position.fee,
    feePercent: position.feePercent,
    reward: position.collectedReward,
    pnl: position.pnl,
    pnlPercent: position.pnlPercent,
    dailyReturn: position.dailyReturn,
    audited: position.audited,
    lowerBinId: position.lowerBinId,
    upperBinId: position.upperBinId,
    followed: followed === undefined ? undefined : { owner: followed.owner, label: followed.label },
  };
}
