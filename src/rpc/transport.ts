import { Connection } from '@solana/web3.js';
import * as l10n from '@vscode/l10n';
import nodeFetch from 'node-fetch';
import * as z from 'zod';
import { RpcEndpoint, type RpcFailure, type RpcFetchInit, type RpcFetchResponse, readRpcBody } from '../base/solana/rpcEndpoint';
import type { RpcUrl } from '../base/solana/rpcUrl';
import { sizeInWords } from '../base/text';
import { errorText } from '../base/thrown';

/** The kinds of failure of an RPC call. */
export type RpcErrorKind =
  /** No connection, or it broke. */
  | 'unreachable'
  | 'timeout'
  | 'cancelled'
  /** A status other than 2xx: the key, the plan, the request rate. */
  | 'status'
  /** The RPC answered with a JSON-RPC error, whose code is in `code`. */
  | 'refused'
  /** A transaction of a later version than is read. */
  | 'unsupportedVersion'
  /** The answer is not what the method returns. */
  | 'malformed';

/** A failed RPC call. Message and cause name the RPC by its host and contain no part of the address that may be a key. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  constructor(
    readonly kind: RpcErrorKind,
    message: string,
    /** The JSON-RPC error code for `refused`, the HTTP status for `status`. */
    readonly code?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The part of `fetch` that is used. Both node-fetch and the global one have it. */
export type RpcFetch = (url: string, init: RpcFetchInit) => Promise<RpcFetchResponse>;

export interface RpcTransportOptions {
  readonly url: RpcUrl;
  /** By default node-fetch: it uses Node's http(s), to which VS Code applies the user's proxy and certificate settings. */
  readonly fetch?: RpcFetch;
  /** Milliseconds for each call, until the last byte of the answer. */
  readonly timeoutMs?: number;
  /** A longer answer is an error. */
  readonly longestAnswerBytes?: number;
}

/** Sends JSON-RPC 2.0 calls: bounded in time and size, cancellable, and never retried, because callers have little time. */
export interface RpcTransport {
  readonly name: string;
  /**
   * Runs one call of web3.js's `Connection`.
   * @param method names the call in errors
   * @throws RpcError for every failure, also where web3.js rejects the answer
   */
  connected<Result>(method: string, run: (connection: Connection) => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /**
   * Sends a call that `Connection` lacks, and returns its `result`, unchecked.
   * @throws RpcError for every failure
   */
  call(method: string, parameters: readonly unknown[], signal?: AbortSignal): Promise<unknown>;
  /** The failure of an answer that is not what the method returns. @param problem completes "The answer is invalid: …" */
  malformed(method: string, problem: string): RpcError;
}

/** As long as a review waits for an answer: over a slow connection one takes five seconds. */
const DEFAULT_TIMEOUT_MS = 8_000;
/** Far more than a hundred lookup tables, or a position of 1,400 bins with the accounts around it. */
const DEFAULT_LONGEST_ANSWER = 8 * 1024 * 1024;

/** A request as `Connection` writes it. The answer must repeat its id, which `Connection` does not check. */
const Request = z.object({ id: z.string() });

/** Creates a transport. It follows no redirects, so the key is sent only to the address that contains it. */
export function createTransport(options: RpcTransportOptions): RpcTransport {
  const { url, fetch = nodeFetch, timeoutMs = DEFAULT_TIMEOUT_MS, longestAnswerBytes = DEFAULT_LONGEST_ANSWER } = options;
  const endpoint = new RpcEndpoint(url);
  const { name } = endpoint;
  const malformed = (method: string, problem: string, options?: ErrorOptions): RpcError =>
    new RpcError('malformed', l10n.t`The answer of ${name} to ${method} is invalid: ${endpoint.redacted(problem)}.`, undefined, options);

  /** Returns the text of an answer, and its `result`. @throws RpcError, so also for every JSON-RPC error */
  const send = async (
    method: string,
    { id, body }: { readonly id: string | number; readonly body: string },
    signal: AbortSignal | undefined,
  ): Promise<{ readonly text: string; readonly result: unknown }> => {
    if (signal?.aborted === true) {
      throw new RpcError('cancelled', 'Cancelled.');
    }
    const reply = await endpoint.post(fetch, body, { timeoutMs, longestAnswerBytes }, signal);
    if ('failure' in reply) {
      throw failureOf(name, reply.failure, timeoutMs);
    }
    const { status } = reply.response;
    const answer = readRpcBody(reply.read);
    // Some nodes answer an error with a failure status and put the reason in the body.
    if (answer.kind === 'refused') {
      const { code } = answer;
      throw new RpcError('refused', l10n.t`${name} refused the request (${`${code}: ${endpoint.redacted(answer.message)}`}).`, code);
    }
    if (status < 200 || status >= 300) {
      throw new RpcError('status', statusWords(name, status), status);
    }
    if (answer.kind === 'tooLong') {
      throw new RpcError(
        'malformed',
        l10n.t`The answer of ${name} to ${method} exceeds ${sizeInWords(longestAnswerBytes)} and was not read.`,
      );
    }
    if (answer.kind !== 'result' || answer.id !== id) {
      throw new RpcError('malformed', l10n.t`${name} does not answer as a Solana RPC. Check the address.`);
    }
    return { text: reply.read.text, result: answer.result };
  };

  return {
    name,
    malformed,
    call: async (method, parameters, signal) => {
      const id = 1;
      return (await send(method, { id, body: JSON.stringify({ jsonrpc: '2.0', id, method, params: parameters }) }, signal)).result;
    },
    connected: async (method, run, signal) => {
      const connection = new Connection(endpoint.origin, {
        // Its own agent would bypass VS Code's proxy settings.
        httpAgent: false,
        disableRetryOnRateLimit: true,
        fetch: async (_origin, init) => {
          const body = z.string().parse(init?.body);
          return new Response((await send(method, { id: Request.parse(JSON.parse(body)).id, body }, signal)).text);
        },
      });
      try {
        return await run(connection);
      } catch (cause) {
        throw cause instanceof RpcError ? cause : malformed(method, problemIn(cause), endpoint.causedBy(cause));
      }
    },
  };
}

/** What web3.js says about an answer that it rejects, without the part that quotes the answer. */
function problemIn(cause: unknown): string {
  return errorText(cause).replace(/,? but received.*$/s, '');
}

function failureOf(name: string, failure: RpcFailure, timeoutMs: number): RpcError {
  switch (failure.kind) {
    case 'cancelled':
      return new RpcError('cancelled', 'Cancelled.');
    case 'timeout':
      return new RpcError('timeout', l10n.t`${name} did not answer within ${timeoutMs / 1_000} s.`);
    case 'unreachable':
      return new RpcError(
        'unreachable',
        l10n.t`Cannot reach ${`${name}${failure.code}`}. Check the address and your network.`,
        undefined,
        failure.options,
      );
  }
}

function statusWords(name: string, status: number): string {
  switch (status) {
    case 401:
    case 403:
      return l10n.t`${name} does not allow this (${status}). Check the key in its address.`;
    case 429:
      return l10n.t`${name} allows no more requests now (${status}). ${l10n.t('Try again later.')}`;
    default:
      return status < 500
        ? l10n.t`${`${name} (${status})`} does not answer as a Solana RPC. Check the address.`
        : l10n.t`${name} failed (${status}). ${l10n.t('Try again later.')}`;
  }
}
