import * as z from 'zod';
import { type Clock, pause } from '../../base/async/clock';
import { readText, runWithin } from '../../base/http';
import { base64FromBytes } from '../../base/solana/wireTransaction';
import { oneLine } from '../../base/text';

/** The part of `fetch` that is used. */
export type JitoFetch = (
  url: string,
  init: {
    readonly method: 'POST';
    readonly headers: Record<string, string>;
    readonly body: string;
    readonly redirect: 'error';
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly status: number; readonly body: AsyncIterable<Uint8Array | string> | null }>;

/** What the engine said to a bundle. */
export type BundleAnswer =
  /** It may land: accepted is not landed. */
  | { readonly kind: 'accepted'; readonly id: string }
  /** The engine does not take this bundle. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** No answer, or too many requests: it may have been accepted. */
  | { readonly kind: 'unclear'; readonly reason: string };

type EngineAnswer = { readonly kind: 'result'; readonly result: unknown } | Exclude<BundleAnswer, { kind: 'accepted' }>;

/** A block engine. */
export interface BundleSender {
  /** Sends transactions that land as a whole or not at all. */
  send(transactions: readonly Uint8Array[]): Promise<BundleAnswer>;
  /** Whether the engine has seen the bundle in a block. A hint: only the chain decides. */
  isInBlock(id: string): Promise<boolean>;
}

const PATH = '/api/v1/bundles';
const TIMEOUT_MS = 8_000;
const LONGEST_ANSWER = 256 * 1_024;
const LONGEST_REASON = 200;
/** The public engines take five requests a second from an address. */
const SPACING_MS = 250;

const Answer = z.object({ result: z.unknown().optional(), error: z.object({ code: z.int().optional(), message: z.string() }).optional() });
const BundleStatuses = z.object({ value: z.array(z.object({ bundle_id: z.string() }).nullable()) });

/** Asks a Jito block engine over its JSON-RPC. Never throws except for the end of the process. */
export class JitoClient implements BundleSender {
  readonly #url: string;
  readonly #signal: AbortSignal;
  readonly #fetch: JitoFetch;
  readonly #clock: Clock | undefined;
  #next: Promise<void> = Promise.resolve();

  /** @param address of the engine, with its key if it has one (`?uuid=`) @param signal ends all requests */
  constructor(address: string, signal: AbortSignal, { fetch = globalFetch, clock }: { fetch?: JitoFetch; clock?: Clock } = {}) {
    const url = new URL(address);
    url.pathname = url.pathname.includes('/bundles') ? url.pathname : `${url.pathname.replace(/\/$/, '')}${PATH}`;
    this.#url = url.href;
    this.#signal = signal;
    this.#fetch = fetch;
    this.#clock = clock;
  }

  async send(transactions: readonly Uint8Array[]): Promise<BundleAnswer> {
    const answer = await this.#ask('sendBundle', [transactions.map(base64FromBytes), { encoding: 'base64' }]);
    if (answer.kind !== 'result') {
      return answer;
    }
    const id = z.string().min(1).safeParse(answer.result).data;
    return id === undefined ? { kind: 'unclear', reason: 'The block engine answered without an id' } : { kind: 'accepted', id };
  }

  async isInBlock(id: string): Promise<boolean> {
    const answer = await this.#ask('getBundleStatuses', [[id]]);
    const statuses = answer.kind === 'result' ? BundleStatuses.safeParse(answer.result).data : undefined;
    return statuses?.value.some((status) => status?.bundle_id === id) ?? false;
  }

  async #ask(method: string, params: readonly unknown[]): Promise<EngineAnswer> {
    await this.#turn();
    try {
      return await runWithin(this.#signal, TIMEOUT_MS, async (signal) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
        const headers = { 'content-type': 'application/json' };
        const response = await this.#fetch(this.#url, { method: 'POST', headers, body, redirect: 'error', signal });
        const { text, complete } = await readText(response.body, LONGEST_ANSWER);
        return readAnswer(response.status, complete ? text : '');
      });
    } catch (error) {
      if (this.#signal.aborted) {
        throw error;
      }
      // The message of the system may quote the address, which may hold a key.
      return { kind: 'unclear', reason: 'The block engine did not answer' };
    }
  }

  /** Resolves when the next request may be sent. */
  #turn(): Promise<void> {
    const mine = this.#next;
    this.#next = mine.then(() => pause(SPACING_MS, this.#signal, this.#clock));
    return mine;
  }
}

function readAnswer(status: number, text: string): EngineAnswer {
  const body = Answer.safeParse(parsed(text)).data;
  const words =
    body?.error === undefined
      ? `The block engine answered ${status}`
      : `The block engine says: ${oneLine(body.error.message, LONGEST_REASON)}`;
  if (status === 429 || status >= 500 || isPassing(body?.error)) {
    return { kind: 'unclear', reason: words };
  }
  if (body === undefined || status >= 400 || body.error !== undefined) {
    return status < 400 && body === undefined ? { kind: 'unclear', reason: words } : { kind: 'refused', reason: words };
  }
  return { kind: 'result', result: body.result };
}

/** Too many requests, and failures of the engine itself. */
function isPassing(error: { readonly code?: number | undefined; readonly message: string } | undefined): boolean {
  return error !== undefined && (error.code === -32097 || error.code === -32603 || /rate.?limit|congested|too many/i.test(error.message));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const globalFetch: JitoFetch = (url, init) => fetch(url, init);
