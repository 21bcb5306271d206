import type { RequestPace } from '../service/budget/operationRequests';
import { backoffMs, MIN_PAUSE_MS, requestedPauseMs } from './failure';
import { AFTER_OPERATION_MS, intervalOf, isNearEdge, SLOWDOWN } from './readIntervals';
import { ReadScheduler } from './readScheduler';
import type { RequestLimit } from './requestPace';
import type { ListName, ListState, PortfolioControl, RefreshReason } from './types';
import type { Clock, Subscription } from '../base/async/clock';
import type { OpenPosition } from '../service/positions';
import { DisposableStore } from '../base/async/disposables';

export interface CoordinatorDependencies {
  readonly portfolio: PortfolioControl;
  readonly clock: Clock;
  /** Returns numbers from 0 up to 1, like `Math.random`. */
  readonly random: () => number;
  /** The request limit that is shared with panels and operations. Default: only the pauses that errors ask for are kept. */
  readonly limit?: RequestLimit;
}

/** Intervals of reads while a list is visible and the window has the focus, in milliseconds. */
export type Intervals = Readonly<Record<ListName, number>>;

/** Positions every minute, pools every five: the plans of the service allow as few as five requests a minute. */
export const DEFAULT_INTERVALS: Intervals = { positions: 60_000, pools: 300_000 };

/** Waits after failures vary by this share either way, so that many windows don't retry at the same moment. */
const JITTER = 0.2;

const LISTS: readonly ListName[] = ['positions', 'pools'];

/** Times in milliseconds since 1970. */
interface Pause {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The schedule of one list. */
interface Schedule {
  /** Number of views that show the list. */
  demand: number;
  /** Number of small displays, for which a list is read slowly. */
  shownSmall: number;
  everyMs: number;
  /** The last processed state. Every read ends with a new state object. */
  seen: ListState;
  failures: number;
  /** No read begins after a failure, or after a read that changed nothing. */
  retryPause: Pause | undefined;
  /** End of the last read, successful or not; milliseconds since 1970. */
  endedAt: number;
  /** A refresh was requested while the list was hidden. */
  isOverdue: boolean;
  /** Number of reads in progress that the coordinator started. */
  running: number;
}

/**
 * Polls the lists of the portfolio. A list is read while it is visible: at its interval, more often while something is likely to change and less
 * often without the focus (readIntervals.ts), and at once if it is older than that when it is shown or the focus returns. A list that no view
 * shows is not read, except that positions are read slowly for the status bar and for notices. The wait grows with each failure. After a 429 both
 * lists wait as long as the request limit says; any request that succeeds ends the pause, and another service has its own. Reads that others
 * cause (after an operation) count like its own, since the schedule follows the portfolio's states.
 */
export class RefreshCoordinator {
  readonly #portfolio: PortfolioControl;
  readonly #clock: Clock;
  readonly #random: () => number;
  /** Decides about the reads of panels too. */
  readonly scheduler: ReadScheduler;
  readonly #schedules: Record<ListName, Schedule>;
  readonly #disposables = new DisposableStore();
  #isFocused: boolean;
  /** Reason of the reads that the scheduler starts now. */
  #reason: RefreshReason = 'interval';
  /** The pause that the service in use asked for. It holds for both lists, and ends when either is read. */
  #servicePause: Pause | undefined;
  /** See {@link setAsleep}. */
  #isAsleep = false;
  /** Notices are switched on. */
  #isWatched = false;
  /** Whether one of these positions is near an edge. */
  #edges: { readonly positions: readonly OpenPosition[]; readonly isNear: boolean } = { positions: [], isNear: false };

  constructor({ portfolio, clock, random, limit }: CoordinatorDependencies, isFocused: boolean, intervals = DEFAULT_INTERVALS) {
    this.#portfolio = portfolio;
    this.#clock = clock;
    this.#random = random;
    this.scheduler = new ReadScheduler(clock, limit);
    this.scheduler.slowdown = isFocused ? 1 : SLOWDOWN;
    this.#isFocused = isFocused;
    const { positionsState, poolsState } = portfolio.snapshot;
    this.#schedules = { positions: newSchedule(positionsState, intervals.positions), pools: newSchedule(poolsState, intervals.pools) };
    this.#disposables.add(
      this.scheduler,
      portfolio.onDidChange(() => this.#portfolioChanged()),
      ...LISTS.map((list) =>
        this.scheduler.add({
          isFirst: () => isFirst(this.#schedules[list]),
          isRunning: () => this.#schedules[list].running > 0,
          dueAtMs: () => this.#dueAt(list),
          start: () => void this.#run(list, this.#reason),
          // The pause of the last error no longer applies.
          limitChanged: () => (this.#servicePause = undefined),
        }),
      ),
    );
  }

  /** Marks a list as visible until the subscription is disposed. */
  show(list: ListName): Subscription {
    return this.#want(list, 'demand');
  }

  /** Marks a list as shown by something small that is always there, such as the status bar: it is read slowly. */
  showSmall(list: ListName): Subscription {
    return this.#want(list, 'shownSmall');
  }

  /** Whether a view shows a list. */
  get isShown(): boolean {
    return LISTS.some((list) => this.#schedules[list].demand > 0);
  }

  /** While it is asleep, reads would start the service: only what a view shows is read then. */
  setAsleep(isAsleep: boolean): void {
    if (isAsleep !== this.#isAsleep) {
      this.#isAsleep = isAsleep;
      this.#plan('configuration');
    }
  }

  /** The interval at which a list is read as it is shown now, milliseconds; Infinity: it is not read at intervals. */
  intervalMs(list: ListName): number {
    const { demand, shownSmall, everyMs } = this.#schedules[list];
    return intervalOf({
      list,
      isVisible: demand > 0,
      isFocused: this.#isFocused,
      isWatched: this.#isWatched || shownSmall > 0,
      isLively: this.#isLively,
      everyMs,
      perMinute: this.scheduler.perMinute,
    });
  }

  setFocused(isFocused: boolean): void {
    if (isFocused !== this.#isFocused) {
      this.#isFocused = isFocused;
      this.scheduler.slowdown = isFocused ? 1 : SLOWDOWN;
      this.#plan('focus');
    }
  }

  /** Reads positions slowly while no view shows them, because notices watch them. */
  setWatched(isWatched: boolean): void {
    if (isWatched !== this.#isWatched) {
      this.#isWatched = isWatched;
      this.#plan('interval');
    }
  }

  /**
   * Changes the interval of a list.
   * @throws RangeError if it is not a positive number
   */
  setInterval(list: ListName, everyMs: number): void {
    if (!Number.isFinite(everyMs) || everyMs <= 0) {
      throw new RangeError(`An interval is a positive number of milliseconds, not ${everyMs}`);
    }
    this.#schedules[list].everyMs = everyMs;
    this.#plan('interval');
  }

  /**
   * Reads the visible lists now, in spite of earlier failures and without the focus. Hidden lists are read when they are shown next. Never
   * rejects.
   * @param pace priority of the requests. Default: by the reason
   */
  async refreshNow(reason: RefreshReason, pace?: RequestPace): Promise<void> {
    for (const list of LISTS) {
      Object.assign(this.#schedules[list], { isOverdue: true, retryPause: undefined });
    }
    await Promise.all(LISTS.filter((list) => this.#isWanted(list)).map((list) => this.#run(list, reason, pace)));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #want(list: ListName, how: 'demand' | 'shownSmall'): Subscription {
    const schedule = this.#schedules[list];
    let isWanted = true;
    schedule[how] += 1;
    this.#plan('visible');
    return {
      dispose: () => {
        schedule[how] -= isWanted ? 1 : 0;
        isWanted = false;
        this.#plan('interval');
      },
    };
  }

  /** Processes the reads that ended, also those that others caused. */
  #portfolioChanged(): void {
    const { positionsState, poolsState } = this.#portfolio.snapshot;
    this.#readEnded(this.#schedules.positions, positionsState);
    this.#readEnded(this.#schedules.pools, poolsState);
    if (positionsState.kind === 'idle' && poolsState.kind === 'idle') {
      // The service changed: the pause of the last one doesn't apply.
      this.#servicePause = undefined;
    }
    this.#plan('interval');
  }

  #readEnded(schedule: Schedule, state: ListState): void {
    if (state === schedule.seen) {
      return;
    }
    schedule.seen = state;
    schedule.endedAt = this.#clock.now();
    switch (state.kind) {
      case 'idle':
        schedule.failures = 0;
        schedule.retryPause = undefined;
        break;
      case 'loading':
        break;
      case 'ready':
        schedule.failures = 0;
        schedule.retryPause = undefined;
        schedule.isOverdue = false;
        this.#servicePause = undefined;
        break;
      case 'stale':
      case 'failed': {
        const pauseMs = requestedPauseMs(state.error);
        if (pauseMs === undefined) {
          schedule.failures += 1;
          schedule.retryPause = this.#pauseFor(this.#backoff(schedule));
        } else {
          // A 429 is no failure: the service says when it answers again.
          schedule.retryPause = this.#pauseFor(MIN_PAUSE_MS);
          this.#servicePause = this.#pauseFor(pauseMs);
        }
        break;
      }
    }
  }

  /** @param reason reason of the reads that are due now */
  #plan(reason: RefreshReason): void {
    const before = this.#reason;
    this.#reason = reason;
    this.scheduler.plan();
    this.#reason = before;
  }

  async #run(list: ListName, reason: RefreshReason, pace?: RequestPace): Promise<void> {
    const schedule = this.#schedules[list];
    const { seen } = schedule;
    schedule.running += 1;
    await this.#portfolio.refresh(reason, [list], pace);
    schedule.running -= 1;
    if (schedule.seen === seen) {
      // The read was cancelled: neither answer nor failure. Retrying at once could loop.
      schedule.retryPause = this.#pauseFor(schedule.everyMs);
    }
    this.#plan('interval');
  }

  #dueAt(list: ListName): number {
    if (this.#disposables.isDisposed || !this.#isWanted(list)) {
      return Infinity;
    }
    const schedule = this.#schedules[list];
    // A refusal would be shown instead of the list, so its first read waits for the limit too.
    const limitedUntil = isFirst(schedule) ? this.#clock.now() + this.scheduler.waitMs() : 0;
    return Math.max(this.#ownDueAt(list, schedule), this.#endOf(this.#servicePause), limitedUntil);
  }

  /** The time at which a list is due, regardless of pauses; milliseconds since 1970. */
  #ownDueAt(list: ListName, schedule: Schedule): number {
    const { seen, retryPause, isOverdue, endedAt, demand } = schedule;
    const retryAt = this.#endOf(retryPause);
    if (seen.kind === 'idle' || seen.kind === 'loading') {
      return retryAt;
    }
    const isVisible = demand > 0;
    // What has never been read is tried again also for a small display.
    const isShown = isVisible || isFirst(schedule);
    if (isShown && this.#isFocused && (seen.kind !== 'ready' || isOverdue)) {
      return retryAt;
    }
    const interval = this.intervalMs(list);
    const readAt = seen.kind === 'ready' ? seen.asOf.getTime() : endedAt;
    // What was read in the future was read before the clock was set back.
    const isDue = isOverdue || readAt > this.#clock.now();
    return Math.max(isDue && interval !== Infinity ? 0 : readAt + interval, retryAt);
  }

  #pauseFor(ms: number): Pause {
    const fromMs = this.#clock.now();
    return { fromMs, untilMs: fromMs + ms };
  }

  /** When a pause ends, milliseconds since 1970; 0: there is none, or the clock was set back, so that it would last until the clock catches up. */
  #endOf(pause: Pause | undefined): number {
    return pause === undefined || this.#clock.now() < pause.fromMs ? 0 : pause.untilMs;
  }

  /** A position may leave or enter its range soon, or an operation has just ended. */
  get #isLively(): boolean {
    const { positions } = this.#portfolio.snapshot;
    if (positions !== this.#edges.positions) {
      this.#edges = { positions, isNear: positions.some(isNearEdge) };
    }
    const sinceOperationMs = this.#clock.now() - this.#portfolio.operatedAtMs;
    return this.#edges.isNear || (sinceOperationMs >= 0 && sinceOperationMs < AFTER_OPERATION_MS);
  }

  /** True if something wants the list and there is something to read. */
  #isWanted(list: ListName): boolean {
    const { demand, shownSmall } = this.#schedules[list];
    const isWanted = demand > 0 || (!this.#isAsleep && (shownSmall > 0 || (list === 'positions' && this.#isWatched)));
    return isWanted && (list === 'pools' || this.#portfolio.snapshot.owner !== undefined);
  }

  #backoff({ everyMs, failures }: Schedule): number {
    return backoffMs(everyMs, failures) * (1 - JITTER + 2 * JITTER * this.#random());
  }
}

function newSchedule(seen: ListState, everyMs: number): Schedule {
  return { demand: 0, shownSmall: 0, everyMs, seen, failures: 0, retryPause: undefined, endedAt: 0, isOverdue: false, running: 0 };
}

/** True if the list has not been read yet. */
function isFirst({ seen: { kind } }: Schedule): boolean {
  return kind !== 'ready' && kind !== 'stale';
}
