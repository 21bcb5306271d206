import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { EngineError, type EngineErrorKind } from './engine';

/** The shape of every failure: `{status: "error", message}`. */
export function failure(context: Context, status: ContentfulStatusCode, message: string): Response {
  return context.json({ status: 'error', message }, status);
}

/** The shape of every success: `{status: "success", ...}`. */
export function success(context: Context, body: object): Response {
  return context.json({ status: 'success', ...body });
}

/** Is told of an error that should not be, and of what it happened in. Gives what the client is told; `undefined`: nothing that would help it. */
export type OnFault = (error: unknown, where: string) => string | undefined;

/** Turns what a route threw into an answer; `onFault` is told of what is nobody's fault but ours, before that is answered. */
export function failureOf(context: Context, error: Error, onFault: OnFault): Response {
  if (error instanceof EngineError) {
    return failure(context, STATUS[error.kind], error.message);
  }
  if (error instanceof HTTPException) {
    return failure(context, error.status, error.message);
  }
  return failure(context, 500, onFault(error, `${context.req.method} ${context.req.path}`) ?? 'Internal server error');
}

/**
 * A bundle that did not land is the request's fault and not the server's: nothing was executed, and that is certain. Of one that
 * landed in part nothing so clear can be said by a status.
 */
const STATUS: Readonly<Record<EngineErrorKind, ContentfulStatusCode>> = { invalid: 400, notFound: 404, notLanded: 422, halfLanded: 500 };
