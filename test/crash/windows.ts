import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import type { Point, WindowReply, WindowMessage, WindowOptions, Work } from './protocol';

type ResultOf<Method extends keyof Work> = Work[Method] extends (...args: never) => Promise<infer Result> ? Result : never;

/** The process ended before it answered. */
export class Gone extends Error {}

/** Builds the program of the processes, without a source map: a hundred processes would each read it as they start. @returns its file */
export async function buildWindow(folder: string): Promise<string> {
  const outfile = join(folder, 'window.mjs');
  await esbuild.build({
    entryPoints: ['test/crash/window.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outfile,
    logLevel: 'error',
    mainFields: ['module', 'main'],
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  });
  return outfile;
}

/** A window of Binsight as a process of its own. */
export class CrashWindow {
  /** Called at each point. */
  onPoint: (point: Point) => void = () => this.go();
  /** Called when it waits until an earlier attempt can no longer land, or for proof of the outcome of what it sent. */
  onWaiting: (what: 'earlier' | 'proof') => void = () => undefined;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #waiting = new Map<number, { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void }>();
  #last = 0;
  #isGone = false;

  /** @param file as returned by {@link buildWindow} */
  constructor(file: string) {
    this.#child = spawn(process.execPath, [file], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' });
    this.#exited = once(this.#child, 'exit').then(() => {
      this.#isGone = true;
      for (const { reject } of this.#waiting.values()) {
        reject(new Gone('The window is gone'));
      }
    });
    this.#child.on('message', (said: WindowReply) => this.#hear(said));
  }

  /** Sends a request. Rejects with {@link Gone} if the window is killed meanwhile. */
  async ask<Method extends keyof Work>(method: Method, ...args: Parameters<Work[Method]>): Promise<ResultOf<Method>> {
    this.#last += 1;
    const number = this.#last;
    return new Promise<ResultOf<Method>>((resolve, reject) => {
      if (this.#isGone) {
        reject(new Gone('The window is gone'));
        return;
      }
      this.#waiting.set(number, { resolve: (result) => resolve(result as ResultOf<Method>), reject });
      this.#send({ number, method, args });
    });
  }

  async open(options: WindowOptions): Promise<this> {
    await this.ask('open', options);
    return this;
  }

  /** Lets it continue from its point. */
  go(): void {
    this.#send({ go: true });
  }

  /** Kills it like a crash; pending requests are never answered. May be called more than once. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** Closes it regularly. */
  async close(): Promise<void> {
    await this.ask('close');
    this.#child.disconnect();
    await this.#exited;
  }

  #send(message: WindowMessage): void {
    if (this.#isGone || !this.#child.connected) {
      return;
    }
    // The process may be gone at any moment and miss the message.
    this.#child.send(message, () => undefined);
  }

  #hear(said: WindowReply): void {
    if ('point' in said) {
      this.onPoint(said.point);
    } else if ('waits' in said) {
      this.onWaiting(said.waits);
    } else if ('number' in said) {
      const waiting = this.#waiting.get(said.number);
      this.#waiting.delete(said.number);
      if (said.error === undefined) {
        waiting?.resolve(said.result);
      } else {
        waiting?.reject(new Error(said.error));
      }
    }
  }
}

/** Starts processes ahead of time, so no trial waits for one. */
export class WindowStock {
  readonly #file: string;
  readonly #ahead: CrashWindow[] = [];
  readonly #given = new Set<CrashWindow>();
  readonly #size: number;

  constructor(file: string, size = 2) {
    this.#file = file;
    this.#size = size;
  }

  /** Opens a window. */
  async open(options: WindowOptions): Promise<CrashWindow> {
    const window = this.#ahead.shift() ?? new CrashWindow(this.#file);
    while (this.#ahead.length < this.#size) {
      this.#ahead.push(new CrashWindow(this.#file));
    }
    this.#given.add(window);
    return window.open(options);
  }

  /** Kills all open windows. */
  async killGiven(): Promise<void> {
    await Promise.all([...this.#given].map((window) => window.kill()));
    this.#given.clear();
  }

  /** Kills all processes. */
  async dispose(): Promise<void> {
    await this.killGiven();
    await Promise.all(this.#ahead.splice(0).map((window) => window.kill()));
  }
}
