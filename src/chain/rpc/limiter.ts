import type { Clock, Subscription } from '../../base/async/clock';
import { SECOND_MS } from '../../base/time';
import type { RpcPriority } from './types';

interface Waiting {
  readonly start: () => void;
  readonly since: number;
}

/** The share of the limit that the index leaves to the requests of clients. */
const RESERVED_SHARE = 0.25;
/** After a request of a client the next one of the same answer comes within this time, as a rule. */
const ANSWERING_MS = 250;
/** The longest that a request of the index waits for that. */
const MOST_YIELDED_MS = 2_000;

/**
 * Lets at most so many requests start in any second. Requests of clients start at once while there is room, and before those of the index,
 * which are spread evenly, leave a quarter of the limit free, and wait for a while where a client is being answered.
 */
export class RequestLimiter {
  readonly #clock: Clock;
  /** Requests in each window of `#windowMs`. */
  readonly #capacity: number;
  readonly #windowMs: number;
  readonly #queues: Readonly<Record<RpcPriority, Waiting[]>> = { request: [], background: [] };
  /** When the last requests started, oldest first. */
  #starts: number[] = [];
  #lastBackgroundStart = -Infinity;
  #lastRequestStart = -Infinity;
  #pausedUntil = -Infinity;
  #timer: Subscription | undefined;

  /** @param perSecond greater than 0; 0.5 is one request in two seconds */
  constructor(perSecond: number, clock: Clock) {
    if (!(perSecond > 0) || !Number.isFinite(perSecond)) {
      throw new RangeError(`A limit of requests a second is a positive number, not ${perSecond}`);
    }
    this.#clock = clock;
    this.#capacity = Math.max(Math.floor(perSecond), 1);
    this.#windowMs = (this.#capacity / perSecond) * SECOND_MS;
  }

  /** Resolves when the request may be sent. @throws the signal's reason if it is aborted before */
  take(priority: RpcPriority, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(reasonOf(signal));
        return;
      }
      const queue = this.#queues[priority];
      const waiting: Waiting = {
        start: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
        since: this.#clock.now(),
      };
      const leave = (): void => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(reasonOf(signal));
        this.#pump();
      };
      signal?.addEventListener('abort', leave, { once: true });
      queue.push(waiting);
      this.#pump();
    });
  }

  /** Starts nothing for that long: the RPC has asked for it. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + ms);
    this.#pump();
  }

  /** Starts what may start, and sets the timer for what comes next. */
  #pump(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    for (;;) {
      const priority = this.#queues.request.length > 0 ? 'request' : 'background';
      const [next] = this.#queues[priority];
      if (next === undefined) {
        return;
      }
      const now = this.#clock.now();
      const earliest = this.#earliest(priority, now, next.since);
      if (earliest > now) {
        this.#timer = this.#clock.after(Math.ceil(earliest - now), () => this.#pump());
        return;
      }
      this.#queues[priority].shift();
      this.#starts.push(now);
      if (priority === 'background') {
        this.#lastBackgroundStart = now;
      } else {
        this.#lastRequestStart = now;
      }
      next.start();
    }
  }

  #earliest(priority: RpcPriority, now: number, since: number): number {
    this.#starts = this.#starts.filter((start) => start > now - this.#windowMs);
    const isBackground = priority === 'background';
    const allowed = isBackground ? this.#capacity - Math.floor(this.#capacity * RESERVED_SHARE) : this.#capacity;
    const blocking = this.#starts.at(-allowed);
    return Math.max(
      this.#pausedUntil,
      blocking === undefined ? now : blocking + this.#windowMs,
      isBackground ? this.#lastBackgroundStart + this.#windowMs / this.#capacity : now,
      isBackground ? Math.min(this.#lastRequestStart + ANSWERING_MS, since + MOST_YIELDED_MS) : now,
    );
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('Cancelled.');
}
