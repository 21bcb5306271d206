import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import bs58 from 'bs58';

type Figures = Readonly<Record<string, unknown>>;

/**
 * A service with any number of open positions, each a copy of a record of the sandbox with its own address. Every read returns other
 * figures, so each row changes.
 */
export class ManyPositions {
  readonly #server: Server;
  readonly #record: Figures;
  #answer = '';
  #rounds = 0;
  /** When the last list was sent, on the clock of `performance.now()`. */
  sentAtMs = 0;

  private constructor(server: Server, record: Figures) {
    this.#server = server;
    this.#record = record;
  }

  /** @param record an open position as the service sends it */
  static async start(record: Figures): Promise<ManyPositions> {
    const server = createServer();
    const service = new ManyPositions(server, record);
    server.on('request', ({ url }, response) => {
      const isPositions = url?.includes('/lp-positions/opening') === true;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(isPositions ? service.#answer : answerOf([]), () => {
        if (isPositions) {
          service.sentAtMs = performance.now();
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/open-api/v1`;
  }

  /** Writes the next answer, so that the time of a read has nothing of it: this many positions, with other figures than before. */
  prepare(count: number): void {
    this.#rounds += 1;
    this.#answer = answerOf(
      Array.from({ length: count }, (_, index) => {
        const address = addressOf(index);
        // Three digits, as rows show them: each round changes every row.
        return { ...this.#record, position: address, tokenId: address, value: 100 + ((index + this.#rounds) % 900) };
      }),
    );
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function answerOf(data: readonly Figures[]): string {
  return JSON.stringify({ status: 'success', data });
}

/** An address of its own for each number. */
function addressOf(index: number): string {
  const bytes = Buffer.alloc(32, 7);
  bytes.writeUInt32BE(index, 0);
  return bs58.encode(bytes);
}
