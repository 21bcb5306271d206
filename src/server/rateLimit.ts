import type { MiddlewareHandler } from 'hono';
import { failure } from './answers';
import { BASE_PATH, isUnder } from './paths';

const MINUTE_MS = 60_000;

/** Counts requests over the last minute. */
export class RateLimit {
  /** When those of the last minute were let through, oldest first. */
  private times: number[] = [];

  /**
   * @param perMinute how many a minute are let through; `undefined`: all
   * @param now milliseconds that only ever grow; real ones, whatever the sandbox's own clock does
   */
  constructor(
    public perMinute: number | undefined,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Lets one through and gives `undefined`, or says after how many seconds the next one gets through: a whole number, at least 1. */
  take(): number | undefined {
    const now = this.now();
    this.times = this.times.filter((time) => now - time < MINUTE_MS);
    if (this.perMinute === undefined) {
      return undefined;
    }
    // Where the limit was lowered meanwhile, more than it may have been let through.
    const blocking = this.times.at(-this.perMinute);
    if (this.times.length >= this.perMinute && blocking !== undefined) {
      return Math.max(1, Math.ceil((blocking + MINUTE_MS - now) / 1_000));
    }
    this.times.push(now);
    return undefined;
  }
}

/** Refuses requests to the service beyond its limit; controls and JSON-RPC have none. */
export function withRateLimit(limit: RateLimit): MiddlewareHandler {
  return async (context, next) => {
    const seconds = isUnder(context.req.path, BASE_PATH) ? limit.take() : undefined;
    if (seconds !== undefined) {
      context.header('retry-after', String(seconds));
      // Some clients look for "retry-after" and the number in the text.
      return failure(context, 429, `Too many requests: ${limit.perMinute ?? 0} a minute are allowed, retry-after ${seconds} seconds`);
    }
    await next();
    return undefined;
  };
}
