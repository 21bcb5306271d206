import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';
import { createRpc } from '../../../src/rpc/rpc';
import { parseRpcUrl, type RpcUrl } from '../../../src/base/solana/rpcUrl';
import type { RpcTransportOptions } from '../../../src/rpc/transport';
import type { SolanaRpc } from '../../../src/rpc/types';

/** A call as the node got it. */
export interface ReceivedCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

/** What a node answers a call: a result, an error of JSON-RPC, or whatever a function does with the response to the request of that id. */
export type NodeAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | ((response: ServerResponse, id: unknown) => void);

/** An answer, or what gives one for the parameters of the call. */
export type Script = NodeAnswer | { readonly byParams: (params: readonly unknown[]) => NodeAnswer };

/** An HTTP server on this machine that answers each method of JSON-RPC as it is told; it does not know the others. */
export class ScriptedNode {
  readonly received: ReceivedCall[] = [];
  readonly #server: Server;
  #answers: Readonly<Record<string, Script>> = {};

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
          readonly id: unknown;
          readonly method: string;
          readonly params: readonly unknown[];
        };
        this.received.push({ method, params, path: request.url ?? '', headers: request.headers });
        const scripted = this.#answers[method];
        const answer = scripted !== undefined && 'byParams' in scripted ? scripted.byParams(params) : scripted;
        if (typeof answer === 'function') {
          answer(response, id);
          return;
        }
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({
            jsonrpc: '2.0',
            id,
            ...(answer === undefined ? { error: { code: -32601, message: 'Method not found' } } : sliced(answer, params)),
          }),
        );
      });
    });
  }

  static async start(): Promise<ScriptedNode> {
    const node = new ScriptedNode();
    await new Promise<void>((resolve) => node.#server.listen(0, '127.0.0.1', resolve));
    return node;
  }

  /** Its address, with `rest` behind the port and `before` before the host. */
  url(rest = '/', before = ''): RpcUrl {
    return parseRpcUrl(`http://${before}127.0.0.1:${(this.#server.address() as AddressInfo).port}${rest}`);
  }

  /** Forgets what was, and answers these methods from now on. */
  willAnswer(answers: Readonly<Record<string, Script>>): void {
    this.received.length = 0;
    this.#answers = answers;
  }

  client(options: Partial<RpcTransportOptions> = {}): SolanaRpc {
    return createRpc({ url: this.url(), ...options });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

const ListedAccounts = z.object({
  result: z.looseObject({ value: z.array(z.looseObject({ data: z.tuple([z.string(), z.literal('base64')]) }).nullable()) }),
});
const Sliced = z.object({ dataSlice: z.object({ offset: z.int(), length: z.int() }) });

/** Cuts the data of accounts as a node does where the request has a `dataSlice`. Answers of another form stay as they are. */
function sliced(answer: object, [, config]: readonly unknown[]): object {
  const [asked, listed] = [Sliced.safeParse(config), ListedAccounts.safeParse(answer)];
  if (!asked.success || !listed.success) {
    return answer;
  }
  const { offset, length } = asked.data.dataSlice;
  const cut = (text: string) =>
    Buffer.from(text, 'base64')
      .subarray(offset, offset + length)
      .toString('base64');
  const { result } = listed.data;
  const value = result.value.map((account) => (account === null ? null : { ...account, data: [cut(account.data[0]), 'base64'] }));
  return { result: { ...result, value } };
}

/** A result as of slot 7. */
export function asOf(value: unknown, slot = 7): NodeAnswer {
  return { result: { context: { slot, apiVersion: '2.0.0' }, value } };
}

/** An account as nodes write it. */
export function written(program: string, data: Uint8Array, lamports = 1): object {
  return {
    lamports,
    owner: program,
    data: [Buffer.from(data).toString('base64'), 'base64'],
    executable: false,
    rentEpoch: 18_446_744_073_709_552_000,
    space: data.length,
  };
}
