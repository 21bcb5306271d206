import { type Clock, pause, steadyClock } from '../../base/async/clock';
import { RpcEndpoint, type RpcFetchInit, type RpcFetchResponse } from '../../base/solana/rpcEndpoint';
import type { RpcUrl } from '../../base/solana/rpcUrl';
import { type AnswerContext, type RpcOutcome, readAnswer } from './answer';
import { connectionTo } from './connection';
import { ChainRpcError } from './errors';
import { RequestLimiter } from './limiter';
import { isSearch, isSending } from './methods';
import { Substitutes } from './substitutes';
import type { ChainCallOptions, ChainRpc, RpcPriority } from './types';

/** The part of `fetch` that is used. */
export type ChainFetch = (
  url: string,
  init: RpcFetchInit,
) => Promise<RpcFetchResponse & { readonly headers: { get(name: string): string | null } }>;

/** Where the chain is, and how it may be asked. */
export interface ChainRpcOptions {
  readonly url: RpcUrl;
  /** Requests a second, all callers together. */
  readonly requestsPerSecond: number;
  /** Its abort ends all requests, also those that wait. */
  readonly signal?: AbortSignal;
  readonly fetch?: ChainFetch;
  /** Milliseconds for each attempt, to the last byte; three times as long for methods that search. Default: 10 s. */
  readonly timeoutMs?: number;
  /** Default: a clock that never goes back. */
  readonly clock?: Clock;
  /** 0 to 1; spreads the pauses before a request is repeated. */
  readonly random?: () => number;
}

/** A longer answer is an error: 32 MiB is ten thousand positions. */
const LONGEST_ANSWER_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
/** How much longer a search may take. */
const SEARCH_TIMES = 3;

/** How often and for how long a request is tried: less where a client waits for the answer than in the background. */
const RETRIES: Readonly<Record<RpcPriority, { readonly attempts: number; readonly totalMs: number }>> = {
  request: { attempts: 4, totalMs: 20_000 },
  background: { attempts: 8, totalMs: 300_000 },
};
const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Creates the access to a chain. Requests are limited in number, time and size, and counted. What only reads is repeated after a failure that
 * may pass; what sends never is: its caller asks the chain first whether it arrived. No redirect is followed, so the key in the address is
 * sent only to the address that contains it.
 */
export function createChainRpc(options: ChainRpcOptions): ChainRpc {
  const { url, requestsPerSecond, fetch: send = globalFetch, timeoutMs = TIMEOUT_MS, random = Math.random } = options;
  const clock = options.clock ?? steadyClock;
  const endpoint = new RpcEndpoint(url);
  const { name } = endpoint;
  const limiter = new RequestLimiter(requestsPerSecond, clock);
  const counts = new Map<string, number>();
  const limits = new RateLimitPauses(limiter, clock, random);
  const running = new RunningRequests(options.signal);

  const attempt = async (body: string, context: AnswerContext, limitMs: number, signal: AbortSignal): Promise<RpcOutcome> => {
    const { method } = context;
    counts.set(method, (counts.get(method) ?? 0) + 1);
    const reply = await endpoint.post(send, body, { timeoutMs: limitMs, longestAnswerBytes: LONGEST_ANSWER_BYTES }, signal);
    if (!('failure' in reply)) {
      const { status, headers } = reply.response;
      return readAnswer({ ...reply.read, status, retryAfter: headers.get('retry-after') }, context);
    }
    const { failure } = reply;
    switch (failure.kind) {
      case 'cancelled':
        throw cancelled(method);
      case 'timeout':
        return {
          error: new ChainRpcError('timeout', method, `The RPC ${name} did not answer ${method} within ${limitMs / 1_000} s.`),
          again: true,
        };
      case 'unreachable':
        return {
          error: new ChainRpcError('unavailable', method, `Can't reach the RPC ${name}${failure.code}.`, failure.options),
          again: true,
        };
    }
  };

  /** Sends a request until it is answered, or may not be tried again. @throws ChainRpcError */
  const request = async (
    body: string,
    { id, method }: Pick<AnswerContext, 'id' | 'method'>,
    { priority = 'request', signal: caller, isOptional = false }: ChainCallOptions,
  ): Promise<unknown> => {
    const cancel = running.begin(caller);
    const context: AnswerContext = { name, method, id, redacted: (text) => endpoint.redacted(text) };
    const retries = RETRIES[priority];
    const attempts = isSending(method) ? 1 : retries.attempts;
    const beganAt = clock.now();
    try {
      for (let number = 1; ; number += 1) {
        await limiter.take(priority, cancel.signal).catch(() => {
          throw cancelled(method);
        });
        const startedAt = clock.now();
        const outcome = await attempt(body, context, isSearch(method) ? SEARCH_TIMES * timeoutMs : timeoutMs, cancel.signal);
        if ('result' in outcome) {
          limits.succeeded();
          return outcome.result;
        }
        const waitMs = limits.waitAfter(outcome, number, startedAt);
        const isAgain = outcome.again && (!isOptional || outcome.error.kind === 'rateLimited');
        if (!isAgain || number >= attempts || clock.now() + waitMs - beganAt > retries.totalMs) {
          throw outcome.error;
        }
        await pause(waitMs, cancel.signal, clock);
      }
    } finally {
      cancel.stop();
    }
  };

  const substitutes = new Substitutes(clock, async (method, parameters, callOptions) => {
    const id = 1;
    return await request(JSON.stringify({ jsonrpc: '2.0', id, method, params: parameters }), { id, method }, callOptions);
  });

  const connection = connectionTo(endpoint.origin, (method, params) => substitutes.call(method, params, {}));

  return {
    connection,
    counts,
    call: async (method, parameters, schema, callOptions = {}) => {
      const result = await substitutes.call(method, parameters, callOptions);
      const checked = schema.safeParse(result);
      if (!checked.success) {
        const [issue] = checked.error.issues;
        const problem = `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is missing'}`;
        throw new ChainRpcError(
          'invalidResponse',
          method,
          `The answer of the RPC ${name} to ${method} is invalid: ${endpoint.redacted(problem)}.`,
        );
      }
      return checked.data;
    },
  };
}

/**
 * Cancels requests with their caller's signal, or all of them at the end of the process. Not `AbortSignal.any`: Node holds its sources only
 * weakly. One listener for each signal, however many requests have it: Node warns of more than ten.
 */
class RunningRequests {
  readonly #ended: AbortSignal | undefined;
  readonly #groups = new Map<AbortSignal, { readonly controllers: Set<AbortController>; readonly abortAll: () => void }>();

  constructor(ended: AbortSignal | undefined) {
    this.#ended = ended;
  }

  begin(caller: AbortSignal | undefined): { readonly signal: AbortSignal; stop(): void } {
    const controller = new AbortController();
    const sources = [this.#ended, caller].filter((source) => source !== undefined);
    sources.forEach((source) => this.#join(source, controller));
    return { signal: controller.signal, stop: () => sources.forEach((source) => this.#leave(source, controller)) };
  }

  #join(source: AbortSignal, controller: AbortController): void {
    if (source.aborted) {
      controller.abort();
      return;
    }
    let group = this.#groups.get(source);
    if (group === undefined) {
      const controllers = new Set<AbortController>();
      group = { controllers, abortAll: () => controllers.forEach((one) => one.abort()) };
      source.addEventListener('abort', group.abortAll, { once: true });
      this.#groups.set(source, group);
    }
    group.controllers.add(controller);
  }

  #leave(source: AbortSignal, controller: AbortController): void {
    const group = this.#groups.get(source);
    group?.controllers.delete(controller);
    if (group?.controllers.size === 0) {
      source.removeEventListener('abort', group.abortAll);
      this.#groups.delete(source);
    }
  }
}

/** How long to wait before a request is repeated, and the pause of all requests after a 429. */
class RateLimitPauses {
  readonly #limiter: RequestLimiter;
  readonly #clock: Clock;
  readonly #random: () => number;
  #inARow = 0;
  #pausedAt = -Infinity;

  constructor(limiter: RequestLimiter, clock: Clock, random: () => number) {
    this.#limiter = limiter;
    this.#clock = clock;
    this.#random = random;
  }

  succeeded(): void {
    this.#inARow = 0;
  }

  /**
   * @param number of the attempt, from 1
   * @param startedAt when it was sent: requests that were under way together count as one violation of the limit
   * @returns milliseconds
   */
  waitAfter(outcome: Exclude<RpcOutcome, { result: unknown }>, number: number, startedAt: number): number {
    const { error, retryAfterMs } = outcome;
    if (error.kind !== 'rateLimited') {
      return Math.max(retryAfterMs ?? 0, this.#backoffMs(number));
    }
    if (startedAt >= this.#pausedAt) {
      this.#inARow += 1;
      this.#pausedAt = this.#clock.now();
    }
    const waitMs = Math.max(retryAfterMs ?? 0, this.#backoffMs(this.#inARow));
    // If the RPC asks for a longer pause, this request fails, but the others must not wait for that long.
    this.#limiter.pause(Math.min(waitMs, LONGEST_PAUSE_MS));
    return waitMs;
  }

  #backoffMs(number: number): number {
    return Math.min(FIRST_PAUSE_MS * 2 ** (number - 1), LONGEST_PAUSE_MS) * (0.5 + this.#random() / 2);
  }
}

function cancelled(method: string): ChainRpcError {
  return new ChainRpcError('cancelled', method, 'Cancelled.');
}

const globalFetch: ChainFetch = (url, init) => fetch(url, init);
