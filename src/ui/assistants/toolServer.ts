import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { runWithin } from '../../base/http';
import { LineSplitter } from '../../assistants/lines';
import type { RunTool, ToolAnswer } from '../../assistants/runTool';
import { CALL_TIMEOUT_MS, HELLO_TIMEOUT_MS, helloMessage, MOST_REQUEST_BYTES, requestMessage, WIRE_VERSION } from '../../assistants/wire';
import type { LogFunction } from '../shell/log';

export interface ToolServerDependencies {
  readonly run: RunTool;
  /** What a program has to present first. */
  readonly secret: string;
  readonly log: LogFunction;
}

/** Programs that are connected at the same time. */
const MOST_CONNECTIONS = 8;
/** Calls of one connection at the same time. */
const MOST_CALLS = 4;

/**
 * The local socket on which assistants outside of VS Code reach the tools, by way of dist/mcp.js. A client that does not present the secret first, says
 * anything else than agreed or more than allowed, is disconnected.
 */
export class ToolServer {
  readonly #dependencies: ToolServerDependencies;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();

  constructor(dependencies: ToolServerDependencies) {
    this.#dependencies = dependencies;
    this.#server = createServer((socket) => this.#accept(socket));
    this.#server.maxConnections = MOST_CONNECTIONS;
  }

  /** @param path of a socket in a folder of the user alone, or the name of a pipe */
  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, () => {
        this.#server.off('error', reject).on('error', (error) => this.#dependencies.log('warn', `The socket failed: ${error.message}`));
        resolve();
      });
    });
  }

  dispose(): void {
    this.#server.close();
    for (const connection of this.#connections) {
      connection.dispose();
    }
  }

  #accept(socket: Socket): void {
    const connection = new Connection(socket, this.#dependencies);
    this.#connections.add(connection);
    socket.on('close', () => this.#connections.delete(connection));
  }
}

/** One connected program. */
class Connection {
  readonly #socket: Socket;
  readonly #dependencies: ToolServerDependencies;
  readonly #lines = new LineSplitter(MOST_REQUEST_BYTES);
  readonly #calls = new Map<number, AbortController>();
  readonly #helloTimer: NodeJS.Timeout;
  #isKnown = false;

  constructor(socket: Socket, dependencies: ToolServerDependencies) {
    this.#socket = socket;
    this.#dependencies = dependencies;
    this.#helloTimer = setTimeout(() => socket.destroy(), HELLO_TIMEOUT_MS);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#end());
  }

  dispose(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    try {
      for (const line of this.#lines.push(chunk)) {
        if (this.#socket.destroyed) {
          return;
        }
        this.#read(JSON.parse(line));
      }
    } catch {
      // Not what dist/mcp.js says. Nothing of it goes to the log: it can hold anything.
      this.#dependencies.log('warn', 'A program sent an invalid message and was disconnected');
      this.#socket.destroy();
    }
  }

  #read(message: unknown): void {
    if (!this.#isKnown) {
      this.#greet(helloMessage.parse(message).secret);
      return;
    }
    const request = requestMessage.parse(message);
    if ('cancel' in request) {
      this.#calls.get(request.id)?.abort();
    } else if (this.#calls.has(request.id)) {
      this.#socket.destroy();
    } else if (this.#calls.size >= MOST_CALLS) {
      this.#answer(request.id, { isError: true, json: JSON.stringify({ error: 'Too many calls at the same time.' }) });
    } else {
      void this.#call(request.id, request.tool, request.input);
    }
  }

  #greet(secret: string): void {
    if (!isSame(secret, this.#dependencies.secret)) {
      this.#dependencies.log('warn', 'A program without the secret of this session was disconnected');
      this.#socket.destroy();
      return;
    }
    clearTimeout(this.#helloTimer);
    this.#isKnown = true;
    this.#send({ version: WIRE_VERSION });
  }

  async #call(id: number, tool: string, input: unknown): Promise<void> {
    const controller = new AbortController();
    this.#calls.set(id, controller);
    // Never rejects.
    const answer = await runWithin(controller.signal, CALL_TIMEOUT_MS, (signal) => this.#dependencies.run(tool, input, signal));
    this.#calls.delete(id);
    this.#answer(id, answer);
  }

  #answer(id: number, { isError, json }: ToolAnswer): void {
    this.#send({ id, isError, json });
  }

  #send(message: object): void {
    if (!this.#socket.destroyed) {
      this.#socket.write(`${JSON.stringify(message)}\n`);
    }
  }

  #end(): void {
    clearTimeout(this.#helloTimer);
    for (const call of this.#calls.values()) {
      call.abort();
    }
  }
}

/** Compares in constant time. Hashes have the same length, whatever was sent. */
function isSame(one: string, other: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
