import * as l10n from '@vscode/l10n';
import { oneLine } from '../base/text';
import { ServiceError, type ServiceErrorDetails, type ServiceErrorKind } from './errors';
import { hasFields, messageOf } from './parsing/envelope';

type Fields = Readonly<Record<string, unknown>>;

/** Statuses below 500 that pass: request timeout, too early, too many requests. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** How libraries name an error of validation in `name`, `code` or `type`: "ZodError", "FST_ERR_VALIDATION", "BadRequestException". */
const VALIDATION_NAME = /validation|zoderror|bad_?request|invalid_?(?:argument|param|input|request)|unprocessable/i;

/** Fields under which a list of validation issues stands, and fields by which an issue names what is wrong. */
const ISSUE_LISTS = ['errors', 'issues', 'details'] as const;
const ISSUE_FIELDS = ['path', 'field', 'param', 'parameter', 'property', 'instancePath'] as const;

/** Words of a refusal: something is missing, wrong, too much, or not there. */
const REFUSES =
  /\brequired\b|\bmissing\b|\binvalid\b|\bunsupported\b|\bmalformed\b|\binsufficient\b|\bnot (?:found|supported|allowed|valid|enough|a valid)\b|\bmust (?:not |only )?(?:be|have|contain|match|start|end)\b|\bshould (?:not )?be\b|\b(?:does not|doesn't) exist\b|\bcannot be (?:empty|null|zero|negative|less|greater|more)\b|\bout of range\b|\bexceeds?\b|\btoo (?:small|large|low|high|long|short|many bins)\b/i;

/** Words of a trouble that passes. They outweigh a refusal: "blockhash not found" and "invalid response from upstream" may succeed next time. */
const PASSES =
  /\btime(?:d[ -]?)?[ -]?out\b|\btemporar|\bunavailable\b|\boverload|\bbusy\b|\btoo many requests\b|\brate[ -]?limit|\bagain\b|\beconn|\benotfound\b|\beai_|\betimedout\b|\bsockets?\b|\bnetwork\b|\bfetch\b|\bupstream\b|\bgateway\b|\bconnection\b|\bresponse\b|\bblockhash\b|\bslot\b|\bblock (?:height|not)\b|\bnodes?\b|\brpc\b|\broutes?\b|\bquotes?\b|\bcongest|\bdeadlock\b|\bunexpected\b|\binternal\b/i;

/**
 * Tells whether the body of a 500 says that the request itself is at fault, so that the same request fails again. The public service answers
 * 500 for what other services answer 400 for, such as "Amount X or Amount Y or Percent X is required". The evidence, any of which suffices:
 *
 * - a status of its own between 400 and 499, except 408, 425 and 429, in `status`, `statusCode` or `code`;
 * - a list of validation issues that name a field, or a name of the error that says "validation" or "bad request";
 * - a message with words of a refusal ("is required", "invalid", "not found") and none of a trouble that passes ("timeout", "blockhash").
 *
 * Everything else is unclear: an empty body, a web page, "Internal server error". An unclear failure may pass.
 * @param body as it came
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

/** What every failure of a call needs to know of it. */
export interface Call {
  /** "GET /lp-positions/opening" */
  readonly endpoint: string;
  /** Whether it lands transactions: then any failure after the request was sent, whatever its status, leaves open whether they landed. */
  readonly lands: boolean;
  /** "api.lpagent.io": what the service is called in messages. */
  readonly host: string;
  /** Takes secrets out of a text that the service sent. */
  readonly redact: (text: string) => string;
}

/** What came back with a status that is not a success. */
export interface FailedAnswer {
  readonly status: number;
  readonly body: string;
  readonly retryAfterMs: number | undefined;
  /** Where a redirect points to. */
  readonly location: string | null;
}

/** A failed attempt, and whether another one may go better. */
export interface Failure {
  readonly error: ServiceError;
  readonly again: boolean;
}

const setKey = () => l10n.t('set it again with "Binsight: Set API Key"');
const checkAddress = () => l10n.t('check the setting binsight.service.baseUrl');

/** Gives the failure that a status which is not a success means. */
export function failureOfStatus(call: Call, answer: FailedAnswer): Failure {
  const { status } = answer;
  // After the body is read as well as before: what JSON escapes, its reader brings back.
  const text = messageIn(call.redact(answer.body));
  const serviceMessage = text === undefined ? undefined : call.redact(text);
  const said = serviceMessage === undefined ? '' : `: ${serviceMessage}`;
  const details = {
    status,
    ...(serviceMessage === undefined ? {} : { serviceMessage }),
    ...(answer.retryAfterMs === undefined ? {} : { retryAfterMs: answer.retryAfterMs }),
    // Any answer means that the request was sent. What a service, or a gateway before it, says of a landing is no proof: only the chain is.
    mayHaveLanded: call.lands,
  };
  const fail = (kind: ServiceErrorKind, message: string, again = false): Failure => ({
    error: failed(call, kind, message, details),
    again,
  });

  if (status >= 300 && status < 400) {
    return fail(
      'rejected',
      l10n.t`${call.host} answered with a redirect${redirectTarget(answer.location)} (${status}). It is not followed: the API key goes only to the service it was entered for; ${checkAddress()}.`,
    );
  }
  switch (status) {
    case 401:
      return fail('unauthorized', l10n.t`The service refused the API key (401)${said}. If the key is wrong, ${setKey()}.`);
    case 403:
      return fail(
        'unauthorized',
        l10n.t`The service does not allow this with your API key (403)${said}. It may take another plan; if the key is wrong, ${setKey()}.`,
      );
    case 404:
      return fail('notFound', l10n.t`The service does not know what was asked for (404)${said}.`);
    case 407:
      return fail(
        'unreachable',
        l10n.t(
          'The proxy between here and the service wants a user name and password (407): check the settings http.proxy and http.proxyAuthorization.',
        ),
      );
    case 408:
      return fail('timeout', l10n.t`The service gave up waiting (408)${said}.`, true);
    case 429:
      return fail(
        'rateLimited',
        l10n.t`The service has had too many requests for your plan (429)${said}. ${tryAgain(answer.retryAfterMs)}`,
        true,
      );
    default:
      return isRefusal(call, answer)
        ? fail('rejected', l10n.t`The service refused the request (${status})${said}.`)
        : fail('server', l10n.t`The service failed (${status})${said}. ${tryAgain(answer.retryAfterMs)}`, !NEVER_PASS.has(status));
  }
}

/** Not implemented, and HTTP version not supported: the same request gets the same answer. */
const NEVER_PASS: ReadonlySet<number> = new Set([501, 505]);

/**
 * Whether the service refused the request itself: a 4xx, or a 500 whose body says so ({@link isRequestAtFault}). A gateway answers 502, 503
 * and 504: these say nothing of the request. Of a landing, a 500 proves nothing, whatever its body says.
 */
function isRefusal({ lands }: Call, { status, body }: FailedAnswer): boolean {
  return status < 500 || (status === 500 && !lands && isRequestAtFault(body));
}

/** Gives the failure of a request that was not sent, because its turn under the plan's request limit comes too late. */
export function failureOfBudget(call: Call, waitMs: number): Failure {
  const message = l10n.t`This was not sent: the request limit of your plan is used up, or the service asked to wait. ${tryAgain(waitMs)}`;
  return { error: failed(call, 'rateLimited', message, { retryAfterMs: Math.max(1_000, waitMs) }), again: false };
}

/** Gives the failure that a success means whose body says that it is none. Of a landing it does not say how far it went. */
export function failureOfRefusal(call: Call, body: unknown, status: number): Failure {
  const text = messageOf(body);
  const serviceMessage = text === undefined ? undefined : withoutFullStop(call.redact(text));
  const details = { status, ...(serviceMessage === undefined ? {} : { serviceMessage }), mayHaveLanded: call.lands };
  return {
    error: failed(call, 'rejected', l10n.t`The service refused the request: ${serviceMessage ?? l10n.t('it does not say why')}.`, details),
    again: false,
  };
}

/** Gives the failure that an exception of `fetch`, or of reading its answer, means. */
export function failureOfConnection(call: Call, cause: unknown): Failure {
  const { code, neverConnected } = causeOf(cause);
  const fail = (message: string, again = true): Failure => ({
    error: failed(call, 'unreachable', message, { cause, mayHaveLanded: call.lands && !neverConnected }),
    again,
  });
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return fail(
      l10n.t`The name ${call.host} could not be looked up (${code}): check the network, and whether the setting binsight.service.baseUrl is right.`,
    );
  }
  if (code === 'ECONNREFUSED') {
    return fail(l10n.t`Nothing answers at ${call.host} (connection refused): the service is not running there, or ${checkAddress()}.`);
  }
  if (code !== undefined && CERTIFICATE_CODES.test(code)) {
    return fail(
      l10n.t`The secure connection to ${call.host} cannot be trusted (${code}): its certificate is expired, for another name, or of an unknown issuer. Behind a company proxy, see the settings http.proxy and http.systemCertificates.`,
      false,
    );
  }
  if (code !== undefined && TLS_CODES.test(code)) {
    return fail(
      l10n.t`No secure connection to ${call.host} came about (${code}): what answers there does not speak https; ${checkAddress()}.`,
      false,
    );
  }
  if (code === 'ETIMEDOUT' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH') {
    return fail(l10n.t`${call.host} cannot be reached from this network (${code}): check the network and the setting http.proxy.`);
  }
  return fail(
    l10n.t`The connection to ${call.host} broke before the answer was complete${code === undefined ? '' : ` (${code})`}: check the network and the setting http.proxy.`,
  );
}

/** Gives the failure of a call that got no complete answer in time. */
export function failureOfTimeout(call: Call, timeoutMs: number, cause: unknown): Failure {
  const message = l10n.t`${call.host} did not answer within ${timeoutMs / 1_000} s.`;
  return { error: failed(call, 'timeout', message, { cause, mayHaveLanded: call.lands }), again: true };
}

/** Gives the failure of a call that was cancelled. */
export function failureOfCancellation(call: Call, sent: boolean): Failure {
  return { error: failed(call, 'cancelled', 'Cancelled.', { mayHaveLanded: call.lands && sent }), again: false };
}

/** Gives the failure that a success with a useless body means. */
export function failureOfBody(call: Call, problem: string, status: number): Failure {
  const message = l10n.t`The answer of ${call.host} to ${call.endpoint} ${problem}; ${checkAddress()}.`;
  return { error: failed(call, 'malformed', message, { status, mayHaveLanded: call.lands }), again: false };
}

/**
 * Gives the failure that an answer means which is larger than is read of it.
 * @param limitBytes how much is read
 * @param announcedBytes how large it is, where the service says so
 */
export function failureOfSize(call: Call, limitBytes: number, announcedBytes: number | undefined, status: number): Failure {
  const size = announcedBytes === undefined ? l10n.t`larger than ${sizeInWords(limitBytes)}` : sizeInWords(announcedBytes);
  const message =
    l10n.t`The answer of ${call.host} to ${call.endpoint} is ${size}. Binsight reads at most ${sizeInWords(limitBytes)} of it, so nothing of it was read. ` +
    l10n.t(
      'If the wallet really has so much to list, look at one that has less; if not, tell the operator of the service, or check the setting binsight.service.baseUrl.',
    );
  return { error: failed(call, 'malformed', message, { status, mayHaveLanded: call.lands }), again: false };
}

/** Gives the failure of a call that has no key to send. */
export function failureOfKey(call: Call): Failure {
  const message = l10n.t(
    'There is no API key for this service, or it holds characters that no key has: set it with "Binsight: Set API Key".',
  );
  return { error: failed(call, 'unauthorized', message, {}), again: false };
}

/**
 * Gives what a body that is not a success says: its message where it is JSON, the title where it is a page, else its text. JSON
 * without a message says nothing to a user.
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
  /** The failure came before there was a connection, so that nothing can have been sent. */
  readonly neverConnected: boolean;
}

/** Finds the system's error code in an exception, in its causes, or in the first of several. */
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
  call: Call,
  kind: ServiceErrorKind,
  message: string,
  details: Omit<ServiceErrorDetails, 'kind' | 'endpoint'>,
): ServiceError {
  return new ServiceError(message, { kind, endpoint: call.endpoint, ...details });
}

function redirectTarget(location: string | null): string {
  const host = location !== null && URL.canParse(location) ? new URL(location).host : '';
  return host === '' ? '' : l10n.t` to ${host}`;
}

function tryAgain(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined ? l10n.t('Try again later.') : l10n.t`Try again in ${Math.max(1, Math.ceil(retryAfterMs / 1_000))} s.`;
}

/** "22.4 MiB", "64 MiB", "1000 bytes". */
function sizeInWords(bytes: number): string {
  const [unit, name] = bytes >= 2 ** 20 ? [2 ** 20, 'MiB'] : bytes >= 10 * 2 ** 10 ? [2 ** 10, 'KiB'] : [1, 'bytes'];
  return `${Number((bytes / unit).toFixed(1))} ${name}`;
}

function withoutFullStop(text: string): string {
  return text.replace(/\.+$/, '');
}
