import type { ReadText } from '../../base/http';
import { type RpcBody, readRpcBody } from '../../base/solana/rpcEndpoint';
import { SECOND_MS } from '../../base/time';
import { ChainRpcError, type ChainRpcErrorDetails, type ChainRpcErrorKind } from './errors';
import { isSearch, isSending } from './methods';

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
const REFUSED_METHOD_CODES: ReadonlySet<number> = new Set([-32601, -32010, -32011, 402, 403, 405, 410, 501]);
/** HTTP statuses that mean the same, whatever the body says. */
const REFUSED_METHOD_STATUSES: ReadonlySet<number> = new Set([402, 403, 405, 410, 501]);
/** Codes for many reasons: these words in the message mean that the plan or the node does not offer the method. */
const GENERAL_CODES: ReadonlySet<number> = new Set([-32000, -32600, -32602, -32604, 400]);
const NOT_OFFERED = /disabled|not (?:available|allowed|supported|enabled)|upgrade|deprioritized|paid plan|free (?:tier|plan)/i;
/** More of them, which a message about a transaction may have, too. */
const ALSO_NOT_OFFERED = /not (?:permitted|found)|unsupported|unknown method|personal token/i;
/** A search has found too much, under codes of faults that pass: another request for the same answer has another outcome only by another way. */
const TOO_MUCH_FOUND = /getProgramAccountsV2|too many (?:accounts|results|pubkeys)|more than [\d,]+ (?:accounts|results)|\bpagina/i;
/** Internal error, block or status not available yet, slot not reached, long-term storage unreachable (agave: rpc_custom_error.rs). */
const PASSING_CODES: ReadonlySet<number> = new Set([-32603, -32004, UNHEALTHY, -32014, -32016, -32019]);
/** What a node says of a transaction itself: preflight failure, signature verification. Its words are not about limits of the plan. */
const OF_THE_TRANSACTION: ReadonlySet<number> = new Set([-32002, -32003, UNSUPPORTED_VERSION]);
/** A rate is exceeded; providers say so under codes that mean something else (src/chain/README.md has their words). */
const TOO_MANY_WORDS =
  /rate.?limit|rate (?:is |was )?exceeded|too (?:many|frequent) (?:requests|calls)|too frequently|slow(?:ing)? down|limit (?:exceeded|reached)|throughput|throttl|\b[RQ]PS\b|(?:requests?|credits?|units?|calls?|limited).{0,40}(?:per (?:second|minute)|\/\s?(?:s(?:ec(?:ond)?)?|m(?:in(?:ute)?)?)\b)/i;
/** The plan is used up: waiting for a second does not help. */
const USED_UP_WORDS =
  /max(?:imum)? usage|usage limit|(?:no|zero|0) (?:more )?(?:credits|quota)(?: (?:left|remaining|available))?|(?:plan|subscription|trial).{0,20}(?:expired|ended|used up)|(?:daily|monthly|weekly).{0,40}(?:limit|quota|requests|credits|cap)|(?:quota|credits|allowance).{0,30}(?:used up|exhausted|depleted|exceeded|reached)|(?:out of|exceeded (?:your|the)|insufficient) (?:credits|quota)/i;

/** Reads an answer: its result, or the reason why there is none. */
export function readAnswer(answer: HttpAnswer, context: AnswerContext): RpcOutcome {
  const { status } = answer;
  const body = readRpcBody(answer);
  const limited = limitOf(body, answer, context);
  if (limited !== undefined) {
    return limited;
  }
  // Some nodes answer an error with a failure status and put the reason in the body.
  if (body.kind === 'refused') {
    return refusal(body, answer, context);
  }
  if (status < 200 || status >= 300) {
    return failedStatus(answer, context);
  }
  const { name, method, id } = context;
  if (body.kind === 'tooLong') {
    const kind = isSearch(method) ? 'refusedMethod' : 'invalidResponse';
    return failed(context, kind, `The answer of the RPC ${name} to ${method} is too long and was not read.`);
  }
  if (body.kind === 'notJson') {
    return failed(context, 'invalidResponse', `The answer of the RPC ${name} to ${method} is not complete JSON.`, { again: true });
  }
  return body.kind === 'result' && body.id === id
    ? { result: body.result }
    : failed(context, 'invalidResponse', `The answer of ${name} to ${method} is not JSON-RPC. Check the RPC's address.`);
}

/**
 * The limit of the plan that a request has met; `undefined`: none. Words come before codes and statuses, since providers tell of their limits
 * under codes of other errors, in plain text, and with status 200.
 */
function limitOf(body: RpcBody, answer: HttpAnswer, context: AnswerContext): RpcOutcome | undefined {
  const { status } = answer;
  const { name, method, redacted } = context;
  const isRefused = body.kind === 'refused';
  const said = isRefused ? body.message : body.kind === 'notJson' ? body.text : '';
  const code = isRefused ? body.code : status;
  if (isRefused && OF_THE_TRANSACTION.has(code)) {
    return undefined;
  }
  const details = { code, status, ...(isRefused ? { data: body.data } : {}) };
  if (USED_UP_WORDS.test(said)) {
    return failed(
      context,
      'planUsedUp',
      `The plan of the RPC ${name} is used up: “${redacted(said)}”. Wait until it is renewed, or connect to another RPC.`,
      details,
    );
  }
  const isLimit = status === TOO_MANY_REQUESTS || code === TOO_MANY_REQUESTS || code === -32429 || TOO_MANY_WORDS.test(said);
  if (!isLimit) {
    return undefined;
  }
  const message = isRefused
    ? `The RPC ${name} refused ${method}: ${redacted(said)} (${code}).`
    : `Too many requests to the RPC ${name} for its plan (${status}).`;
  return failed(context, 'rateLimited', message, { ...details, again: true, ...retryAfterOf(answer) });
}

function refusal(
  { code, message: words, data }: Extract<RpcBody, { kind: 'refused' }>,
  { status }: HttpAnswer,
  context: AnswerContext,
): RpcOutcome {
  const { name, method, redacted } = context;
  const message = `The RPC ${name} refused ${method}: ${redacted(words)} (${code}).`;
  const details = { code, status, data };
  if (code === UNSUPPORTED_VERSION) {
    return failed(context, 'unsupportedVersion', message, details);
  }
  const isNotOffered = NOT_OFFERED.test(words) || (!isSending(method) && ALSO_NOT_OFFERED.test(words));
  const isRefused = REFUSED_METHOD_CODES.has(code) || (!isSending(method) && REFUSED_METHOD_STATUSES.has(status));
  if (isRefused || (GENERAL_CODES.has(code) && isNotOffered) || (isSearch(method) && TOO_MUCH_FOUND.test(words))) {
    return failed(context, 'refusedMethod', message, details);
  }
  if (status === 401) {
    return failed(context, 'unauthorized', message, details);
  }
  if (PASSING_CODES.has(code)) {
    return failed(context, 'unavailable', message, { ...details, again: true });
  }
  // A search that fails for good has another way, whatever the provider calls the reason.
  return failed(context, isSearch(method) ? 'refusedMethod' : 'refused', message, details);
}

function failedStatus(answer: HttpAnswer, context: AnswerContext): RpcOutcome {
  const { status } = answer;
  const { name, method } = context;
  const details = { code: status, status };
  if (status === 401) {
    return failed(context, 'unauthorized', `The RPC ${name} does not accept the key (401).`, details);
  }
  if (REFUSED_METHOD_STATUSES.has(status)) {
    const message = `The RPC ${name} does not allow ${method} (${status}): its plan or its key may not cover it.`;
    return failed(context, 'refusedMethod', message, details);
  }
  if (status === 408 || status === 504) {
    return failed(context, 'timeout', `The RPC ${name} did not answer ${method} in time (${status}).`, { ...details, again: true });
  }
  if (status >= 500) {
    return failed(context, 'unavailable', `The RPC ${name} failed (${status}).`, { ...details, again: true, ...retryAfterOf(answer) });
  }
  return status < 400
    ? failed(context, 'unavailable', `The RPC ${name} answered with a redirect (${status}), which was not followed.`, details)
    : failed(context, isSearch(method) ? 'refusedMethod' : 'refused', `The RPC ${name} refused ${method} (${status}).`, details);
}

function failed(
  { method }: AnswerContext,
  kind: ChainRpcErrorKind,
  message: string,
  { again = false, retryAfterMs, ...details }: ChainRpcErrorDetails & { readonly again?: boolean; readonly retryAfterMs?: number } = {},
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
