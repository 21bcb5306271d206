import type { ParseWarning } from './common';
import { ServiceError } from './errors';
import { type ParseContext, ParseWarnings } from './parsing/records';
import type { ServiceRequest, Transport } from './transport';

/** Sends a request and reads its answer. */
export type Call = <Result>(
  request: ServiceRequest,
  read: (body: unknown, reading: ParseContext) => Result | Promise<Result>,
) => Promise<Result>;

export interface CallDependencies {
  readonly transport: Transport;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Removes the API key from a text that quotes an answer. */
  readonly redact: (text: string) => string;
  readonly log: (level: 'debug', message: string) => void;
  /** Called with the warnings about an answer, if there are any. */
  readonly onParseWarnings: (endpoint: string, oddities: readonly ParseWarning[]) => void;
}

/** Combines transport and readers, and reports the warnings of the readers once per answer. */
export function createCall({ transport, now, redact, log, onParseWarnings: onOddities }: CallDependencies): Call {
  return async (request, read) => {
    const body = await transport.send(request);
    const oddities = new ParseWarnings(redact);
    try {
      return await read(body, { oddities, nowMs: now() });
    } catch (error) {
      throw error instanceof ServiceError ? withoutKey(error, redact) : error;
    } finally {
      const found = oddities.all();
      for (const { path, message } of found) {
        log('debug', `${request.endpoint}: ${path} ${message}`);
      }
      if (found.length > 0) {
        onOddities(request.endpoint, found);
      }
    }
  };
}

/** Removes the API key from the message of an error that quotes the answer. */
function withoutKey(error: ServiceError, redact: (text: string) => string): ServiceError {
  const message = redact(error.message);
  const { kind, endpoint, status, serviceMessage, field, retryAfterMs, mayHaveLanded, cause } = error;
  const known = {
    ...(status === undefined ? {} : { status }),
    ...(serviceMessage === undefined ? {} : { serviceMessage }),
    ...(field === undefined ? {} : { field }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  return message === error.message ? error : new ServiceError(message, { kind, endpoint, ...known, mayHaveLanded, cause });
}
