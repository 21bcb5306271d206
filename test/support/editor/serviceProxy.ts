import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SandboxReady } from '../../../src/ui/connection/sandboxProcess';

/** The key that the proxy takes. */
export const PROXY_KEY = 'the-right-key';

/**
 * Stands before the sandbox as a service of its own, with a key of its own: what a real service is to the extension. All
 * wallets have the positions of the sandbox's owner there, since that one itself is never used with a real service.
 */
export class ServiceProxy {
  readonly #server: Server;

  private constructor(
    server: Server,
    /** With the version path. */
    readonly baseUrl: string,
    /** Paths with their queries, in the order in which they came. */
    readonly requests: readonly string[],
  ) {
    this.#server = server;
  }

  static async start(sandbox: SandboxReady): Promise<ServiceProxy> {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? '');
      void forward(request, response, sandbox);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ServiceProxy(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/open-api/v1`, requests);
  }

  /** Names the service as the extension does. */
  get id(): string {
    return new URL(this.baseUrl).origin;
  }

  /** From now on nothing listens at its address. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function forward(request: IncomingMessage, response: ServerResponse, sandbox: SandboxReady): Promise<void> {
  if (request.headers['x-api-key'] !== PROXY_KEY) {
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ status: 'error', message: 'Invalid API key' }));
    return;
  }
  const target = new URL(request.url ?? '/', sandbox.url);
  if (target.searchParams.has('owner')) {
    target.searchParams.set('owner', sandbox.owner);
  }
  const answer = await fetch(target, { headers: { 'x-api-key': sandbox.apiKey } });
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
}
