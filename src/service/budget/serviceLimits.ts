import { MINUTE_MS } from '../../base/time';
import type { SharedLimit, SharedPause } from './otherWindows';

/** Longest pause: after this time one request probes whether the service accepts requests again. */
export const LONGEST_PAUSE_MS = 15 * MINUTE_MS;
export const SHORTEST_PAUSE_MS = 1_000;
/** Pause after a 429 that doesn't say how long to wait. It doubles with each further one, up to a minute. */
const UNNAMED_PAUSE_MS = 15_000;
/** How long a guessed limit holds: the 429 may be due to another program with the same key. */
const GUESS_HOLDS_MS = 30 * MINUTE_MS;

/** What the service's answers say about its limit, here and in other windows: requests per minute, and the pause that it asked for. */
export class ServiceLimits {
  readonly #now: () => number;
  #limit: SharedLimit | undefined;
  #pause: SharedPause | undefined;

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The last pause, until a request succeeds; its time may be over. */
  get pause(): SharedPause | undefined {
    return this.#pause;
  }

  /** The service's own limit, as far as known. */
  get perMinute(): number | undefined {
    const limit = this.#limit;
    return limit !== undefined && this.#now() < limit.holdsUntilMs ? limit.perMinute : undefined;
  }

  /**
   * Learns the limit from an answer.
   * @param accepted number of requests of the last minute that the service didn't refuse
   * @returns the limit if it is another one than before
   */
  learn(status: number, header: ReadHeader, accepted: () => number): SharedLimit | undefined {
    const named = rateFromHeaders(header);
    const before = this.#limit;
    if (named !== undefined) {
      this.limitTo({ perMinute: named, holdsUntilMs: Number.POSITIVE_INFINITY });
    } else if (status === 429) {
      this.limitTo({ perMinute: rateAfterRefusal(accepted()), holdsUntilMs: this.#now() + GUESS_HOLDS_MS });
    }
    const limit = this.#limit;
    return limit?.perMinute === before?.perMinute && limit?.holdsUntilMs === before?.holdsUntilMs ? undefined : limit;
  }

  /** Takes a limit as known: one that the service names, or else the lowest guess. */
  limitTo(limit: SharedLimit): void {
    if (limit.holdsUntilMs === Number.POSITIVE_INFINITY) {
      this.#limit = limit;
    } else if (this.#limit?.holdsUntilMs !== Number.POSITIVE_INFINITY) {
      const holdsUntilMs = Math.min(limit.holdsUntilMs, this.#now() + GUESS_HOLDS_MS);
      this.#limit = { perMinute: Math.min(limit.perMinute, this.perMinute ?? limit.perMinute), holdsUntilMs };
    }
  }

  /** Begins the pause that a 429 asks for. @param askedMs `undefined`: it doesn't say how long */
  pauseFor(askedMs: number | undefined): SharedPause {
    const now = this.#now();
    const refusals = (this.#pause?.refusals ?? 0) + 1;
    const unnamedMs = Math.min(UNNAMED_PAUSE_MS * 2 ** (refusals - 1), MINUTE_MS);
    const ms = Math.min(Math.max(askedMs ?? unnamedMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
    this.#pause = { untilMs: now + ms, askedMs, sinceMs: now, refusals };
    return this.#pause;
  }

  /** Takes over the pause of another window if it ends later. One whose time is over still has to be probed. */
  pausedElsewhere(pause: SharedPause): void {
    const untilMs = Math.min(pause.untilMs, this.#now() + LONGEST_PAUSE_MS);
    if (untilMs > (this.#pause?.untilMs ?? 0)) {
      this.#pause = { ...pause, untilMs };
    }
  }

  /** Ends the pause if the request that succeeded was sent after its start. @returns whether it ended one */
  succeeded(sentAtMs: number): boolean {
    if (this.#pause === undefined || sentAtMs < this.#pause.sinceMs) {
      return false;
    }
    this.#pause = undefined;
    return true;
  }

  /** After the system's clock was set back, the pause counts from now on, for no longer than before. */
  followClock(): void {
    const now = this.#now();
    const pause = this.#pause;
    if (pause !== undefined && pause.sinceMs > now) {
      this.#pause = { ...pause, sinceMs: now, untilMs: now + pause.untilMs - pause.sinceMs };
    }
  }
}

/** Requests per minute in the plans of the public service (Basic, Premium, Enterprise), ascending. */
const PLANS_PER_MINUTE = [5, 10, 20] as const;

/** A larger figure in a header is irrelevant: the client never comes near it. */
const MOST_PER_MINUTE = 100_000;

/** Returns the value of a response header, or `null`. */
export type ReadHeader = (name: string) => string | null;

/**
 * The limit per minute in an answer's headers: `RateLimit-Policy` with a window of 60 s, or a limit whose name says that it is per minute. A
 * limit without a window is ignored: it may be per second or per day.
 */
function rateFromHeaders(header: ReadHeader): number | undefined {
  const policies = header('ratelimit-policy')?.split(',') ?? [];
  const perMinute = policies
    .filter((policy) => /;\s*w=60\s*(?:;|$)/.test(policy))
    .map((policy) => /(?:^\s*|;\s*q=)(\d+)/.exec(policy)?.[1]);
  return [...perMinute, header('x-ratelimit-limit-minute'), header('ratelimit-limit-minute')]
    .map(wholeRate)
    .find((rate) => rate !== undefined);
}

/**
 * The plan to assume after a 429 that names no limit: the largest one that the accepted requests have reached, else the smallest. Other
 * programs may use the same key, so a lower number of requests from here proves nothing.
 * @param accepted requests of the last minute that were not refused
 */
function rateAfterRefusal(accepted: number): number {
  return PLANS_PER_MINUTE.findLast((plan) => plan <= accepted) ?? PLANS_PER_MINUTE[0];
}

function wholeRate(text: string | null | undefined): number | undefined {
  const rate = /^\s*\d{1,6}\s*$/.test(text ?? '') ? Number(text) : 0;
  return rate >= 1 && rate <= MOST_PER_MINUTE ? rate : undefined;
}
