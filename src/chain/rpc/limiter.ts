import type { Clock, Subscription } from '../../base/async/clock';
import { SECOND_MS } from '../../base/time';
import type { RpcPriority } from './types';

interface Waiting {
  readonly start: () => void;
}

/** The share of the limit that the index leaves to the requests of clients. */
const RESERVED_SHARE = 0.25;

/**
 * Lets at most so many requests start in any second. Requests of clients start at once while there is room, and before those of the index,
 * which are spread evenly and leave a quarter of the limit free.
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
      const earliest = this.#earliest(priority, now);
      if (earliest > now) {
        this.#timer = this.#clock.after(Math.ceil(earliest - now), () => this.#pump());
        return;
      }
      this.#queues[priority].shift();
      this.#starts.push(now);
      if (priority === 'background') {
        this.#lastBackgroundStart = now;
      }
      next.start();
    }
  }

  #earliest(priority: RpcPriority, now: number): number {
    this.#starts = this.#starts.filter((start) => start > now - this.#windowMs);
    const isBackground = priority === 'background';
    const allowed = isBackground ? this.#capacity - Math.floor(this.#capacity * RESERVED_SHARE) : this.#capacity;
    const blocking = this.#starts.at(-allowed);
    return Math.max(
      this.#pausedUntil,
      blocking === undefined ? now : blocking + this.#windowMs,
      isBackground ? this.#lastBackgroundStart + this.#windowMs / this.#capacity : now,
    );
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('Cancelled.');
}
