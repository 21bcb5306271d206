import type * as z from 'zod';
import type { Clock } from '../../base/async/clock';
import { readText, type TimeLimit, withTimeout } from '../../base/http';
import { oneLine } from '../../base/text';
import { SECOND_MS } from '../../base/time';
import { RequestLimiter } from '../rpc/limiter';
import { ErrorResponse } from './schemas';
import { DataApiError, type DataApiErrorKind } from './types';

/** The part of `fetch` that is used. */
export type DataFetch = (
  url: string,
  init: { readonly headers: Record<string, string>; readonly redirect: 'manual'; readonly signal: AbortSignal },
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array | string> | null;
}>;

/** Where a public API is, and how it is asked. */
export interface DataTransportOptions {
  /** An http or https address, without a query: `https://dlmm.datapi.meteora.ag`. */
  readonly url: string;
  readonly clock: Clock;
  /** Its abort ends all requests. */
  readonly signal?: AbortSignal;
  readonly fetch?: DataFetch;
  /** Shared by APIs that are limited together; default: one of its own. */
  readonly limiter?: RequestLimiter;
}

/** A query; parameters without a value are left out. */
export type DataParameters = Readonly<Record<string, string | number | undefined>>;

/** That of DAMM v2 allows 10, that of DLMM 30. Those of pool discovery are not published. */
const REQUESTS_PER_SECOND = 10;
const TIMEOUT_MS = 4_000;
/** A thousand pools are about 2.5 MB. */
const LONGEST_ANSWER_BYTES = 16 * 1024 * 1024;
/** Pause after a failed connection, so that clients do not wait for each try; it doubles with each further failure. */
const PAUSE_UNREACHABLE_MS = 10_000;
/** After a 429 that does not say how long. */
const PAUSE_LIMITED_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
const LONGEST_LINE = 200;

/** Makes a limiter for APIs that are asked 10 times a second together. */
export function dataLimiter(clock: Clock): RequestLimiter {
  return new RequestLimiter(REQUESTS_PER_SECOND, clock);
}

/** Requests to one of Meteora's public APIs: limited, timed out, and paused after a failure. It needs no key; no redirect is followed. */
export class DataTransport {
  readonly #base: URL;
  readonly #clock: Clock;
  readonly #ended: AbortSignal | undefined;
  readonly #fetch: DataFetch;
  readonly #limiter: RequestLimiter;
  /** While it lasts, no request is sent, and each fails with the error. */
  #pause: { readonly until: number; readonly error: DataApiError } | undefined;
  #unreachableInARow = 0;

  /** @throws TypeError if the address is none */
  constructor({ url, clock, signal, fetch: send = globalFetch, limiter }: DataTransportOptions) {
    this.#base = new URL(url.endsWith('/') ? url : `${url}/`);
    this.#clock = clock;
    this.#ended = signal;
    this.#fetch = send;
    this.#limiter = limiter ?? dataLimiter(clock);
  }

  /** Asks once. @throws DataApiError */
  async get<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    query: DataParameters,
    timeoutMs = TIMEOUT_MS,
  ): Promise<z.output<Schema>> {
    this.#throwIfPaused();
    const url = new URL(path, this.#base);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) {
        url.searchParams.set(name, String(value));
      }
    }
    const limit = withTimeout(this.#ended, timeoutMs);
    let isSent = false;
    try {
      await this.#limiter.take('request', limit.signal);
      // Another request may have failed while this one waited for its turn.
      this.#throwIfPaused();
      isSent = true;
      const answer = await this.#send(url, schema, limit.signal);
      this.#unreachableInARow = 0;
      return answer;
    } catch (error) {
      throw error instanceof DataApiError ? error : this.#noAnswer(limit.ended(), isSent, error);
    } finally {
      limit.stop();
    }
  }

  async #send<Schema extends z.ZodType>(url: URL, schema: Schema, signal: AbortSignal): Promise<z.output<Schema>> {
    const response = await this.#fetch(url.href, { headers: { accept: 'application/json' }, redirect: 'manual', signal });
    const { text, complete } = await readText(response.body, LONGEST_ANSWER_BYTES);
    const { status } = response;
    if (status === 429) {
      throw this.#paused(
        pauseOf(response.headers.get('retry-after')),
        new DataApiError('rateLimited', this.message('refused too many requests (429)')),
      );
    }
    if (status < 200 || status >= 300) {
      throw new DataApiError(kindOf(status), this.message(`answered ${status}${reasonIn(text)}`));
    }
    const read = schema.safeParse(complete ? parsed(text) : undefined);
    if (!read.success) {
      throw new DataApiError(
        'unreadable',
        this.message(complete ? 'gave an answer that does not fit its contract' : 'gave an answer that is too long'),
        { cause: read.error },
      );
    }
    return read.data;
  }

  #throwIfPaused(): void {
    if (this.#pause !== undefined && this.#pause.until > this.#clock.now()) {
      throw this.#pause.error;
    }
  }

  /** The error of a request without an answer. Only a request that was sent is a failure of the API. */
  #noAnswer(ended: ReturnType<TimeLimit['ended']>, isSent: boolean, cause: unknown): DataApiError {
    if (ended === 'cancelled') {
      return new DataApiError('unreachable', this.message('was not asked because the service ends'), { cause });
    }
    if (!isSent) {
      return new DataApiError('rateLimited', this.message('was not asked because too many requests are waiting'), { cause });
    }
    const error = new DataApiError('unreachable', this.message(ended === 'timeout' ? 'did not answer in time' : 'cannot be reached'), {
      cause,
    });
    if (this.#pause !== undefined && this.#pause.until > this.#clock.now()) {
      // Requests that were under way together count as one failure.
      return error;
    }
    this.#unreachableInARow += 1;
    return this.#paused(Math.min(PAUSE_UNREACHABLE_MS * 2 ** (this.#unreachableInARow - 1), LONGEST_PAUSE_MS), error);
  }

  #paused(ms: number, error: DataApiError): DataApiError {
    this.#pause = { until: this.#clock.now() + ms, error };
    return error;
  }

  /** @param what "answered 500" */
  message(what: string): string {
    return `The data API ${this.#base.host} ${what}`;
  }
}

const globalFetch: DataFetch = (url, init) => fetch(url, init);

function kindOf(status: number): DataApiErrorKind {
  return status === 400 || status === 404 ? 'notFound' : status > 400 && status < 500 ? 'refused' : 'failed';
}

/** The header in seconds; anything else is as if it were not there. */
function pauseOf(retryAfter: string | null): number {
  const seconds = retryAfter !== null && /^\d{1,6}$/.test(retryAfter.trim()) ? Number(retryAfter) : undefined;
  return seconds === undefined ? PAUSE_LIMITED_MS : Math.min(seconds * SECOND_MS, LONGEST_PAUSE_MS);
}

function reasonIn(text: string): string {
  const reason = ErrorResponse.safeParse(parsed(text)).data?.message;
  return reason === undefined ? '' : `: ${oneLine(reason, LONGEST_LINE)}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
