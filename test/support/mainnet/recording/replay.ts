import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { readCalls } from '../rpc/answer';
import type { Recording } from './recording';

/** An RPC on 127.0.0.1 that knows nothing but a recording. */
export class Replay {
  /** Calls that were not recorded. They are answered with an error, and a test with such calls proves nothing. */
  readonly unknown: string[] = [];
  readonly #answerOf: ReturnType<Recording['player']>;
  readonly #server: Server;

  constructor(recording: Recording) {
    this.#answerOf = recording.player();
    this.#server = createServer((request, response) => {
      text(request).then(
        (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(this.#answer(body)),
        () => response.destroy(),
      );
    });
  }

  /** @returns the address of the RPC */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
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

  #answer(body: string): string {
    const { calls = [], isBatch = false } = readCalls(body) ?? {};
    const answers = calls.map(({ id = null, method, params }) => {
      const answer = this.#answerOf(method, params ?? []);
      if (answer === undefined) {
        this.unknown.push(`${method} ${JSON.stringify(params ?? [])}`);
      }
      const member = answer ?? '"error":{"code":-32601,"message":"This call was not recorded"}';
      return `{"jsonrpc":"2.0",${member},"id":${JSON.stringify(id)}}`;
    });
    return isBatch ? `[${answers.join(',')}]` : (answers[0] ?? '');
  }
}
