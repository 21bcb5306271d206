import { OperationRequests } from './operationRequests';
import type { RequestPace } from './requestPace';

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
