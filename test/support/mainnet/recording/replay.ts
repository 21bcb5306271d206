import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { readCalls } from '../rpc/answer';
import type { Recording } from './recording';

/** An RPC on 127.0.0.1 that knows nothing but a recording. */
export class Replay {
  /** Calls that were not recorded. They are answered with an error, and a test with such calls proves nothing. */
  readonly unknown: string[] = [];
  readonly #recording: Recording;
  readonly #times = new Map<string, number>();
  readonly #server: Server;

  constructor(recording: Recording) {
    this.#recording = recording;
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
      const call = `${method} ${JSON.stringify(params ?? [])}`;
      const time = this.#times.get(call) ?? 0;
      this.#times.set(call, time + 1);
      const answer = this.#recording.answer(method, params ?? [], time);
      if (answer === undefined) {
        this.unknown.push(call);
      }
      const member = answer ?? '"error":{"code":-32601,"message":"This call was not recorded"}';
      return `{"jsonrpc":"2.0",${member},"id":${JSON.stringify(id)}}`;
    });
    return isBatch ? `[${answers.join(',')}]` : (answers[0] ?? '');
  }
}
