import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseBaseUrl, type BaseUrl } from '../../../src/service/baseUrl';
import { createLiquidityService, type LiquidityServiceOptions } from '../../../src/service/client';
import type { LiquidityService } from '../../../src/service/service';

/** A request as the server got it. */
export interface Received {
  /** "GET /open-api/v1/pools/discover?page=2" */
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  /** Parsed, where there was one. */
  readonly body: unknown;
}

/** What the server answers: a status with a body (objects as JSON), or whatever a function does with the response. */
export type Answer =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  | ((response: ServerResponse) => void);

export const API_KEY = 'test-key-0123456789';

/** An HTTP server on this machine that answers as it is told, one answer after the other; the last one stays. */
export class ScriptedService {
  readonly received: Received[] = [];
  #answers: Answer[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        this.received.push({
          line: `${request.method ?? ''} ${request.url ?? ''}`,
          headers: request.headers,
          body: text === '' ? undefined : (JSON.parse(text) as unknown),
        });
        this.#answer(response);
      });
    });
  }

  static async start(): Promise<ScriptedService> {
    const service = new ScriptedService();
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get baseUrl(): BaseUrl {
    return parseBaseUrl(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/open-api/v1`);
  }

  /** Request lines so far, without the base path. */
  get lines(): readonly string[] {
    return this.received.map(({ line }) => line.replace('/open-api/v1', ''));
  }

  /** Forgets what was, and answers these from now on. */
  willAnswer(...answers: readonly Answer[]): void {
    this.received.length = 0;
    this.#answers = [...answers];
  }

  /** A client of this server that never waits between attempts, unless it is told otherwise. */
  client(options: Partial<LiquidityServiceOptions> = {}): LiquidityService {
    return createLiquidityService({ baseUrl: this.baseUrl, apiKey: API_KEY, sleep: async () => undefined, ...options });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #answer(response: ServerResponse): void {
    const answer = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
    if (typeof answer === 'function') {
      answer(response);
      return;
    }
    const { status = 200, headers = {}, body } = answer ?? { status: 500, body: 'nothing scripted' };
    const isText = typeof body === 'string' || body === undefined;
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
    response.end(isText ? body : JSON.stringify(body));
  }
}
