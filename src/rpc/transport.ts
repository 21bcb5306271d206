import * as l10n from '@vscode/l10n';
import nodeFetch from 'node-fetch';
import * as z from 'zod';
import { readText, type ReadText } from '../base/http/readText';
import { withTimeout } from '../base/http/withTimeout';
import { RpcError } from './errors';
import { rpcName, secretsOf, type RpcUrl } from './rpcUrl';
import { oneLine } from './text';

/** The part of `fetch` that is used: node-fetch has it, and so has the global one. */
export type RpcFetch = (url: string, init: RpcFetchInit) => Promise<RpcFetchResponse>;

/** What is given to {@link RpcFetch}. */
export interface RpcFetchInit {
  readonly method: 'POST';
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

/** What {@link RpcFetch} gives. */
export interface RpcFetchResponse {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array | string> | null;
}

/** What a transport works with; all but the address has defaults. */
export interface RpcTransportOptions {
  readonly url: RpcUrl;
  readonly fetch?: RpcFetch;
  /** For each call, until the last byte of the answer. */
  readonly timeoutMs?: number;
  /** A longer answer is refused. */
  readonly longestAnswerBytes?: number;
}

/** Carries JSON-RPC 2.0 calls. */
export interface RpcTransport {
  readonly name: string;
  /**
   * Gives the `result` of a call, unchecked. Sent once: whoever asks has little time.
   * @throws RpcError for everything that goes wrong.
   */
  call(method: string, parameters: readonly unknown[], signal?: AbortSignal): Promise<unknown>;
  /** The failure that an answer means which is not what the method gives. */
  malformed(method: string, problem: string): RpcError;
}

const DEFAULT_TIMEOUT_MS = 5_000;
/** A hundred lookup tables, or a position of 1400 bins with the accounts around it, are far less. */
const DEFAULT_LONGEST_ANSWER = 8 * 1024 * 1024;
const CALL_ID = 1;

const Answer = z.union([
  z.object({ id: z.literal(CALL_ID), error: z.object({ code: z.int(), message: z.string() }) }),
  z.object({ id: z.literal(CALL_ID), result: z.unknown() }).refine(({ result }) => result !== undefined),
]);
/** Where the request itself was not understood, or never reached the node, the id may be missing. */
const Refusal = z.object({ error: z.object({ code: z.int(), message: z.string() }) });

/** Makes a transport. Redirects are not followed: the key goes only to the address that it stands in. */
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
    // Nodes answer some errors with a status, and say in the body what is wrong.
    if (refused.success) {
      throw refusal(refused.data.error);
    }
    if (status < 200 || status >= 300) {
      throw fail('status', statusWords(name, status), status);
    }
    if (!complete) {
      throw fail(
        'malformed',
        l10n.t`The answer of the RPC ${name} to ${method} is longer than ${longestAnswerBytes} bytes, and was not read.`,
      );
    }
    const answer = Answer.safeParse(body);
    if (!answer.success || !('result' in answer.data)) {
      throw fail(
        'malformed',
        l10n.t`What ${name} answers to ${method} is no JSON-RPC: check whether the setting binsight.rpcUrl is right.`,
      );
    }
    return answer.data.result;
  };

  return {
    name,
    malformed: (method, problem) =>
      fail('malformed', l10n.t`The answer of the RPC ${name} to ${method} is not as it has to be: ${said(problem)}.`),
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
        // What the exception says is left out: it holds the whole address.
        throw cause instanceof RpcError ? cause : fail('unreachable', l10n.t`The RPC ${name} cannot be reached${codeOf(cause)}.`);
      } finally {
        watch.stop();
      }
    },
  };
}

/** Takes the user info out of the address: `fetch` refuses it there, and it is sent as a header instead (RFC 7617). */
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
      ...(credentials === undefined ? {} : { authorization: l10n.t`Basic ${credentials}` }),
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
      return l10n.t`The RPC ${name} does not allow this (${status}): check the key in the setting binsight.rpcUrl, and what your plan allows.`;
    case 429:
      return l10n.t`The RPC ${name} has had too many requests for your plan (429).`;
    default:
      return status >= 300 && status < 400
        ? l10n.t`The RPC ${name} answered with a redirect (${status}), which is not followed: check the setting binsight.rpcUrl.`
        : l10n.t`The RPC ${name} failed (${status}).`;
  }
}

/** The system's code of a failed connection: "(ECONNREFUSED)". */
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
