import type { ReadText } from '../../base/http';
import { type RpcBody, readRpcBody } from '../../base/solana/rpcEndpoint';
import { SECOND_MS } from '../../base/time';
import { ChainRpcError, type ChainRpcErrorKind } from './errors';

/** An HTTP answer to one JSON-RPC request. */
export interface HttpAnswer extends ReadText {
  readonly status: number;
  readonly retryAfter: string | null;
}

/** The request that is answered. */
export interface AnswerContext {
  /** The RPC's host. */
  readonly name: string;
  readonly method: string;
  readonly id: string | number;
  /** Puts a text of others on one line, without what may be a key. */
  readonly redacted: (text: string) => string;
}

/** The outcome of one attempt. */
export type RpcOutcome =
  | { readonly result: unknown }
  | {
      readonly error: ChainRpcError;
      /** The same request may succeed later. */
      readonly again: boolean;
      /** When the RPC wants to be asked again. */
      readonly retryAfterMs?: number;
    };

const TOO_MANY_REQUESTS = 429;
const UNSUPPORTED_VERSION = -32015;
/** "Node is behind"; some nodes use it for "too many requests". */
const UNHEALTHY = -32005;
/** Method not found, not indexed, no transaction history; and HTTP statuses that some nodes repeat as a code. */
const REFUSED_METHOD_CODES: ReadonlySet<number> = new Set([-32601, -32010, -32011, 403, 405, 410, 501]);
/** Codes for many reasons: these words in the message mean that the plan or the node does not offer the method. */
const GENERAL_CODES: ReadonlySet<number> = new Set([-32000, -32600, -32602, -32604, 400]);
const NOT_OFFERED = /disabled|not (?:available|allowed|supported|enabled)|upgrade|deprioritized|paid plan|free (?:tier|plan)/i;
/** Internal error, block or status not available yet, slot not reached, long-term storage unreachable (agave: rpc_custom_error.rs). */
const PASSING_CODES: ReadonlySet<number> = new Set([-32603, -32004, UNHEALTHY, -32014, -32016, -32019]);
const TOO_MANY_WORDS = /rate.?limit|too many requests|limit exceeded/i;

/** Reads an answer: its result, or the reason why there is none. */
export function readAnswer(answer: HttpAnswer, context: AnswerContext): RpcOutcome {
  const { status } = answer;
  const body = readRpcBody(answer);
  // Some nodes answer an error with a failure status and put the reason in the body.
  if (body.kind === 'refused') {
    return refusal(body, answer, context);
  }
  if (status < 200 || status >= 300) {
    return failedStatus(answer, context);
  }
  const { name, method, id } = context;
  if (body.kind === 'tooLong') {
    return failed(context, 'invalidResponse', `The answer of the RPC ${name} to ${method} is too long and was not read.`);
  }
  if (body.kind === 'notJson') {
    return failed(context, 'invalidResponse', `The answer of the RPC ${name} to ${method} is not complete JSON.`, { again: true });
  }
  return body.kind === 'result' && body.id === id
    ? { result: body.result }
    : failed(context, 'invalidResponse', `The answer of ${name} to ${method} is not JSON-RPC. Check the RPC's address.`);
}

function refusal(error: Extract<RpcBody, { kind: 'refused' }>, answer: HttpAnswer, context: AnswerContext): RpcOutcome {
  const { code, message: words, data } = error;
  const { name, method, redacted } = context;
  const message = `The RPC ${name} refused ${method}: ${redacted(words)} (${code}).`;
  const details = { code, data };
  if (isTooMany(code, words, answer.status)) {
    return failed(context, 'rateLimited', message, { ...details, again: true, ...retryAfterOf(answer) });
  }
  if (code === UNSUPPORTED_VERSION) {
    return failed(context, 'unsupportedVersion', message, details);
  }
  if (REFUSED_METHOD_CODES.has(code) || (GENERAL_CODES.has(code) && NOT_OFFERED.test(words))) {
    return failed(context, 'refusedMethod', message, details);
  }
  if (answer.status === 401) {
    return failed(context, 'unauthorized', message, details);
  }
  return PASSING_CODES.has(code)
    ? failed(context, 'unavailable', message, { ...details, again: true })
    : failed(context, 'refused', message, details);
}

function isTooMany(code: number, words: string, status: number): boolean {
  return (
    status === TOO_MANY_REQUESTS ||
    code === TOO_MANY_REQUESTS ||
    code === -32429 ||
    ((code === UNHEALTHY || GENERAL_CODES.has(code)) && TOO_MANY_WORDS.test(words))
  );
}

function failedStatus(answer: HttpAnswer, context: AnswerContext): RpcOutcome {
  const { status } = answer;
  const { name, method } = context;
  const details = { code: status };
  switch (status) {
    case 401:
      return failed(context, 'unauthorized', `The RPC ${name} does not accept the key (401).`, details);
    case 403:
    case 405:
    case 410:
    case 501:
      return failed(
        context,
        'refusedMethod',
        `The RPC ${name} does not allow ${method} (${status}): its plan or its key may not cover it.`,
        details,
      );
    case 408:
    case 504:
      return failed(context, 'timeout', `The RPC ${name} did not answer ${method} in time (${status}).`, { ...details, again: true });
    case TOO_MANY_REQUESTS:
      return failed(context, 'rateLimited', `Too many requests to the RPC ${name} for its plan (429).`, {
        ...details,
        again: true,
        ...retryAfterOf(answer),
      });
    default:
      if (status >= 500) {
        return failed(context, 'unavailable', `The RPC ${name} failed (${status}).`, { ...details, again: true, ...retryAfterOf(answer) });
      }
      return status < 400
        ? failed(context, 'unavailable', `The RPC ${name} answered with a redirect (${status}), which was not followed.`, details)
        : failed(context, 'refused', `The RPC ${name} refused ${method} (${status}).`, details);
  }
}

function failed(
  { method }: AnswerContext,
  kind: ChainRpcErrorKind,
  message: string,
  {
    again = false,
    retryAfterMs,
    ...details
  }: { readonly again?: boolean; readonly retryAfterMs?: number; readonly code?: number; readonly data?: unknown } = {},
): RpcOutcome {
  const error = new ChainRpcError(kind, method, message, details);
  return { error, again, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** The header is seconds or a date (RFC 9110); anything else is as if it were not there. */
function retryAfterOf({ retryAfter }: HttpAnswer): { readonly retryAfterMs?: number } {
  const text = retryAfter?.trim() ?? '';
  if (/^\d{1,6}(?:\.\d{1,3})?$/.test(text)) {
    return { retryAfterMs: Number(text) * SECOND_MS };
  }
  const date = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? {} : { retryAfterMs: Math.max(date - Date.now(), 0) };
}
