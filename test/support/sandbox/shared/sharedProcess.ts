import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ReadyLine } from '../process';

/** What the process is asked for. */
export type Request =
  | { readonly kind: 'start'; readonly id: number; readonly args: readonly string[] }
  | { readonly kind: 'stop'; readonly id: number; readonly sandbox: number };

/** Its answer to the request with this id: the line of a started sandbox, or an error. */
export interface Answer {
  readonly id: number;
  readonly line?: ReadyLine;
  readonly error?: string;
}

/** A sandbox in the shared process. */
export interface SharedSandbox extends ReadyLine {
  stop(): Promise<void>;
}

/**
 * One process for the sandboxes of all tests that do not look at the process itself. A start in a process of its own takes a second of
 * processor time, most of it for loading and compiling the same code again.
 */
export class SharedProcess {
  #child: ChildProcess | undefined;
  #lastId = 0;
  readonly #waiting = new Map<number, { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void }>();

  /**
   * Starts a sandbox with a command line.
   * @throws Error with the sandbox's error
   */
  async start(args: readonly string[]): Promise<SharedSandbox> {
    const id = this.#nextId();
    const { line } = await this.#ask({ kind: 'start', id, args });
    if (line === undefined) {
      throw new Error('The sandbox did not say where it is');
    }
    return {
      ...line,
      stop: async () => {
        await this.#ask({ kind: 'stop', id: this.#nextId(), sandbox: id });
      },
    };
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  async #ask(request: Request): Promise<Answer> {
    const child = this.#running();
    // The process keeps this one alive only while an answer is awaited.
    child.ref();
    child.channel?.ref();
    try {
      const answer = await new Promise<Answer>((resolve, reject) => {
        this.#waiting.set(request.id, { resolve, reject });
        child.send(request);
      });
      if (answer.error !== undefined) {
        throw new Error(answer.error);
      }
      return answer;
    } finally {
      this.#waiting.delete(request.id);
      if (this.#waiting.size === 0) {
        child.unref();
        child.channel?.unref();
      }
    }
  }

  #running(): ChildProcess {
    if (this.#child !== undefined) {
      return this.#child;
    }
    const child = fork(workerFile(), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.on('message', (answer: Answer) => this.#waiting.get(answer.id)?.resolve(answer));
    child.once('exit', (code, signal) => {
      this.#child = undefined;
      for (const { reject } of this.#waiting.values()) {
        reject(new Error(`The process of the sandboxes ended with ${signal ?? `code ${code}`}`));
      }
    });
    this.#child = child;
    return child;
  }
}

/** The build puts the worker into the folder of the tests under the same path; this code may be in a chunk. */
function workerFile(): string {
  const path = fileURLToPath(import.meta.url);
  const tests = path.slice(0, path.replaceAll('\\', '/').lastIndexOf('/test/') + '/test/'.length);
  return `${tests}support/sandbox/shared/worker.js`;
}
