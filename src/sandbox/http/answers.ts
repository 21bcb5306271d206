import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { EngineError, type EngineErrorKind } from '../engine';

/** The shape of every failure: `{status: "error", message}`. */
export function failure(context: Context, status: ContentfulStatusCode, message: string): Response {
  return context.json({ status: 'error', message }, status);
}

/** The shape of every success: `{status: "success", ...}`. */
export function success(context: Context, body: object): Response {
  return context.json({ status: 'success', ...body });
}

/** Turns what a route threw into an answer; `log` gets what is nobody's fault but ours. */
export function failureOf(context: Context, error: Error, log: (message: string) => void): Response {
  if (error instanceof EngineError) {
    return failure(context, STATUS[error.kind], error.message);
  }
  if (error instanceof HTTPException) {
    return failure(context, error.status, error.message);
  }
  log(`${context.req.method} ${context.req.path} failed: ${error.stack ?? error.message}`);
  return failure(context, 500, 'Internal server error');
}

/** A bundle that did not land is the request's fault and not the server's: nothing was executed, and that is certain. */
const STATUS: Readonly<Record<EngineErrorKind, ContentfulStatusCode>> = { invalid: 400, notFound: 404, notLanded: 422 };
