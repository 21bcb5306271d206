import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import type { OperationState } from '../../../../src/transactions/journal/types';
import type { FollowingKind } from '../journal/events';

type ResultOf<Method extends keyof Work> = Work[Method] extends (...args: never) => Promise<infer Result> ? Result : never;

/** What a process can be asked to do. */
export interface Work {
  readonly tryAcquire: (name: string) => Promise<boolean>;
  readonly isStillHeld: (name: string) => Promise<boolean>;
  readonly waitUntilLost: (name: string) => Promise<void>;
  readonly release: (name: string) => Promise<void>;
  readonly contend: (name: string, insideFile: string, rounds: number) => Promise<readonly string[]>;
  readonly append: (id: string, kind: FollowingKind) => Promise<string>;
  readonly know: (id: string) => Promise<OperationState>;
  readonly writeForever: () => Promise<never>;
  readonly fill: () => Promise<{ readonly id: string; readonly events: number; readonly words: string }>;
}

export interface Asked {
  readonly number: number;
  readonly method: keyof Work;
  readonly args: readonly unknown[];
}

export type Answer =
  | { readonly number: number; readonly result?: unknown; readonly error?: string }
  /** Said without being asked. */
  | { readonly told: 'round' }
  | { readonly told: 'written'; readonly id: string; readonly events: number };

/** Builds what the processes run. @returns the file */
export async function buildWorker(folder: string): Promise<string> {
  const outfile = join(folder, 'worker.mjs');
  await esbuild.build({
    entryPoints: ['test/support/transactions/processes/worker.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    logLevel: 'error',
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  });
  return outfile;
}

/** Where a process works. */
export interface Places {
  /** As given by {@link buildWorker}. */
  readonly worker: string;
  readonly journal: string;
  readonly locks: string;
}

/** A process of its own. */
export class Worker {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void }>();
  readonly #exited: Promise<unknown>;
  #last = 0;

  /** @param limitKb the largest file that the process may write: the disk is full for it after that */
  constructor({ worker, journal, locks }: Places, onTold: (answer: Answer) => void = () => undefined, limitKb?: number) {
    const [command, args] =
      limitKb === undefined
        ? [process.execPath, [worker, journal, locks]]
        : ['bash', ['-c', `ulimit -f ${limitKb}; exec "$0" "$@"`, process.execPath, worker, journal, locks]];
    this.#child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' });
    this.#exited = once(this.#child, 'exit');
    void this.#exited.then(() => {
      for (const { reject } of this.#waiting.values()) {
        reject(new Error('The process has ended.'));
      }
    });
    this.#child.on('message', (answer: Answer) => {
      if ('told' in answer) {
        onTold(answer);
        return;
      }
      const waiting = this.#waiting.get(answer.number);
      this.#waiting.delete(answer.number);
      if (answer.error === undefined) {
        waiting?.resolve(answer.result);
      } else {
        waiting?.reject(new Error(answer.error));
      }
    });
  }

  async ask<Method extends keyof Work>(method: Method, ...args: Parameters<Work[Method]>): Promise<ResultOf<Method>> {
    this.#last += 1;
    const number = this.#last;
    return new Promise<ResultOf<Method>>((resolve, reject) => {
      this.#waiting.set(number, { resolve: (result) => resolve(result as ResultOf<Method>), reject });
      this.#child.send({ number, method, args } satisfies Asked);
    });
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    assert.ok(this.#child.kill(signal));
  }

  /** Lets it end of itself, as a window that is closed does. */
  async leave(): Promise<void> {
    this.#child.disconnect();
    await this.#exited;
  }

  /** Ends it as a crash does. What it was asked is never answered. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}
