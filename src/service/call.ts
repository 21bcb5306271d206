import type { ParseWarning } from './common';
import { ServiceError } from './errors';
import { type ParseContext, ParseWarnings } from './parsing/records';
import type { ServiceRequest, Transport } from './transport';

/** Sends calls and has their answers read. */
export type Call = <Result>(
  request: ServiceRequest,
  read: (body: unknown, reading: ParseContext) => Result | Promise<Result>,
) => Promise<Result>;

/** What calls are made with. */
export interface CallDependencies {
  readonly transport: Transport;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Takes the key out of a text that quotes an answer. */
  readonly redact: (text: string) => string;
  readonly log: (level: 'debug', message: string) => void;
  /** Is told what was odd about an answer, if anything was. */
  readonly onParseWarnings: (endpoint: string, oddities: readonly ParseWarning[]) => void;
}

/** Joins transport and readers; what the readers find odd is told once for each answer. */
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

/** The same error, without the key in what it quotes of the answer. */
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
