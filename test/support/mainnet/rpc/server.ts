import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { answerCalls, type Call, invalidRequest, NODE_METHODS, readCalls } from './answer';
import { Bundles } from './bundles';
import { type ActiveFault, delayBy, type Faults } from './faults';
import type { Node } from './node';

/** Path at which block engines accept bundles. */
const BUNDLES_PATH = '/api/v1/bundles';

const PAGE = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';

/** The RPC of the little mainnet over HTTP, on 127.0.0.1. */
export class RpcServer {
  readonly #node: Node;
  readonly #faults: Faults;
  readonly #server: Server;
  readonly #bundles = new Bundles();
  readonly #counts = new Map<string, number>();
  #requests = 0;
  #wave = 0;

  constructor(node: Node, faults: Faults) {
    this.#node = node;
    this.#faults = faults;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
    });
  }

  /** Calls since the start or {@link resetCounts}, by method. Each call of a batch counts, and so do calls with a fault. */
  get counts(): ReadonlyMap<string, number> {
    return new Map(this.#counts);
  }

  /** HTTP requests since then; a batch is one. */
  get requests(): number {
    return this.#requests;
  }

  /** The longest row of requests of which each one came only after the one before was answered. With a delay of answers, those sent together are one wave. */
  get waves(): number {
    return this.#wave;
  }

  resetCounts(): void {
    this.#counts.clear();
    this.#requests = 0;
    this.#wave = 0;
  }

  /** @returns the address of the RPC */
  async start(port = 0): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => {
      this.#server.close(resolve);
    });
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const read = readCalls(await text(request));
    if (read === undefined) {
      send(response, 200, invalidRequest());
      return;
    }
    const { calls } = read;
    const methods = request.url?.endsWith(BUNDLES_PATH) === true ? this.#bundles.methods : NODE_METHODS;
    this.#count(calls);
    const wave = this.#wave + 1;
    response.once('finish', () => (this.#wave = Math.max(this.#wave, wave)));
    const active = this.#faults.next(calls.map(({ method }) => method));
    await delayBy(active);
    const body = (): string => answerCalls(methods, this.#node, read, active);
    if (active === undefined || ['delay', 'null'].includes(active.fault.kind)) {
      send(response, 200, body());
      return;
    }
    sendFault(response, active, body);
  }

  #count(calls: readonly Call[]): void {
    this.#requests += 1;
    for (const { method } of calls) {
      this.#counts.set(method, (this.#counts.get(method) ?? 0) + 1);
    }
  }
}

/** Answers with a fault. @param body executes the calls, at most once, and gives the answer without the fault */
function sendFault(response: ServerResponse, { fault, carriedOut }: ActiveFault, body: () => string): void {
  const needsBody = fault.kind === 'refuse' || fault.kind === 'cut';
  if (carriedOut && !needsBody) {
    body();
  }
  switch (fault.kind) {
    case 'rateLimit': {
      const error = { code: 429, message: 'Too many requests for a specific RPC call' };
      if (fault.retryAfterS !== undefined) {
        response.setHeader('retry-after', String(fault.retryAfterS));
      }
      send(response, 429, JSON.stringify({ jsonrpc: '2.0', error, id: null }));
      return;
    }
    case 'refuse':
      send(response, fault.status ?? 200, body());
      return;
    case 'http':
      response.writeHead(fault.status, { 'content-type': 'text/html' }).end(PAGE);
      return;
    case 'page':
      response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
      return;
    case 'cut': {
      const whole = Buffer.from(body());
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length });
      response.write(whole.subarray(0, Math.floor(whole.length / 2)), () => response.destroy());
      return;
    }
    case 'timeout':
    case 'delay':
    case 'null':
      return;
  }
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}
