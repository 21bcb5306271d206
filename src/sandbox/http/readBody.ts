import type { Context } from 'hono';
import { EngineError } from '../engine';

/** The JSON object of a request's body. @throws EngineError where there is none. */
export async function readBody(context: Context): Promise<object> {
  let body: unknown;
  try {
    body = await context.req.json();
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new EngineError('invalid', 'The body must be a JSON object', { cause: error });
    }
    throw error;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new EngineError('invalid', 'The body must be a JSON object');
  }
  return body;
}
