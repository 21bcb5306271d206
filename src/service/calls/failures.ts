import * as l10n from '@vscode/l10n';
import { oneLine, sizeInWords } from '../../base/text';
import { ServiceError, type ServiceErrorDetails, type ServiceErrorKind } from '../errors';
import { hasFields, messageOf } from '../parsing/envelope';

type Fields = Readonly<Record<string, unknown>>;

/** Temporary statuses below 500: request timeout, too early, too many requests. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** Names of validation errors in `name`, `code` or `type`, as libraries write them: "ZodError", "FST_ERR_VALIDATION", "BadRequestException". */
const VALIDATION_NAME = /validation|zoderror|bad_?request|invalid_?(?:argument|param|input|request)|unprocessable/i;

/** Fields that hold a list of validation issues, and fields with which an issue names the wrong field. */
const ISSUE_LISTS = ['errors', 'issues', 'details'] as const;
const ISSUE_FIELDS = ['path', 'field', 'param', 'parameter', 'property', 'instancePath'] as const;

/** Words of a refusal: something is missing, invalid, out of bounds or not found. */
const REFUSES =
  /\brequired\b|\bmissing\b|\binvalid\b|\bunsupported\b|\bmalformed\b|\binsufficient\b|\bnot (?:found|supported|allowed|valid|enough|a valid)\b|\bmust (?:not |only )?(?:be|have|contain|match|start|end)\b|\bshould (?:not )?be\b|\b(?:does not|doesn't) exist\b|\bcannot be (?:empty|null|zero|negative|less|greater|more)\b|\bout of range\b|\bexceeds?\b|\btoo (?:small|large|low|high|long|short|many bins)\b/i;

/** Words of a temporary failure. They outweigh a refusal: "blockhash not found" and "invalid response from upstream" may succeed next time. */
const PASSES =
  /\btime(?:d[ -]?)?[ -]?out\b|\btemporar|\bunavailable\b|\boverload|\bbusy\b|\btoo many requests\b|\brate[ -]?limit|\bagain\b|\beconn|\benotfound\b|\beai_|\betimedout\b|\bsockets?\b|\bnetwork\b|\bfetch\b|\bupstream\b|\bgateway\b|\bconnection\b|\bresponse\b|\bblockhash\b|\bslot\b|\bblock (?:height|not)\b|\bnodes?\b|\brpc\b|\broutes?\b|\bquotes?\b|\bcongest|\bdeadlock\b|\bunexpected\b|\binternal\b/i;

/**
 * True if the body of a 500 says that the request itself is at fault, so a retry would fail again. The public service answers 500 where
 * others answer 400, such as "Amount X or Amount Y or Percent X is required". Any of these is enough:
 *
 * - a status of its own between 400 and 499, except 408, 425 and 429, in `status`, `statusCode` or `code`;
 * - a list of validation issues that name a field, or an error name that says "validation" or "bad request";
 * - a message with words of a refusal ("is required", "invalid", "not found") and none of a temporary failure ("timeout", "blockhash").
 *
 * Everything else is unclear and may be temporary: an empty body, a web page, "Internal server error".
 * @param body the body as received
 */
export function isRequestAtFault(body: string): boolean {
  const text = body.trim();
  if (text === '' || text.startsWith('<')) {
    return false;
  }
  let parsed: unknown = text;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Plain text is its own message.
  }
  const levels = hasFields(parsed) ? [parsed, parsed.error, parsed.data].filter(hasFields) : [];
  if (levels.some(hasStatusOfRefusal) || levels.some(namesFields) || levels.some(isNamedValidation)) {
    return true;
  }
  const message = messageOf(parsed);
  return message !== undefined && REFUSES.test(message) && !PASSES.test(message);
}

function hasStatusOfRefusal({ status, statusCode, code }: Fields): boolean {
  return [status, statusCode, code].map(Number).some((value) => value >= 400 && value < 500 && !PASSING_STATUSES.has(value));
}

function namesFields(level: Fields): boolean {
  return ISSUE_LISTS.some((name) => {
    const list = level[name];
    return Array.isArray(list) && list.some((issue) => hasFields(issue) && ISSUE_FIELDS.some((field) => field in issue));
  });
}

function isNamedValidation({ name, code, type, error }: Fields): boolean {
  return [name, code, type, error].some((value) => typeof value === 'string' && VALIDATION_NAME.test(value.replace(/\s+/g, '_')));
}

/** The facts about a call that its failures depend on. */
export interface CallContext {
  /** "GET /lp-positions/opening" */
  readonly endpoint: string;
  /** The call lands transactions. Then any failure after the request was sent, whatever its status, leaves open whether they landed. */
  readonly lands: boolean;
  /** The service's name in messages: "api.lpagent.io". */
  readonly host: string;
  /** The service is the local service, which Binsight starts itself: no address or proxy of the settings is at fault. */
  readonly isLocalService: boolean;
  /** Removes secrets from a text that the service sent. */
  readonly redact: (text: string) => string;
}

/** An answer with a status other than 2xx. */
export interface FailedAnswer {
  readonly status: number;
  readonly body: string;
  readonly retryAfterMs: number | undefined;
  /** Target of a redirect. */
  readonly location: string | null;
}

export interface Failure {
  readonly error: ServiceError;
  /** A retry may succeed. */
  readonly again: boolean;
}

const checkAddress = () => l10n.t('Check the setting binsight.service.baseUrl.');

/** Maps a status other than 2xx to a failure. */
export function failureOfStatus(call: CallContext, answer: FailedAnswer): Failure {
  const { status } = answer;
  // Redact twice: parsing JSON can restore a key that was escaped in the body.
  const text = messageIn(call.redact(answer.body));
  const serviceMessage = text === undefined ? undefined : call.redact(text);
  const said = serviceMessage === undefined ? String(status) : `${status}: ${serviceMessage}`;
  const details = {
    status,
    ...(serviceMessage === undefined ? {} : { serviceMessage }),
    ...(answer.retryAfterMs === undefined ? {} : { retryAfterMs: answer.retryAfterMs }),
    // The request was sent. No answer of a service or gateway proves that a landing failed: only the chain does.
    mayHaveLanded: call.lands,
  };
  const fail = (kind: ServiceErrorKind, message: string, again = false): Failure => ({
    error: failed(call, kind, message, details),
    again,
  });

  if (status >= 300 && status < 400) {
    return fail(
      'rejected',
      l10n.t`${call.host} answered with a redirect (${redirect(status, answer.location)}), which was not followed. ${checkAddress()}`,
    );
  }
  switch (status) {
    case 401:
    case 403:
      return fail(
        'unauthorized',
        l10n.t`Your API key or plan does not allow this (${said}). Set another key with "Binsight: Set API Key…".`,
      );
    case 404:
      return fail('notFound', l10n.t`The service cannot find this (${said}).`);
    case 407:
      return fail('unreachable', l10n.t('The proxy requires a password (407). Check the settings http.proxy and http.proxyAuthorization.'));
    case 408:
      return fail('timeout', failedText(said, answer.retryAfterMs), true);
    case 429:
      return fail('rateLimited', l10n.t`Too many requests for your plan (${said}). ${tryAgain(answer.retryAfterMs)}`, true);
    default:
      return isRefusal(call, answer)
        ? fail('rejected', refusedText(said))
        : fail('server', failedText(said, answer.retryAfterMs), !NEVER_PASS.has(status));
  }
}

/** @param said the status, or what the service said */
function refusedText(said: string): string {
  return l10n.t`The service refused the request (${said}).`;
}

/** @param said the status, and what the service said */
function failedText(said: string, retryAfterMs: number | undefined): string {
  return l10n.t`The service failed (${said}). ${tryAgain(retryAfterMs)}`;
}

/** Not implemented and HTTP version not supported: a retry gets the same answer. */
const NEVER_PASS: ReadonlySet<number> = new Set([501, 505]);

/**
 * True if the request itself is at fault: a 4xx, or a 500 whose body says so ({@link isRequestAtFault}). 502, 503 and 504 come from gateways
 * and say nothing about the request. For a landing a 500 proves nothing, whatever its body says.
 */
function isRefusal({ lands }: CallContext, { status, body }: FailedAnswer): boolean {
  return status < 500 || (status === 500 && !lands && isRequestAtFault(body));
}

/** The failure of a request that was not sent, because the plan's request limit would delay it for too long. */
export function failureOfBudget(call: CallContext, waitMs: number): Failure {
  const message = l10n.t`Not sent: the request limit of your plan is used up. ${tryAgain(waitMs)}`;
  return { error: failed(call, 'rateLimited', message, { retryAfterMs: Math.max(1_000, waitMs) }), again: false };
}

/** The failure of a 2xx answer whose body reports an error. For a landing it does not say how far the landing got. */
export function failureOfRefusal(call: CallContext, body: unknown, status: number): Failure {
  const text = messageOf(body);
  const serviceMessage = text === undefined ? undefined : withoutFullStop(call.redact(text));
  const details = { status, ...(serviceMessage === undefined ? {} : { serviceMessage }), mayHaveLanded: call.lands };
  return { error: failed(call, 'rejected', refusedText(serviceMessage ?? String(status)), details), again: false };
}

/** Maps an exception of `fetch`, or of reading the answer, to a failure. */
export function failureOfConnection(call: CallContext, cause: unknown): Failure {
  const { code, neverConnected } = causeOf(cause);
  const fail = (message: string, again = true): Failure => ({
    error: failed(call, 'unreachable', message, { cause, mayHaveLanded: call.lands && !neverConnected }),
    again,
  });
  if (call.isLocalService) {
    return fail(l10n.t('The local service does not answer. Binsight restarts it if it has stopped.'));
  }
  if (code !== undefined && CERTIFICATE_CODES.test(code)) {
    return fail(
      l10n.t`The certificate of ${call.host} cannot be trusted (${code}). Behind a company proxy, check the settings http.proxy and http.systemCertificates.`,
      false,
    );
  }
  const speaksTls = code === undefined || !TLS_CODES.test(code);
  return fail(
    l10n.t`No connection to ${code === undefined ? call.host : `${call.host} (${code})`}. Check your network, and the settings binsight.service.baseUrl and http.proxy.`,
    speaksTls,
  );
}

/** The failure of a call without a complete answer in time. @param timeoutMs milliseconds */
export function failureOfTimeout(call: CallContext, timeoutMs: number, cause: unknown): Failure {
  const message = l10n.t`${call.host} did not answer within ${timeoutMs / 1_000} s.`;
  return { error: failed(call, 'timeout', message, { cause, mayHaveLanded: call.lands }), again: true };
}

/** The failure of a cancelled call. @param sent the request may have left this machine */
export function failureOfCancellation(call: CallContext, sent: boolean): Failure {
  return { error: failed(call, 'cancelled', 'Cancelled.', { mayHaveLanded: call.lands && sent }), again: false };
}

/** The failure of a 2xx answer whose body is not what the endpoint returns. @param problem what it is instead */
export function failureOfBody(call: CallContext, problem: string, status: number): Failure {
  const message = `${l10n.t`The answer of ${call.host} to ${call.endpoint} is invalid: ${problem}.`} ${checkAddress()}`;
  return { error: failed(call, 'malformed', message, { status, mayHaveLanded: call.lands }), again: false };
}

/** The failure of an answer that exceeds the size limit. */
export function failureOfSize(call: CallContext, limitBytes: number, status: number): Failure {
  const tooLong = l10n.t`The answer of ${call.host} to ${call.endpoint} exceeds ${sizeInWords(limitBytes)} and was not read.`;
  const message = `${tooLong} ${l10n.t('Choose a wallet with less to list.')}`;
  return { error: failed(call, 'malformed', message, { status, mayHaveLanded: call.lands }), again: false };
}

/** The failure of a call without a usable API key. */
export function failureOfKey(call: CallContext): Failure {
  const message = l10n.t`${call.host} requires an API key, and no valid one is set.`;
  return { error: failed(call, 'unauthorized', message, {}), again: false };
}

/**
 * The message in the body of a failed answer: the message field of JSON, the title of a web page, or plain text. `undefined` for JSON
 * without a message, which would say nothing to a user.
 */
export function messageIn(body: string): string | undefined {
  const text = body.trim();
  if (text.startsWith('<')) {
    const title = /<(title|h1)[^>]*>([^<]{1,200})/i.exec(text)?.[2];
    return title === undefined ? undefined : withoutFullStop(oneLine(title, 100));
  }
  let parsed: unknown = text;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Plain text is its own message.
  }
  const message = messageOf(parsed);
  return message === undefined ? undefined : withoutFullStop(message);
}

const CERTIFICATE_CODES = /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|SELF_SIGNED/;
const TLS_CODES = /^ERR_(?:SSL|TLS)_|^EPROTO$/;

interface SystemCause {
  readonly code: string | undefined;
  /** The failure happened before there was a connection, so nothing can have been sent. */
  readonly neverConnected: boolean;
}

/** Finds the system's error code in an exception, its causes, or the first error of an AggregateError. */
function causeOf(error: unknown): SystemCause {
  const seen = new Set<unknown>();
  let next = error;
  while (typeof next === 'object' && next !== null && !seen.has(next)) {
    seen.add(next);
    const { code, syscall, erroredSysCall, cause, errors } = next as Readonly<Record<string, unknown>>;
    if (typeof code === 'string') {
      const call = typeof syscall === 'string' ? syscall : erroredSysCall;
      const neverConnected =
        call === 'connect' || call === 'getaddrinfo' || code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN';
      return { code: oneLine(code, 40), neverConnected };
    }
    next = Array.isArray(errors) ? (errors as readonly unknown[])[0] : cause;
  }
  return { code: undefined, neverConnected: false };
}

function failed(
  call: CallContext,
  kind: ServiceErrorKind,
  message: string,
  details: Omit<ServiceErrorDetails, 'kind' | 'endpoint'>,
): ServiceError {
  return new ServiceError(message, { kind, endpoint: call.endpoint, ...details });
}

/** The status of a redirect, and the host it names. */
function redirect(status: number, location: string | null): string {
  const host = location !== null && URL.canParse(location) ? new URL(location).host : '';
  return host === '' ? String(status) : `${status}: ${host}`;
}

function tryAgain(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined ? l10n.t('Try again later.') : l10n.t`Try again in ${Math.max(1, Math.ceil(retryAfterMs / 1_000))} s.`;
}

function withoutFullStop(text: string): string {
  return text.replace(/\.+$/, '');
}
