import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { failure } from './answers';
import { isUnder, RPC_PATH } from './paths';

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
