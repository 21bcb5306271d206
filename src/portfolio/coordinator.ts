import type { RequestPace } from '../service/requestBudget';
import { backoffMs, MIN_REST_MS, restAskedFor } from './backoff';
import { NO_LIMIT, type RequestLimit } from './requestPace';
import type { ListName, ListState, PortfolioControl, RefreshReason } from './types';
import type { Subscription, Clock } from '../base/async/clock';

/** What the coordinator works with. */
export interface CoordinatorDependencies {
  readonly portfolio: PortfolioControl;
  readonly clock: Clock;
  /** From 0 up to 1, as `Math.random` gives it. */
  readonly random: () => number;
  /** The request limit that is shared with panels and operations. Without it, only what errors say is heeded. */
  readonly limit?: RequestLimit;
}

/** How often lists are read while they are shown, in milliseconds. */
export type Intervals = Readonly<Record<ListName, number>>;

/** Positions every minute, pools every five: the plans of the service allow as few as five requests a minute. */
export const DEFAULT_INTERVALS: Intervals = { positions: 60_000, pools: 300_000 };

/** Waits after failures vary by this share either way, so that many windows do not come back at the same moment. */
const JITTER = 0.2;

/** Timers take no more; who wakes earlier than due just sleeps again. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const LISTS: readonly ListName[] = ['positions', 'pools'];

/** When one list is to be read. */
interface Schedule {
  /** How many surfaces show the list. */
  demand: number;
  everyMs: number;
  /** The state that was looked at last; states are new objects whenever a read ends. */
  seen: ListState;
  failures: number;
  /** After a failure, and after a read that changed nothing: not before then. */
  retryAt: number;
  /** Somebody asked for it while nothing showed it. */
  isOverdue: boolean;
  /** How many reads that the coordinator started are under way. */
  running: number;
}

/**
 * Owns all polling: when the lists of the portfolio are read without anybody asking for it. A list is read while something
 * shows it and the window has the focus: every so often, and at once when it is shown, or the focus returns, and it is
 * older than that. What was never read is read without the focus too, once. After failures the wait grows each time. After a 429
 * both lists wait for as long as the request limit says, and no longer: a request that succeeds ends the pause, whoever sent it, and
 * another service has its own. Reads that others cause (after an operation) count like its own: everything is told from the portfolio's
 * states.
 */
export class RefreshCoordinator {
  readonly #portfolio: PortfolioControl;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #limit: RequestLimit;
  readonly #schedules: Record<ListName, Schedule>;
  readonly #subscriptions: readonly Subscription[];
  #timer: Subscription | undefined;
  #isFocused: boolean;
  #isDisposed = false;
  /** The service in use asked to be left alone until then, milliseconds since 1970; that concerns both lists, and ends when either is read. */
  #restUntil = 0;

  constructor({ portfolio, clock, random, limit = NO_LIMIT }: CoordinatorDependencies, isFocused: boolean, intervals = DEFAULT_INTERVALS) {
    this.#portfolio = portfolio;
    this.#clock = clock;
    this.#random = random;
    this.#limit = limit;
    this.#isFocused = isFocused;
    const { positionsState, poolsState } = portfolio.snapshot;
    this.#schedules = { positions: newSchedule(positionsState, intervals.positions), pools: newSchedule(poolsState, intervals.pools) };
    this.#subscriptions = [portfolio.onDidChange(() => this.#look()), limit.onDidChange(() => this.#limitChanged())];
  }

  /** Something shows this list until the subscription is disposed. */
  show(list: ListName): Subscription {
    const schedule = this.#schedules[list];
    let isShown = true;
    schedule.demand += 1;
    this.#plan('visible');
    return {
      dispose: () => {
        schedule.demand -= isShown ? 1 : 0;
        isShown = false;
        this.#plan('interval');
      },
    };
  }

  /** The window got or lost the focus. */
  setFocused(isFocused: boolean): void {
    if (isFocused !== this.#isFocused) {
      this.#isFocused = isFocused;
      this.#plan('focus');
    }
  }

  /**
   * Another interval for a list.
   * @throws RangeError where it is not a positive number.
   */
  setInterval(list: ListName, everyMs: number): void {
    if (!Number.isFinite(everyMs) || everyMs <= 0) {
      throw new RangeError(`An interval is a positive number of milliseconds, not ${everyMs}`);
    }
    this.#schedules[list].everyMs = everyMs;
    this.#plan('interval');
  }

  /**
   * Reads now what is shown, whatever failed before; what is not shown is read when it is shown next. Never rejects.
   * Focus does not matter: somebody asked.
   * @param pace for whom the service is asked; without it by the reason
   */
  async refreshNow(reason: RefreshReason, pace?: RequestPace): Promise<void> {
    for (const list of LISTS) {
      Object.assign(this.#schedules[list], { isOverdue: true, retryAt: 0 });
    }
    await Promise.all(LISTS.filter((list) => this.#isWanted(list)).map((list) => this.#run(list, reason, pace)));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#subscriptions.forEach((subscription) => subscription.dispose());
    this.#timer?.dispose();
  }

  /** Takes note of reads that ended, whoever caused them. */
  #look(): void {
    const { positionsState, poolsState } = this.#portfolio.snapshot;
    this.#heed(this.#schedules.positions, positionsState);
    this.#heed(this.#schedules.pools, poolsState);
    if (positionsState.kind === 'idle' && poolsState.kind === 'idle') {
      // Another service: nothing that the last one asked for holds for it.
      this.#restUntil = 0;
    }
    this.#plan('interval');
  }

  /** The request limit knows when a pause ends early, and which service is in use: what errors asked for is over then. */
  #limitChanged(): void {
    this.#restUntil = 0;
    this.#plan('interval');
  }

  #heed(schedule: Schedule, state: ListState): void {
    if (state === schedule.seen) {
      return;
    }
    schedule.seen = state;
    switch (state.kind) {
      case 'idle':
        schedule.failures = 0;
        schedule.retryAt = 0;
        break;
      case 'loading':
        break;
      case 'ready':
        schedule.failures = 0;
        schedule.retryAt = 0;
        schedule.isOverdue = false;
        this.#restUntil = 0;
        break;
      case 'stale':
      case 'failed': {
        const now = this.#clock.now();
        const rest = restAskedFor(state.error);
        if (rest === undefined) {
          schedule.failures += 1;
          schedule.retryAt = now + this.#backoff(schedule);
        } else {
          // No failure of the service: it says itself when it answers again.
          schedule.retryAt = now + MIN_REST_MS;
          this.#restUntil = now + rest;
        }
        break;
      }
    }
  }

  /** Reads what is due, and sets the timer for what will be. */
  #plan(reason: RefreshReason): void {
    // A read that starts may change the portfolio at once, and so lead here again: nothing is kept from before it.
    for (const list of LISTS) {
      if (this.#isWaiting(list) && this.#dueAt(list) <= this.#clock.now()) {
        void this.#run(list, reason);
      }
    }
    this.#timer?.dispose();
    const next = Math.min(...LISTS.filter((list) => this.#isWaiting(list)).map((list) => this.#dueAt(list)));
    const wait = Math.min(Math.max(next - this.#clock.now(), 0), LONGEST_TIMER_MS);
    this.#timer = next === Infinity ? undefined : this.#clock.after(wait, () => this.#plan('interval'));
  }

  async #run(list: ListName, reason: RefreshReason, pace?: RequestPace): Promise<void> {
    const schedule = this.#schedules[list];
    const { seen } = schedule;
    schedule.running += 1;
    await this.#portfolio.refresh(reason, [list], pace);
    schedule.running -= 1;
    if (schedule.seen === seen) {
      // No answer and no failure: the read was given up. Trying again at once might never end.
      schedule.retryAt = this.#clock.now() + schedule.everyMs;
    }
    this.#plan('interval');
  }

  #dueAt(list: ListName): number {
    return Math.max(ownDueAt(this.#schedules[list]), this.#restUntil, this.#clock.now() + this.#limit.waitMs());
  }

  /** Whether it is to be read when it is due. */
  #isWaiting(list: ListName): boolean {
    const { running, seen } = this.#schedules[list];
    const mayPoll = this.#isFocused || seen.kind === 'idle';
    return !this.#isDisposed && running === 0 && mayPoll && this.#isWanted(list);
  }

  /** Something shows it, and there is something to read. */
  #isWanted(list: ListName): boolean {
    return this.#schedules[list].demand > 0 && (list === 'pools' || this.#portfolio.snapshot.owner !== undefined);
  }

  #backoff({ everyMs, failures }: Schedule): number {
    return backoffMs(everyMs, failures) * (1 - JITTER + 2 * JITTER * this.#random());
  }
}

function newSchedule(seen: ListState, everyMs: number): Schedule {
  return { demand: 0, everyMs, seen, failures: 0, retryAt: 0, isOverdue: false, running: 0 };
}

/** When a list is due by itself, without the rest that the service asked for. */
function ownDueAt({ seen, everyMs, retryAt, isOverdue }: Schedule): number {
  return seen.kind === 'ready' && !isOverdue ? Math.max(seen.asOf.getTime() + everyMs, retryAt) : retryAt;
}
