import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A price API in Jupiter's shape on this machine. */
export class PriceServer {
  readonly #server: Server;

  private constructor(usd: Readonly<Record<string, number>>) {
    this.#server = createServer(({ url }, response) => {
      const mints = new URL(url ?? '', this.url).searchParams.get('ids')?.split(',') ?? [];
      const prices = mints.flatMap((mint) => (usd[mint] === undefined ? [] : [[mint, { usdPrice: usd[mint], decimals: 9, blockId: 1 }]]));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(Object.fromEntries(prices)));
    });
  }

  /** @param usd US dollars for one whole token, by mint */
  static async start(usd: Readonly<Record<string, number>>): Promise<PriceServer> {
    const started = new PriceServer(usd);
    await new Promise<void>((resolve) => started.#server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
