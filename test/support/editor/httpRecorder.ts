import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

/** A request that came. */
interface RecordedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body: string;
}

/** Where a recorder passes requests on to. */
interface Target {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An HTTP server of this machine that keeps what it is sent. It passes requests on, or answers all of them with one status and no content. */
export class HttpRecorder {
  readonly requests: RecordedRequest[] = [];
  readonly #server: Server;

  private constructor(answer: number | Target) {
    this.#server = createServer((request, response) => {
      void (async () => {
        const [body, path, method] = [await textOf(request), request.url ?? '', request.method ?? ''];
        this.requests.push({ method, path, body });
        if (typeof answer === 'number') {
          response.writeHead(answer).end();
          return;
        }
        const passed = await fetch(answer.url, { method, body, headers: { 'content-type': 'application/json', ...answer.headers } });
        response.writeHead(passed.status, { 'content-type': 'application/json' }).end(await passed.text());
      })();
    });
  }

  static async start(answer: number | Target): Promise<HttpRecorder> {
    const recorder = new HttpRecorder(answer);
    await new Promise<void>((resolve) => recorder.#server.listen(0, '127.0.0.1', resolve));
    return recorder;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
