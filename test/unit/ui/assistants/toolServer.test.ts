import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { RunTool } from '../../../../src/assistants/runTool';
import { MOST_REQUEST_BYTES } from '../../../../src/assistants/wire';
import { createSession, removeSocket, type ToolSession } from '../../../../src/ui/assistants/sessionAnnouncement';
import { ToolServer } from '../../../../src/ui/assistants/toolServer';

/** A program that is connected. */
class Client {
  readonly #socket: Socket;
  readonly #lines: AsyncIterator<string>;
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>;

  constructor(path: string) {
    this.#socket = connect(path);
    this.#socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => this.#socket.once('close', () => resolve()));
    this.#lines = createInterface({ input: this.#socket })[Symbol.asyncIterator]();
  }

  send(message: unknown): void {
    this.#socket.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`);
  }

  async next(): Promise<unknown> {
    const line = await this.#lines.next();
    return line.done === true ? undefined : JSON.parse(line.value);
  }

  end(): void {
    this.#socket.destroy();
  }
}

describe('The socket for assistants', () => {
  let session: ToolSession;
  let server: ToolServer;
  let calls: (readonly [string, unknown])[];
  let run: RunTool;
  let clients: Client[];
  let logged: string[];

  beforeEach(async () => {
    session = await createSession();
    calls = [];
    logged = [];
    clients = [];
    run = () => Promise.resolve({ isError: false, json: '{"x":1}' });
    server = new ToolServer({
      run: (name, input, signal) => {
        calls.push([name, input]);
        return run(name, input, signal);
      },
      secret: session.secret,
      log: (_level, message) => logged.push(message),
    });
    await server.listen(session.socket);
  });

  afterEach(() => {
    clients.forEach((client) => client.end());
    server.dispose();
    removeSocket(session);
  });

  function open(): Client {
    const client = new Client(session.socket);
    clients.push(client);
    return client;
  }

  async function greeted(): Promise<Client> {
    const client = open();
    client.send({ version: 1, secret: session.secret });
    assert.deepEqual(await client.next(), { version: 1 });
    return client;
  }

  it('A program that presents the secret can call tools', async () => {
    const client = await greeted();
    client.send({ id: 7, tool: 'binsight_positions', input: { limit: 2 } });
    assert.deepEqual(await client.next(), { id: 7, isError: false, json: '{"x":1}' });
    assert.deepEqual(calls, [['binsight_positions', { limit: 2 }]]);
  });

  it('A program with another secret, of another length or none is disconnected without an answer', async () => {
    const other = session.secret.replace(/^./, (first) => (first === '0' ? '1' : '0'));
    for (const hello of [
      { version: 1, secret: other },
      { version: 1, secret: '' },
      { version: 1, secret: session.secret.slice(1) },
      { version: 1, secret: `${session.secret}x` },
      { version: 2, secret: session.secret },
      { version: 1, secret: [session.secret] },
      { version: 1 },
      { id: 1, tool: 'binsight_positions', input: {} },
      'GET / HTTP/1.1\r\n\r\n',
    ]) {
      const client = open();
      client.send(hello);
      client.send({ id: 1, tool: 'binsight_positions', input: {} });
      await client.closed;
    }
    assert.deepEqual(calls, []);
    assert.ok(logged.every((line) => !line.includes(session.secret) && !line.includes('GET')));
  });

  it('A program that connects and says nothing is disconnected after five seconds, and one that is known is not', async () => {
    const known = await greeted();
    await open().closed;
    known.send({ id: 1, tool: 'binsight_positions', input: {} });
    assert.deepEqual(await known.next(), { id: 1, isError: false, json: '{"x":1}' });
    assert.equal(calls.length, 1);
  });

  it('A program that says something else, or too much, is disconnected', async () => {
    for (const message of [
      'no JSON\n',
      'null\n',
      { id: -1, tool: 'x', input: {} },
      { id: 1.5, tool: 'x', input: {} },
      { id: 1, tool: 'x'.repeat(101), input: {} },
      { id: 1, tool: 'x', input: {}, confirm: true },
      'x'.repeat(MOST_REQUEST_BYTES + 1),
      { id: 1, tool: 'x', input: 'x'.repeat(MOST_REQUEST_BYTES) },
    ]) {
      const client = await greeted();
      client.send(message);
      await client.closed;
    }
    assert.deepEqual(calls, []);
  });

  it('A program has a few calls at the same time, and can cancel them', async () => {
    const cancelled: (() => void)[] = [];
    const areCancelled = [1, 2, 3, 4].map(() => new Promise<void>((resolve) => cancelled.push(resolve)));
    run = (_name, _input, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          cancelled.shift()?.();
          resolve({ isError: true, json: '{}' });
        });
      });
    const client = await greeted();
    for (const id of [1, 2, 3, 4, 5]) {
      client.send({ id, tool: 'binsight_positions', input: {} });
    }
    assert.deepEqual(await client.next(), { id: 5, isError: true, json: '{"error":"Too many calls at the same time."}' });
    client.send({ id: 2, cancel: true });
    assert.deepEqual(await client.next(), { id: 2, isError: true, json: '{}' });
    assert.equal(cancelled.length, 3);
    client.end();
    // The others end with the connection.
    await Promise.all(areCancelled);
  });

  it('Only a few programs can be connected, and none after the window has closed', async () => {
    const connected = await Promise.all(Array.from({ length: 8 }, greeted));
    const ninth = open();
    await ninth.closed;
    server.dispose();
    await Promise.all(connected.map(({ closed }) => closed));
    await open().closed;
  });
});
