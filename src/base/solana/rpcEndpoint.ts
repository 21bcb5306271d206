import * as z from 'zod';
import { readText, type ReadText, withTimeout } from '../http';
import { oneLine } from '../text';
import { rpcName, rpcTarget, type RpcUrl } from './rpcUrl';

/** What is given to `fetch`. */
export interface RpcFetchInit {
  readonly method: 'POST';
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

/** What is used of an answer. Those of node-fetch and of the global `fetch` have it. */
export interface RpcFetchResponse {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array | string> | null;
}

/** The bounds of one request. */
export interface RpcLimits {
  /** Milliseconds until the last byte of the answer. */
  readonly timeoutMs: number;
  /** The rest of a longer answer is not read. */
  readonly longestAnswerBytes: number;
}

/** A request without an answer. */
export type RpcFailure =
  | { readonly kind: 'cancelled' | 'timeout' }
  /** `code`: " (ECONNREFUSED)", or empty. */
  | { readonly kind: 'unreachable'; readonly code: string; readonly options: ErrorOptions };

/** An answer over HTTP with its text, or why there is none. */
export type RpcReply<Reply> = { readonly response: Reply; readonly read: ReadText } | { readonly failure: RpcFailure };

const LONGEST_LINE = 200;

/** Makes text from an RPC fit for one line of a message or the log. An RPC has no reason to send emoji, so their joiner (U+200D) is removed too. */
export function rpcLine(text: string): string {
  return oneLine(text.replaceAll('\u200d', ' '), LONGEST_LINE);
}

/** Where an RPC is asked: bounded in time and size, without following redirects, so a key is sent only to the address that contains it. */
export class RpcEndpoint {
  /** The RPC's host, for messages. */
  readonly name: string;
  /** For `Connection`, which wants an address but sends nothing by itself. */
  readonly origin: string;
  readonly #target: ReturnType<typeof rpcTarget>;

  constructor(url: RpcUrl) {
    this.name = rpcName(url);
    this.#target = rpcTarget(url);
    this.origin = new URL(this.#target.target).origin;
  }

  /** Text of others on one line, without the address and what may be a key. */
  redacted(text: string): string {
    const { target, secrets } = this.#target;
    return rpcLine(secrets.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text.replaceAll(target, this.name)));
  }

  /** A copy of an error with a redacted message: `fetch` quotes the whole address, web3.js what the node sent. */
  causedBy(cause: unknown): ErrorOptions {
    return cause instanceof Error ? { cause: new Error(this.redacted(cause.message)) } : {};
  }

  /** Sends one request. It never throws. @param body JSON-RPC */
  async post<Reply extends RpcFetchResponse>(
    fetch: (url: string, init: RpcFetchInit) => Promise<Reply>,
    body: string,
    { timeoutMs, longestAnswerBytes }: RpcLimits,
    signal: AbortSignal | undefined,
  ): Promise<RpcReply<Reply>> {
    const { target, headers } = this.#target;
    const watch = withTimeout(signal, timeoutMs);
    try {
      const init = { method: 'POST', headers: { ...headers }, body, redirect: 'manual', signal: watch.signal } as const;
      const response = await fetch(target, init);
      return { response, read: await readText(response.body, longestAnswerBytes) };
    } catch (cause) {
      const ended = watch.ended();
      return {
        failure: ended === undefined ? { kind: 'unreachable', code: codeOf(cause), options: this.causedBy(cause) } : { kind: ended },
      };
    } finally {
      watch.stop();
    }
  }
}

/** What the body of an answer holds. */
export type RpcBody =
  | { readonly kind: 'refused'; readonly code: number; readonly message: string; readonly data?: unknown }
  | { readonly kind: 'result'; readonly id: string | number; readonly result: unknown }
  | { readonly kind: 'tooLong' }
  /** `text`: how it begins. Some providers say in plain text that a limit is reached. */
  | { readonly kind: 'notJson'; readonly text: string }
  | { readonly kind: 'notJsonRpc' };

const Answer = z.object({ id: z.union([z.string(), z.int()]), result: z.unknown() }).refine(({ result }) => result !== undefined);
/** The id may be missing if the request was not understood, or did not reach the node. */
const Refusal = z.object({ error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }) });

/** Characters of a text that is no JSON. */
const LONGEST_WORDS = 300;

/** Reads the body of an answer to one JSON-RPC 2.0 request. */
export function readRpcBody({ text, complete }: ReadText): RpcBody {
  if (!complete) {
    return { kind: 'tooLong' };
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { kind: 'notJson', text: text.slice(0, LONGEST_WORDS) };
  }
  const refused = Refusal.safeParse(body);
  if (refused.success) {
    return { kind: 'refused', ...refused.data.error };
  }
  const answer = Answer.safeParse(body);
  return answer.success ? { kind: 'result', id: answer.data.id, result: answer.data.result } : { kind: 'notJsonRpc' };
}

/** The system's error code of a failed connection: " (ECONNREFUSED)", or empty. The global `fetch` hides it in the cause. */
function codeOf(error: unknown): string {
  for (const one of [error, error instanceof Error ? error.cause : undefined]) {
    const code = typeof one === 'object' && one !== null && 'code' in one ? one.code : undefined;
    if (typeof code === 'string' && /^[A-Z_]{3,40}$/.test(code)) {
      return ` (${code})`;
    }
  }
  return '';
}
