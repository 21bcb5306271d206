import { setTimeout as delay } from 'node:timers/promises';
import nodeFetch from 'node-fetch';
import { readText, withTimeout } from '../../base/http';
import { parseApiKey, redactorOf } from '../apiKey';
import type { BaseUrl } from '../baseUrl';
import type { ParseWarning } from '../common';
import { ServiceError } from '../errors';
import {
  type CallContext,
  type Failure,
  failureOfBody,
  failureOfBudget,
  failureOfCancellation,
  failureOfConnection,
  failureOfKey,
  failureOfRefusal,
  failureOfSize,
  failureOfStatus,
  failureOfTimeout,
} from './failures';
import { OperationRequests, type RequestPace } from '../budget/operationRequests';
import { saysFailure } from '../parsing/envelope';
import { type ParseContext, ParseWarnings } from '../parsing/records';
import type { Admission, BudgetTicket, RequestBudget } from '../budget/requestBudget';
import { DEFAULT_RETRIES, retryAfterMs, type RetryPolicy, waitBeforeRetry } from './retry';

/** The part of `fetch` that is used. Both node-fetch and the global one have it. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

export interface FetchInit {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array | string> | null;
}

export interface TransportOptions {
  readonly baseUrl: BaseUrl;
  readonly apiKey: string;
  readonly fetch?: Fetch;
  /** Milliseconds for each attempt, until the last byte of the answer. */
  readonly timeoutMs?: number;
  /** Longest answer, instead of what the request allows. */
  readonly longestAnswerBytes?: number;
  readonly retries?: RetryPolicy;
  /** Shared by all requests to this service with this key. Without it each call waits on its own after a 429. */
  readonly budget?: RequestBudget | undefined;
  /** The service is the local service, which Binsight starts itself. */
  readonly isLocalService?: boolean;
  /** From 0 up to 1, for the jitter. */
  readonly random?: () => number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Called for each call (debug) and retry (info); never with keys or bodies. */
  readonly log?: (level: 'debug' | 'info', message: string) => void;
  /** Resolves after the time; may reject as soon as the signal is aborted. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface ServiceRequest {
  /** The name in errors: "GET /pools/{id}/info". */
  readonly endpoint: `${'GET' | 'POST'} /${string}`;
  /** The path that is sent, if it differs from the endpoint: "/pools/5rCf…/info". */
  readonly path?: string;
  /** Parameters that are `undefined` are not sent. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Longest answer, decompressed. Default: 10 MiB. */
  readonly longestAnswerBytes?: number;
  /** The call lands transactions. It is sent once, whatever happens. */
  readonly lands?: boolean;
  readonly signal?: AbortSignal;
  /** Default: `panel`. */
  readonly pace?: RequestPace;
}

/** Sends calls to the service. */
export interface Transport {
  /**
   * Returns the body of the answer, parsed as JSON; `undefined` if it is empty.
   * @throws ServiceError for every failure
   */
  send(request: ServiceRequest): Promise<unknown>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** Ten times the largest answer of an endpoint with pages or a single record. */
const DEFAULT_LONGEST_ANSWER = 10 * 1024 * 1024;
/** Bytes read of an answer other than 2xx: enough for its message. */
const LONGEST_ERROR_BODY = 64 * 1024;

/** Longest wait of a landing for its turn: what is signed can expire 8 s later, at the shortest slots (transactions/run/quote.ts). */
const LONGEST_LANDING_WAIT_MS = 5_000;

type Settings = Required<Omit<TransportOptions, 'longestAnswerBytes' | 'budget'>> & Pick<TransportOptions, 'longestAnswerBytes' | 'budget'>;

/**
 * Creates a transport. Reads and builds are retried a few times, with jitter, on temporary failures: no connection, timeout, 408, 429 and
 * 5xx, except 501, 505 and a 500 whose body says that the request itself is at fault (failures.ts). Landings are never retried. Redirects
 * are not followed.
 */
export function createTransport(options: TransportOptions): Transport {
  const settings: Settings = {
    ...options,
    fetch: options.fetch ?? nodeFetch,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    retries: options.retries ?? DEFAULT_RETRIES,
    budget: options.budget,
    isLocalService: options.isLocalService ?? false,
    random: options.random ?? Math.random,
    now: options.now ?? Date.now,
    log: options.log ?? (() => undefined),
    sleep: options.sleep ?? (async (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal })),
  };
  return { send: async (request) => sendWithRetries(request, settings) };
}

/** Sends a request and reads its answer. */
export type Call = <Result>(
  request: ServiceRequest,
  read: (body: unknown, reading: ParseContext) => Result | Promise<Result>,
) => Promise<Result>;

interface CallDependencies {
  readonly transport: Transport;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Removes the API key from a text that quotes an answer. */
  readonly redact: (text: string) => string;
  readonly log: (level: 'debug', message: string) => void;
  /** Called with the warnings about an answer, if there are any. */
  readonly onWarnings: (endpoint: string, warnings: readonly ParseWarning[]) => void;
}

/** Combines transport and readers, and reports the warnings of the readers once per answer. */
export function createCall({ transport, now, redact, log, onWarnings }: CallDependencies): Call {
  return async (request, read) => {
    const body = await transport.send(request);
    const warnings = new ParseWarnings(redact);
    try {
      return await read(body, { warnings, nowMs: now() });
    } catch (error) {
      throw error instanceof ServiceError ? withoutKey(error, redact) : error;
    } finally {
      const found = warnings.all();
      for (const { path, message } of found) {
        log('debug', `${request.endpoint}: ${path} ${message}`);
      }
      if (found.length > 0) {
        onWarnings(request.endpoint, found);
      }
    }
  };
}

async function sendWithRetries(request: ServiceRequest, settings: Settings): Promise<unknown> {
  const apiKey = parseApiKey(settings.apiKey);
  const call: CallContext = {
    endpoint: request.endpoint,
    lands: request.lands ?? false,
    host: new URL(settings.baseUrl).host,
    isLocalService: settings.isLocalService,
    redact: apiKey === undefined ? (text) => text : redactorOf(apiKey, '[API key]'),
  };
  if (apiKey === undefined) {
    throw failureOfKey(call).error;
  }
  let failures = 0;
  for (let refusals = 0; ;) {
    if (request.signal?.aborted === true) {
      throw failureOfCancellation(call, false).error;
    }
    const turn = await turnOf(request, refusals > 0, call, settings);
    const startedMs = settings.now();
    const outcome = await attempt(request, call, apiKey, turn, settings);
    const took = `${settings.now() - startedMs} ms`;
    if (!('error' in outcome)) {
      settings.log('debug', `${call.endpoint}: answered in ${took}`);
      return outcome.body;
    }
    if (outcome.error.kind === 'rateLimited' && settings.budget !== undefined) {
      refusals += 1;
      if (call.lands || !mayGoOn(request, settings.budget, refusals, settings.retries)) {
        settings.log('debug', `${call.endpoint}: failed in ${took} (rateLimited)`);
        throw outcome.error;
      }
      settings.log('info', `${call.endpoint}: ${outcome.error.message} It is sent again when its turn comes.`);
      continue;
    }
    failures += 1;
    const waitMs = outcome.again && !call.lands ? waitBeforeRetry(failures, outcome.error, settings.retries, settings.random) : undefined;
    if (waitMs === undefined) {
      settings.log('debug', `${call.endpoint}: failed in ${took} (${outcome.error.kind})`);
      throw outcome.error;
    }
    settings.log(
      'info',
      `${call.endpoint}: ${outcome.error.message} Attempt ${failures + 1} of ${settings.retries.attempts} follows in ${Math.round(waitMs)} ms.`,
    );
    await wait(waitMs, request.signal, call, outcome, settings);
  }
}

/** True if a request that got a 429 waits for another turn. Requests of operations always do, however long that takes. */
function mayGoOn({ pace }: ServiceRequest, budget: RequestBudget, refusals: number, { attempts, longestWaitMs }: RetryPolicy): boolean {
  if (pace instanceof OperationRequests) {
    return true;
  }
  return pace !== 'poll' && refusals < attempts && budget.waitMs('panel') <= longestWaitMs;
}

/** Waits for the request's turn in the budget, if there is one. @throws ServiceError if the turn comes too late, or the call is cancelled */
async function turnOf(
  { pace = 'panel', lands = false, signal }: ServiceRequest,
  wasRefused: boolean,
  call: CallContext,
  { budget }: Settings,
): Promise<BudgetTicket | undefined> {
  if (budget === undefined) {
    return undefined;
  }
  let admission: Admission;
  try {
    // A request that was refused during a pause must not probe it again.
    admission = await budget.admit(pace === 'user' && wasRefused ? 'panel' : pace, signal, lands ? LONGEST_LANDING_WAIT_MS : undefined);
  } catch {
    throw failureOfCancellation(call, false).error;
  }
  if (admission.kind === 'turn') {
    return admission.turn;
  }
  if (lands) {
    return budget.takeNow(pace);
  }
  throw failureOfBudget(call, admission.waitMs).error;
}

/** Waits before the next attempt. A cancellation ends the wait and the call at once. */
async function wait(ms: number, signal: AbortSignal | undefined, call: CallContext, failure: Failure, { sleep }: Settings): Promise<void> {
  try {
    await sleep(ms, signal);
  } catch {
    throw signal?.aborted === true ? failureOfCancellation(call, false).error : failure.error;
  }
}

async function attempt(
  request: ServiceRequest,
  call: CallContext,
  apiKey: string,
  turn: BudgetTicket | undefined,
  settings: Settings,
): Promise<Failure | { readonly body: unknown }> {
  const watch = withTimeout(request.signal, settings.timeoutMs);
  try {
    const response = await settings.fetch(urlOf(request, settings.baseUrl), {
      method: request.endpoint.startsWith('GET ') ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        'user-agent': 'binsight',
        'x-api-key': apiKey,
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      redirect: 'manual',
      signal: watch.signal,
    });
    const longestBytes = settings.longestAnswerBytes ?? request.longestAnswerBytes ?? DEFAULT_LONGEST_ANSWER;
    return await readAnswer(response, call, longestBytes, turn, settings);
  } catch (cause) {
    switch (watch.ended()) {
      case 'timeout':
        return failureOfTimeout(call, settings.timeoutMs, cause);
      case 'cancelled':
        return failureOfCancellation(call, true);
      case undefined:
        return failureOfConnection(call, cause);
    }
  } finally {
    giveBack(turn);
    watch.stop();
  }
}

/** Returns the turn: no answer is coming any more. */
function giveBack(turn: BudgetTicket | undefined): void {
  turn?.unanswered();
}

function urlOf({ endpoint, path = endpoint.replace(/^[A-Z]+ /, ''), query = {} }: ServiceRequest, baseUrl: BaseUrl): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) {
      parameters.set(name, String(value));
    }
  }
  const written = parameters.toString();
  return `${baseUrl}${path}${written === '' ? '' : `?${written}`}`;
}

async function readAnswer(
  response: FetchResponse,
  call: CallContext,
  longestBytes: number,
  turn: BudgetTicket | undefined,
  settings: Settings,
): Promise<Failure | { readonly body: unknown }> {
  const { status, headers } = response;
  if (status < 200 || status >= 300) {
    const { text } = await readText(response.body, LONGEST_ERROR_BODY);
    const asksToWait = status === 429 || status === 503 ? retryAfterMs(headers.get('retry-after'), text, settings.now()) : undefined;
    turn?.answered({ status, retryAfterMs: asksToWait, header: (name) => headers.get(name) });
    return failureOfStatus(call, { status, body: text, retryAfterMs: asksToWait, location: headers.get('location') });
  }
  turn?.answered({ status, retryAfterMs: undefined, header: (name) => headers.get(name) });
  const announcedBytes = announcedLength(headers);
  const isTooLong = announcedBytes !== undefined && announcedBytes > longestBytes;
  const { text, complete } = await readText(response.body, isTooLong ? 0 : longestBytes);
  if (!complete) {
    return failureOfSize(call, longestBytes, status);
  }
  if (text.trim() === '') {
    return { body: undefined };
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    const isPage = text.trimStart().startsWith('<') || (headers.get('content-type') ?? '').includes('html');
    return failureOfBody(call, isPage ? 'a web page instead of JSON' : 'no JSON', status);
  }
  return saysFailure(body) ? failureOfRefusal(call, body, status) : { body };
}

/** The body's length by its header; `undefined` if there is none, or the body is compressed. */
function announcedLength(headers: FetchResponse['headers']): number | undefined {
  const length = headers.get('content-encoding') === null ? headers.get('content-length') : null;
  return length === null || !/^\d{1,15}$/.test(length) ? undefined : Number(length);
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
