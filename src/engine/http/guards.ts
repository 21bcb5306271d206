import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { MINUTE_MS } from '../../base/time';
import { failure } from './answers';
import { BASE_PATH, isUnder, RPC_PATH } from './listen';

/** Host names of this machine. */
const OWN_HOSTS = new Set(['127.0.0.1', 'localhost']);

/**
 * Refuses requests to any other host name. A web page whose name points here (DNS rebinding) can't hide its own name in
 * this header.
 */
export function ownHostOnly(): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host') ?? '';
    if (!OWN_HOSTS.has(host.replace(/:\d+$/, '').toLowerCase())) {
      return failure(context, 403, 'This service answers only to 127.0.0.1 and localhost');
    }
    await next();
    return undefined;
  };
}

/**
 * Refuses requests of web pages of other hosts, even with the API key. Pages can't set its header without permission of the service (CORS),
 * which it does not give, but for JSON-RPC the key may be in the address.
 */
export function ownOriginOnly(): MiddlewareHandler {
  return async (context, next) => {
    const origin = context.req.header('origin');
    if (origin !== undefined && !(URL.canParse(origin) && OWN_HOSTS.has(new URL(origin).hostname))) {
      return failure(context, 403, 'This service does not answer web pages of other hosts');
    }
    await next();
    return undefined;
  };
}

/** Refuses requests without the right `x-api-key`, on every path. */
export function withApiKey(apiKey: string): MiddlewareHandler {
  const expected = digest(apiKey);
  return async (context, next) => {
    const given = keyOf(context);
    if (given === undefined || given === '') {
      return failure(context, 401, 'The header x-api-key is required');
    }
    if (!timingSafeEqual(digest(given), expected)) {
      return failure(context, 401, 'The API key in x-api-key is not valid');
    }
    await next();
    return undefined;
  };
}

/** For JSON-RPC the key may also be in the address, as with RPC providers: many clients accept nothing but an address. */
function keyOf({ req }: Context): string | undefined {
  return req.header('x-api-key') ?? (isUnder(req.path, RPC_PATH) ? req.query('api-key') : undefined);
}

/** Makes keys of any length comparable in constant time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Counts requests over the last minute. */
export class RateLimit {
  /** Times of the requests admitted in the last minute, oldest first. */
  #times: number[] = [];

  readonly #now: () => number;

  /**
   * @param perMinute requests per minute; `undefined`: no limit
   * @param now monotonic milliseconds in real time, independent of the sandbox's own clock
   */
  constructor(
    public perMinute: number | undefined,
    now: () => number = () => performance.now(),
  ) {
    this.#now = now;
  }

  /** Admits a request. @returns `undefined`, or if it is refused, whole seconds until the next is admitted (at least 1) */
  take(): number | undefined {
    const now = this.#now();
    this.#times = this.#times.filter((time) => now - time < MINUTE_MS);
    if (this.perMinute === undefined) {
      return undefined;
    }
    // If the limit was lowered meanwhile, more requests than the limit may have been admitted.
    const blocking = this.#times.at(-this.perMinute);
    if (this.#times.length >= this.perMinute && blocking !== undefined) {
      return Math.max(1, Math.ceil((blocking + MINUTE_MS - now) / 1_000));
    }
    this.#times.push(now);
    return undefined;
  }
}

/** Refuses requests to the service beyond its limit; the admin API and JSON-RPC have none. */
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
