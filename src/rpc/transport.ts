import * as l10n from '@vscode/l10n';
import nodeFetch from 'node-fetch';
import * as z from 'zod';
import { readText, type ReadText } from '../base/http/readText';
import { withTimeout } from '../base/http/withTimeout';
import { RpcError } from './errors';
import { rpcName, secretsOf, type RpcUrl } from './rpcUrl';
import { oneLine } from './text';

/** The part of `fetch` that is used. Both node-fetch and the global one have it. */
export type RpcFetch = (url: string, init: RpcFetchInit) => Promise<RpcFetchResponse>;

export interface RpcFetchInit {
  readonly method: 'POST';
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

export interface RpcFetchResponse {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array | string> | null;
}

export interface RpcTransportOptions {
  readonly url: RpcUrl;
  readonly fetch?: RpcFetch;
  /** Milliseconds for each call, until the last byte of the answer. */
  readonly timeoutMs?: number;
  /** A longer answer is an error. */
  readonly longestAnswerBytes?: number;
}

/** Sends JSON-RPC 2.0 calls. */
export interface RpcTransport {
  readonly name: string;
  /**
   * Returns the `result` of a call, unchecked. Never retries: callers have little time.
   * @throws RpcError for every failure
   */
  call(method: string, parameters: readonly unknown[], signal?: AbortSignal): Promise<unknown>;
  /** The failure of an answer that is not what the method returns. @param problem completes "The answer is invalid: …" */
  malformed(method: string, problem: string): RpcError;
}

const DEFAULT_TIMEOUT_MS = 5_000;
/** Far more than a hundred lookup tables, or a position of 1,400 bins with the accounts around it. */
const DEFAULT_LONGEST_ANSWER = 8 * 1024 * 1024;
const CALL_ID = 1;

const Answer = z.union([
  z.object({ id: z.literal(CALL_ID), error: z.object({ code: z.int(), message: z.string() }) }),
  z.object({ id: z.literal(CALL_ID), result: z.unknown() }).refine(({ result }) => result !== undefined),
]);
/** The id may be missing if the request was not understood, or did not reach the node. */
const Refusal = z.object({ error: z.object({ code: z.int(), message: z.string() }) });

/** Creates a transport. It follows no redirects, so the key is sent only to the address that contains it. */
export function createTransport(options: RpcTransportOptions): RpcTransport {
  const { url, fetch = nodeFetch, timeoutMs = DEFAULT_TIMEOUT_MS, longestAnswerBytes = DEFAULT_LONGEST_ANSWER } = options;
  const name = rpcName(url);
  const { target, headers, secrets } = addressed(url);
  const said = (text: string): string => oneLine(secrets.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text));
  const fail = (kind: RpcError['kind'], message: string, code?: number): RpcError => new RpcError(kind, message, code);

  const refusal = ({ code, message }: { readonly code: number; readonly message: string }): RpcError =>
    fail('refused', l10n.t`The RPC ${name} refused: ${said(message)} (${code}).`, code);

  const read = (method: string, status: number, { text, complete }: ReadText): unknown => {
    const body = complete ? parsed(text) : undefined;
    const refused = Refusal.safeParse(body);
    // Some nodes answer an error with a failure status and put the reason in the body.
    if (refused.success) {
      throw refusal(refused.data.error);
    }
    if (status < 200 || status >= 300) {
      throw fail('status', statusWords(name, status), status);
    }
    if (!complete) {
      throw fail(
        'malformed',
        l10n.t`The answer of the RPC ${name} to ${method} is longer than ${longestAnswerBytes} bytes and was not read.`,
      );
    }
    const answer = Answer.safeParse(body);
    if (!answer.success || !('result' in answer.data)) {
      throw fail('malformed', l10n.t`The answer of ${name} to ${method} is not JSON-RPC. Check the setting binsight.rpcUrl.`);
    }
    return answer.data.result;
  };

  return {
    name,
    malformed: (method, problem) => fail('malformed', l10n.t`The answer of the RPC ${name} to ${method} is invalid: ${said(problem)}.`),
    call: async (method, parameters, signal) => {
      if (signal?.aborted === true) {
        throw fail('cancelled', 'Cancelled.');
      }
      const watch = withTimeout(signal, timeoutMs);
      try {
        const body = JSON.stringify({ jsonrpc: '2.0', id: CALL_ID, method, params: parameters });
        const response = await fetch(target, { method: 'POST', headers: { ...headers }, body, redirect: 'manual', signal: watch.signal });
        return read(method, response.status, await readText(response.body, longestAnswerBytes));
      } catch (cause) {
        if (watch.ended() === 'cancelled') {
          throw fail('cancelled', 'Cancelled.');
        }
        if (watch.ended() === 'timeout') {
          throw fail('timeout', l10n.t`The RPC ${name} did not answer within ${timeoutMs / 1_000} s.`);
        }
        // Drop the exception's message: it contains the whole address.
        throw cause instanceof RpcError ? cause : fail('unreachable', l10n.t`Can't reach the RPC ${name}${codeOf(cause)}.`);
      } finally {
        watch.stop();
      }
    },
  };
}

/** Moves the user info of the address to a header (RFC 7617), since `fetch` rejects it in the address. */
function addressed(of: RpcUrl): {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
} {
  const url = new URL(of);
  const { username, password } = url;
  const credentials =
    username === '' && password === '' ? undefined : Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  url.username = '';
  url.password = '';
  return {
    target: url.href,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'binsight',
      ...(credentials === undefined ? {} : { authorization: `Basic ${credentials}` }),
    },
    secrets: [...(credentials === undefined ? [] : [credentials]), ...secretsOf(of)],
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function statusWords(name: string, status: number): string {
  switch (status) {
    case 401:
    case 403:
      return l10n.t`The RPC ${name} doesn't allow this (${status}). Check the key in the setting binsight.rpcUrl, and your plan.`;
    case 429:
      return l10n.t`Too many requests to the RPC ${name} for your plan (429).`;
    default:
      return status >= 300 && status < 400
        ? l10n.t`The RPC ${name} answered with a redirect (${status}), which was not followed. Check the setting binsight.rpcUrl.`
        : l10n.t`The RPC ${name} failed (${status}).`;
  }
}

/** The system's error code of a failed connection: " (ECONNREFUSED)", or empty. */
function codeOf(cause: unknown): string {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^[A-Z_]{3,40}$/.test(code) ? ` (${code})` : '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
