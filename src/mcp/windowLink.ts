import { connect, type Socket } from 'node:net';
import { LineSplitter } from '../assistants/lines';
import type { ToolAnswer } from '../assistants/runTool';
import {
  answerMessage,
  CALL_TIMEOUT_MS,
  HELLO_TIMEOUT_MS,
  MOST_ANSWER_BYTES,
  MOST_REQUEST_BYTES,
  type SessionFile,
  welcomeMessage,
  WIRE_VERSION,
} from '../assistants/wire';

/** The call cannot be answered by this window. */
export class LinkError extends Error {
  override readonly name = 'LinkError';
}

interface Waiting {
  readonly resolve: (answer: ToolAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** A connection to one window of Binsight. */
export class WindowLink {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #isOpen = true;

  private constructor(
    socket: Socket,
    /** The session that this is connected to. */
    readonly secret: string,
    lines: LineSplitter,
  ) {
    this.#socket = socket;
    socket.removeAllListeners('data').on('data', (chunk: Buffer) => this.#receive(lines, chunk));
    socket.on('close', () => this.#end());
  }

  /** Connects to a window and presents the secret. @throws LinkError if the window does not answer or refuses */
  static open({ socket: path, secret }: SessionFile): Promise<WindowLink> {
    return new Promise((resolve, reject) => {
      const socket = connect(path);
      const lines = new LineSplitter(MOST_ANSWER_BYTES);
      const fail = (): void => {
        clearTimeout(timer);
        socket.destroy();
        reject(new LinkError('The window of Binsight does not answer.'));
      };
      const timer = setTimeout(fail, HELLO_TIMEOUT_MS);
      socket.on('error', fail).on('close', fail);
      socket.on('connect', () => socket.write(`${JSON.stringify({ version: WIRE_VERSION, secret })}\n`));
      socket.on('data', (chunk: Buffer) => {
        try {
          const [first] = lines.push(chunk);
          if (first === undefined) {
            return;
          }
          welcomeMessage.parse(JSON.parse(first));
          clearTimeout(timer);
          socket.off('close', fail);
          resolve(new WindowLink(socket, secret, lines));
        } catch {
          fail();
        }
      });
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Runs a tool in the window. @throws LinkError if the connection ends, or nothing comes in time; the signal's reason after an abort */
  async call(tool: string, input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    signal.throwIfAborted();
    const id = this.#nextId;
    this.#nextId += 1;
    const message = JSON.stringify({ id, tool, input });
    if (Buffer.byteLength(message) > MOST_REQUEST_BYTES) {
      throw new LinkError('The input is too large.');
    }
    const answer = new Promise<ToolAnswer>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    const cancel = (error: Error): void => {
      this.#waiting.get(id)?.reject(error);
      this.#socket.write(`${JSON.stringify({ id, cancel: true })}\n`);
    };
    const abort = (): void => cancel(new LinkError('Cancelled.'));
    const timer = setTimeout(() => cancel(new LinkError('Binsight did not answer in time.')), CALL_TIMEOUT_MS);
    signal.addEventListener('abort', abort, { once: true });
    try {
      this.#socket.write(`${message}\n`);
      return await answer;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      this.#waiting.delete(id);
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(lines: LineSplitter, chunk: Buffer): void {
    try {
      for (const line of lines.push(chunk)) {
        const { id, isError, json } = answerMessage.parse(JSON.parse(line));
        this.#waiting.get(id)?.resolve({ isError, json });
      }
    } catch {
      // Not what a window of Binsight says.
      this.#socket.destroy();
    }
  }

  #end(): void {
    this.#isOpen = false;
    for (const { reject } of this.#waiting.values()) {
      reject(new LinkError('The window of Binsight was closed.'));
    }
  }
}
