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
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array | string> | null;
}>;

/** The engine's answer to a bundle. */
export type BundleAnswer =
  /** It may land: accepted is not landed. */
  | { readonly kind: 'accepted'; readonly id: string }
  /** The engine refuses this bundle. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** No answer, or too many requests: it may have been accepted. */
  | { readonly kind: 'unclear'; readonly reason: string };

type EngineAnswer = { readonly kind: 'result'; readonly result: unknown } | Exclude<BundleAnswer, { kind: 'accepted' }>;

/** A block engine. */
export interface BundleSender {
  /** Sends transactions that land as a whole or not at all. */
  send(transactions: readonly Uint8Array[]): Promise<BundleAnswer>;
  /** Whether the engine reports the bundle as in a block. This is no proof: only the chain decides. */
  isInBlock(id: string): Promise<boolean>;
}

const PATH = '/api/v1/bundles';
const TIMEOUT_MS = 8_000;
const LONGEST_ANSWER = 256 * 1_024;
const LONGEST_REASON = 200;
/** The public engines allow five requests a second from an address. */
const SPACING_MS = 250;
/** Longest pause that the engine may ask for with a 429. A transaction is valid for about a minute. */
const LONGEST_PAUSE_MS = 10_000;

const TOO_MANY_REQUESTS = 429;

const Answer = z.object({ result: z.unknown().optional(), error: z.object({ code: z.int().optional(), message: z.string() }).optional() });
const BundleStatuses = z.object({ value: z.array(z.object({ bundle_id: z.string() }).nullable()) });

/** Sends requests to the JSON-RPC of a Jito block engine. Its methods throw only at the end of the process. */
export class JitoClient implements BundleSender {
  readonly #url: string;
  readonly #signal: AbortSignal;
  readonly #fetch: JitoFetch;
  readonly #clock: Clock | undefined;
  /** Values in the address that may be keys. */
  readonly #secrets: readonly string[];
  #next: Promise<void> = Promise.resolve();

  /** @param address of the engine, with its key if it has one (`?uuid=`) @param signal ends all requests */
  constructor(address: string, signal: AbortSignal, { fetch = globalFetch, clock }: { fetch?: JitoFetch; clock?: Clock } = {}) {
    const url = new URL(address);
    url.pathname = url.pathname.includes('/bundles') ? url.pathname : `${url.pathname.replace(/\/$/, '')}${PATH}`;
    this.#url = url.href;
    this.#secrets = [...url.searchParams.values()].filter((value) => value !== '');
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
        if (response.status === TOO_MANY_REQUESTS) {
          this.#delay(pauseOf(response.headers.get('retry-after')));
        }
        return readAnswer(response.status, complete ? this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text) : '');
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
    this.#delay(SPACING_MS);
    return mine;
  }

  #delay(ms: number): void {
    this.#next = this.#next.then(() => pause(ms, this.#signal, this.#clock));
  }
}

/** @param retryAfter seconds; dates are not used by block engines @returns milliseconds */
function pauseOf(retryAfter: string | null): number {
  return /^\d{1,6}$/.test(retryAfter ?? '') ? Math.min(Number(retryAfter) * 1_000, LONGEST_PAUSE_MS) : 0;
}

function readAnswer(status: number, text: string): EngineAnswer {
  const body = Answer.safeParse(parsed(text)).data;
  const reason =
    body?.error === undefined
      ? `The block engine answered ${status}`
      : `The block engine answered: ${oneLine(body.error.message, LONGEST_REASON)}`;
  if (status === TOO_MANY_REQUESTS || status >= 500 || isTransient(body?.error)) {
    return { kind: 'unclear', reason };
  }
  if (body === undefined || status >= 400 || body.error !== undefined) {
    return status < 400 && body === undefined ? { kind: 'unclear', reason } : { kind: 'refused', reason };
  }
  return { kind: 'result', result: body.result };
}

/** Whether the engine refused because of too many requests, or failed itself. */
function isTransient(error: { readonly code?: number | undefined; readonly message: string } | undefined): boolean {
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
