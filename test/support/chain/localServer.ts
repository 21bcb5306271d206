import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A stand-in for a public service, on this machine. */
export abstract class LocalServer {
  /** Paths with their queries. */
  readonly requests: string[] = [];
  /** How long each answer takes. */
  delayMs = 0;
  /** Handles requests in the place of the server. */
  trouble: ((response: ServerResponse) => void) | undefined;
  readonly #server = createServer((request, response) => {
    if (this.delayMs === 0) {
      this.#take(request, response);
    } else {
      setTimeout(() => this.#take(request, response), this.delayMs);
    }
  });

  protected abstract handle(request: IncomingMessage, response: ServerResponse): void;

  /** Resolves once it can be asked. */
  async listening(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push(request.url ?? '');
    if (this.trouble === undefined) {
      this.handle(request, response);
    } else {
      this.trouble(response);
    }
  }
}

/** Answers with JSON. */
export function writeJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
