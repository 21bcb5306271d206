import { MINUTE_MS } from '../base/time';

/** Calls that a model may make in a minute: more are a loop, and each can cost a request to the service. */
export const MOST_CALLS_PER_MINUTE = 30;
/** Proposals open dialogs: a model must not be able to wear the user down with them. */
export const MOST_PROPOSALS_PER_MINUTE = 3;

/** Limits how often something happens in a minute. */
export class CallLimit {
  readonly #most: number;
  readonly #nowMs: () => number;
  #taken: readonly number[] = [];

  constructor(most: number, nowMs: () => number) {
    this.#most = most;
    this.#nowMs = nowMs;
  }

  /** Counts one more. @returns false if that is too many */
  take(): boolean {
    const now = this.#nowMs();
    // What is in the future was counted before the clock was set back: it would count until the clock catches up.
    this.#taken = this.#taken.filter((atMs) => atMs <= now && now - atMs < MINUTE_MS);
    if (this.#taken.length >= this.#most) {
      return false;
    }
    this.#taken = [...this.#taken, now];
    return true;
  }
}
