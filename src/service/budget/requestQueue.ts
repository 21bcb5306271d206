import { OperationRequests, type RequestPace } from './operationRequests';
import { MINUTE_MS } from '../../base/time';

/** A request for the turn of one request, or for room for `count` requests of an operation at once. */
export interface Turn {
  readonly pace: RequestPace;
  readonly kind: 'send' | 'keep';
  readonly count: number;
}

/** A turn that is waited for. */
interface Waiter extends Turn {
  /** Returns false if another window was first. */
  go(): boolean;
}

/** Requests that wait for their turn, in order of arrival. */
export class RequestQueue {
  readonly #after: (ms: number, run: () => void) => { dispose(): void };
  readonly #changed: () => void;
  #waiters: readonly Waiter[] = [];

  /**
   * @param after calls `run` once, so much later, unless it is disposed before
   * @param changed called after a waiter has come, and after one has given up
   */
  constructor(after: (ms: number, run: () => void) => { dispose(): void }, changed: () => void) {
    this.#after = after;
    this.#changed = changed;
  }

  get waiting(): readonly Waiter[] {
    return this.#waiters;
  }

  /** Operations first, each group in order of arrival. */
  get inOrder(): readonly Waiter[] {
    return [...this.#waiters.filter(isOfOperation), ...this.#waiters.filter((waiter) => !isOfOperation(waiter))];
  }

  /** Resolves once `turn` was let go, or after `mostMs` without that. @throws the signal's reason when aborted */
  wait(turn: Turn, go: () => boolean, signal: AbortSignal | undefined, mostMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        this.#waiters = this.#waiters.filter((one) => one !== entry);
        patience?.dispose();
        signal?.removeEventListener('abort', abort);
      };
      const entry: Waiter = {
        ...turn,
        go: () => {
          const isGone = go();
          if (isGone) {
            done();
            resolve();
          }
          return isGone;
        },
      };
      const abort = (): void => {
        done();
        this.#changed();
        reject(signal?.reason as Error);
      };
      const giveUp = (): void => {
        done();
        this.#changed();
        resolve();
      };
      const patience = Number.isFinite(mostMs) ? this.#after(mostMs, giveUp) : undefined;
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiters = [...this.#waiters, entry];
      this.#changed();
    });
  }
}

/** Returns whether a turn is an operation's. */
export function isOfOperation({ pace }: Pick<Turn, 'pace'>): boolean {
  return pace instanceof OperationRequests;
}

/** How long a request counts, from its answer on. */
const COUNTS_FOR_MS = MINUTE_MS;
/** The service's clock differs slightly from this one, and timers fire a little early. */
const MARGIN_MS = 250;

/** A request that counts against the limit. The service received it at some time before its answer, so it counts from the answer on. */
export interface SentRequest {
  /** Milliseconds since 1970; Infinity while the answer is not there. */
  endsAtMs: number;
  wasAccepted: boolean;
}

/** The requests that this window has sent, and that still count. */
export class SentRequests {
  readonly #now: () => number;
  #requests: SentRequest[] = [];

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** When they count no more; Infinity: not answered yet. */
  get endsMs(): readonly number[] {
    return this.#counted().map(({ endsAtMs }) => endsAtMs);
  }

  /** How many of them the service did not refuse. */
  get accepted(): number {
    return this.#counted().filter(({ wasAccepted }) => wasAccepted).length;
  }

  /** Counts a request that is sent now. */
  add(): SentRequest {
    const request: SentRequest = { endsAtMs: Number.POSITIVE_INFINITY, wasAccepted: false };
    this.#requests = [...this.#counted(), request];
    return request;
  }

  /** The answer to a request has begun, or none will come. */
  end(request: SentRequest, wasAccepted: boolean): void {
    Object.assign(request, { endsAtMs: this.#now() + COUNTS_FOR_MS + MARGIN_MS, wasAccepted });
  }

  /** After the system's clock was set back, requests count from now on, for no longer than before. */
  followClock(): void {
    const latestMs = this.#now() + COUNTS_FOR_MS + MARGIN_MS;
    for (const request of this.#requests) {
      // Infinity stays: no answer is there yet.
      if (Number.isFinite(request.endsAtMs)) {
        request.endsAtMs = Math.min(request.endsAtMs, latestMs);
      }
    }
  }

  #counted(): SentRequest[] {
    const now = this.#now();
    return this.#requests.filter(({ endsAtMs }) => endsAtMs > now);
  }
}
