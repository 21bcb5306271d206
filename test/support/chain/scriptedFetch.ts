import * as z from 'zod';
import { parseRpcUrl } from '../../../src/base/solana/rpcUrl';
import { type ChainFetch, createChainRpc } from '../../../src/chain/rpc/client';
import type { ChainRpc } from '../../../src/chain/rpc/types';
import { AutoClock } from './autoClock';

/** What a request gets: a result, a JSON-RPC error, an HTTP failure, or whatever a function does. */
export type ScriptedAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }; readonly status?: number }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly text?: string }
  | (() => never);

/** A request as the node got it. */
export interface ScriptedRequest {
  readonly atMs: number;
  readonly method: string;
  readonly params: readonly unknown[];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const Body = z.object({ id: z.union([z.string(), z.int()]), method: z.string(), params: z.array(z.unknown()).optional() });

/** A client whose requests are answered by a function, on a clock that does not wait. */
export interface ScriptedClient {
  readonly rpc: ChainRpc;
  readonly clock: AutoClock;
  readonly requests: readonly ScriptedRequest[];
}

/** Creates a client of a node that answers by `script`. */
export function scriptedClient(
  script: (request: ScriptedRequest, number: number) => ScriptedAnswer,
  {
    url = 'https://rpc.example/',
    requestsPerSecond = 1_000,
    signal,
  }: { url?: string; requestsPerSecond?: number; signal?: AbortSignal } = {},
): ScriptedClient {
  const clock = new AutoClock();
  const requests: ScriptedRequest[] = [];
  const fetch: ChainFetch = async (to, { body, headers }) => {
    const { id, method, params = [] } = Body.parse(JSON.parse(body));
    const request = { atMs: clock.now(), method, params, url: to, headers };
    requests.push(request);
    await Promise.resolve();
    const answer = script(request, requests.length);
    if (typeof answer === 'function') {
      return answer();
    }
    if ('result' in answer || 'error' in answer) {
      const { status = 200, ...said } = { status: undefined, ...answer };
      return new Response(JSON.stringify({ jsonrpc: '2.0', id, ...said }), { status });
    }
    const { status, headers: answered, text = '' } = answer;
    return new Response(text, { status, ...(answered === undefined ? {} : { headers: { ...answered } }) });
  };
  const rpc = createChainRpc({
    url: parseRpcUrl(url),
    requestsPerSecond,
    fetch,
    clock,
    random: () => 1,
    ...(signal === undefined ? {} : { signal }),
  });
  return { rpc, clock, requests };
}
