import type * as z from 'zod';
import type { Clock } from '../../base/async/clock';
import { readText, withTimeout } from '../../base/http';
import type { Address } from '../../base/solana/address';
import { oneLine } from '../../base/text';
import { RequestLimiter } from '../rpc/limiter';
import { CandlesResponse, ErrorResponse, PoolResponse, PoolsResponse, VolumesResponse } from './schemas';
import {
  type Candle,
  type DataApi,
  DataApiError,
  type DataApiErrorKind,
  type DataPool,
  type DataPoolsPage,
  type DataPoolsQuery,
  type DataSpan,
  type VolumeBucket,
} from './types';

/** The part of `fetch` that is used. */
export type DataFetch = (
  url: string,
  init: { readonly headers: Record<string, string>; readonly redirect: 'manual'; readonly signal: AbortSignal },
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array | string> | null;
}>;

/** Where the data API is. */
export interface DataApiOptions {
  /** An http or https address, without a query: `https://dlmm.datapi.meteora.ag`. */
  readonly url: string;
  readonly clock: Clock;
  readonly fetch?: DataFetch;
}

/** The API allows 30. */
const REQUESTS_PER_SECOND = 10;
const TIMEOUT_MS = 4_000;
/** Of lists: they are long. */
const LIST_TIMEOUT_MS = 10_000;
/** A thousand pools are about 2.5 MB. */
const LONGEST_ANSWER_BYTES = 16 * 1024 * 1024;
/** How long nothing is asked after a failure to connect: a request of a client does not wait for it again and again. */
const PAUSE_UNREACHABLE_MS = 10_000;
/** After a 429 that does not say how long. */
const PAUSE_LIMITED_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
const SECOND_MS = 1_000;
const LONGEST_LINE = 200;

/** Client of Meteora's public data API. It needs no key and gets none; no redirect is followed. */
export class DataApiClient implements DataApi {
  readonly #base: URL;
  readonly #clock: Clock;
  readonly #fetch: DataFetch;
  readonly #limiter: RequestLimiter;
  /** Why nothing is asked, and until when. */
  #pause: { readonly until: number; readonly error: DataApiError } | undefined;

  /** @throws TypeError if the address is none */
  constructor({ url, clock, fetch: send = globalFetch }: DataApiOptions) {
    this.#base = new URL(url.endsWith('/') ? url : `${url}/`);
    this.#clock = clock;
    this.#fetch = send;
    this.#limiter = new RequestLimiter(REQUESTS_PER_SECOND, clock);
  }

  pools({ page, pageSize, search, sortBy, filters = [] }: DataPoolsQuery): Promise<DataPoolsPage> {
    const parameters = {
      page,
      page_size: pageSize,
      query: search,
      sort_by: sortBy,
      filter_by: filters.length === 0 ? undefined : filters.join(' && '),
    };
    return this.#get('pools', PoolsResponse, parameters, LIST_TIMEOUT_MS);
  }

  async pool(address: Address): Promise<DataPool | undefined> {
    try {
      return await this.#get(`pools/${address}`, PoolResponse, {});
    } catch (error) {
      if (error instanceof DataApiError && error.kind === 'notFound') {
        return undefined;
      }
      throw error;
    }
  }

  candles(pool: Address, { timeframe, startS, endS }: DataSpan): Promise<readonly Candle[]> {
    return this.#get(`pools/${pool}/ohlcv`, CandlesResponse, { timeframe, start_time: startS, end_time: endS });
  }

  volumes(pool: Address, { timeframe, startS, endS }: DataSpan): Promise<readonly VolumeBucket[]> {
    return this.#get(`pools/${pool}/volume/history`, VolumesResponse, { timeframe, start_time: startS, end_time: endS });
  }

  async #get<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    query: Readonly<Record<string, string | number | undefined>>,
    timeoutMs = TIMEOUT_MS,
  ): Promise<z.output<Schema>> {
    this.#throwIfPaused();
    const url = new URL(path, this.#base);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) {
        url.searchParams.set(name, String(value));
      }
    }
    const limit = withTimeout(undefined, timeoutMs);
    try {
      await this.#limiter.take('request', limit.signal);
      // Another request may have failed while this one waited for its turn.
      this.#throwIfPaused();
      return await this.#send(url, schema, limit.signal);
    } catch (error) {
      throw error instanceof DataApiError
        ? error
        : this.#unreachable(limit.ended() === 'timeout' ? 'did not answer in time' : 'cannot be reached', error);
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
        new DataApiError('rateLimited', this.#says('got too many requests (429)')),
      );
    }
    if (status < 200 || status >= 300) {
      throw new DataApiError(kindOf(status), this.#says(`answered ${status}${reasonIn(text)}`));
    }
    const read = schema.safeParse(complete ? parsed(text) : undefined);
    if (!read.success) {
      throw new DataApiError(
        'unreadable',
        this.#says(complete ? 'answered something else than its contract says' : 'answered more than is read'),
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

  #unreachable(what: string, cause: unknown): DataApiError {
    return this.#paused(PAUSE_UNREACHABLE_MS, new DataApiError('unreachable', this.#says(what), { cause }));
  }

  #paused(ms: number, error: DataApiError): DataApiError {
    this.#pause = { until: this.#clock.now() + ms, error };
    return error;
  }

  #says(what: string): string {
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
