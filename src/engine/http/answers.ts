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

/** Handles an unexpected error of the request `where`. @returns the message for the client; `undefined`: a general one */
export type OnFault = (error: unknown, where: string) => string | undefined;

/** Turns an error of a route into an answer. `onFault` gets unexpected errors before they are answered. */
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
 * 422 means that nothing was executed. There is no such status for a partial landing, so it gets 500.
 */
const STATUS: Readonly<Record<EngineErrorKind, ContentfulStatusCode>> = {
  invalid: 400,
  notFound: 404,
  notLanded: 422,
  partiallyLanded: 500,
  unavailable: 503,
  unconfirmed: 504,
};

/** The client closed the connection before the answer. */
export function isClientGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'AbortError' || ('code' in error && (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')))
  );
}
