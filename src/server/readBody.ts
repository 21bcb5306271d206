import type { Context } from 'hono';
import { EngineError } from './engine';

/** The JSON object of a request's body. @throws EngineError where it is something else, or nothing */
export async function readBody(context: Context): Promise<Readonly<Record<string, unknown>>> {
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
  return body as Readonly<Record<string, unknown>>;
}

/** The same where nothing at all means an object without fields. */
export async function readOptionalBody(context: Context): Promise<Readonly<Record<string, unknown>>> {
  return (await context.req.text()) === '' ? {} : readBody(context);
}
