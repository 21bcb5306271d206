import type { Clock, Subscription } from '../base/async/clock';
import { DisposableStore } from '../base/async/disposables';
import { NO_LIMIT, type RequestLimit } from './requestPace';

/** Something that is read from the service again and again. */
export interface ScheduledRead {
  /** Nothing has been read yet, so something on the screen waits for it. */
  readonly isFirst: () => boolean;
  readonly isRunning: () => boolean;
  /** Earliest time of the next read, milliseconds since 1970; Infinity: none is planned. */
  readonly dueAtMs: () => number;
  /** Starts the read. Its owner calls {@link ReadScheduler.plan} when it ends. */
  readonly start: () => void;
  /** Called when a pause ends early or the service changes: the pause that an error asked for no longer applies. */
  readonly limitChanged: () => void;
}

/** Longest delay of a timer. A longer wait takes several timers. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A first read that is due within this time goes before refreshes. */
const SOON_MS = 1_000;

/**
 * Decides when the lists of the portfolio and the parts of panels are read, except for reads that the user requests. There is one order: first
 * reads, which start as soon as they are due, and then refreshes by the time at which they are due. A refresh starts only if the request limit
 * has room for it and for each read that goes before it. So on a plan of a few requests a minute the screen fills before anything is renewed.
 */
export class ReadScheduler {
  readonly #clock: Clock;
  readonly #limit: RequestLimit;
  readonly #disposables = new DisposableStore();
  readonly #reads = new Set<ScheduledRead>();
  #timer: Subscription | undefined;
  /** Factor of the intervals of panels: larger than 1 without the focus. */
  slowdown = 1;

  constructor(clock: Clock, limit: RequestLimit = NO_LIMIT) {
    this.#clock = clock;
    this.#limit = limit;
    this.#disposables.add(
      limit.onDidChange(() => {
        this.#reads.forEach((read) => read.limitChanged());
        this.plan();
      }),
    );
  }

  /** Milliseconds until one request may be sent, as far as known now. */
  waitMs(): number {
    return this.#limit.waitMs();
  }

  /** Requests that the service allows per minute; `undefined`: unknown. */
  get perMinute(): number | undefined {
    return this.#limit.perMinute;
  }

  /** Adds a read until the subscription is disposed. */
  add(read: ScheduledRead): Subscription {
    this.#reads.add(read);
    return {
      dispose: () => {
        this.#reads.delete(read);
        this.plan();
      },
    };
  }

  /** Starts what may start, and sets the timer for the next read. To be called whenever a read ends or its due time changes. */
  plan(): void {
    if (this.#disposables.isDisposed) {
      return;
    }
    // Starting a read may change others and call this method again, so every step looks at all reads.
    const started = new Set<ScheduledRead>();
    for (let next = this.#next(started); next !== undefined; next = this.#next(started)) {
      started.add(next);
      next.start();
    }
    const now = this.#clock.now();
    const dueMs = this.#waiting(started).map((read) => {
      const waitMs = read.dueAtMs() - now;
      // A first read that is due by now became so after the last look at all reads.
      return waitMs > 0 ? waitMs : Math.max(read.isFirst() ? 0 : this.#roomInMs(), 1);
    });
    const waitMs = Math.min(...dueMs, Infinity);
    this.#timer?.dispose();
    this.#timer = waitMs === Infinity ? undefined : this.#clock.after(Math.min(waitMs, LONGEST_TIMER_MS), () => this.plan());
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#timer?.dispose();
    this.#reads.clear();
  }

  /** The read that starts next; `undefined`: none may start now. @param started reads that this pass has started */
  #next(started: ReadonlySet<ScheduledRead>): ScheduledRead | undefined {
    const now = this.#clock.now();
    const due = this.#waiting(started).filter((read) => read.dueAtMs() <= now);
    const [refresh] = due.toSorted((one, other) => one.dueAtMs() - other.dueAtMs());
    return due.find((read) => read.isFirst()) ?? (this.#roomInMs() === 0 ? refresh : undefined);
  }

  #waiting(started: ReadonlySet<ScheduledRead>): readonly ScheduledRead[] {
    return [...this.#reads].filter((read) => !started.has(read) && !read.isRunning());
  }

  /**
   * Milliseconds until the limit has room for a refresh after the reads in progress, of which some requests may not be sent yet, and after the first reads
   * that are due soon: one that the limit refused is due some milliseconds after the limit has room again, and a refresh would take its place.
   */
  #roomInMs(): number {
    const soonMs = this.#clock.now() + SOON_MS;
    const before = [...this.#reads].filter((read) => read.isRunning() || (read.isFirst() && read.dueAtMs() <= soonMs));
    return this.#limit.waitMs(1 + before.length);
  }
}
