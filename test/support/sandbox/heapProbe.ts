import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import * as z from 'zod';
import { PATIENCE_MS } from '../patience';

const Held = z.object({
  /** Of the JavaScript heap, after everything was collected that can be. */
  heapBytes: z.number(),
  /** Outside of it: SQLite's memory, buffers. */
  externalBytes: z.number(),
  /** Connections that are open. */
  sockets: z.number(),
  /** What may be aborted, and is listened to for that. */
  abortSignals: z.number(),
});

/** What a process holds when nothing is going on in it. */
export type Held = z.output<typeof Held>;

const LOOK_EVERY_MS = 20;
/** Collections, with turns of the event loop between them: what is given back only after an object has gone takes a second one. */
const COLLECTIONS = 4;

/** Runs in the process before anything else, and measures when it gets SIGUSR2. */
const PROGRAM = `
  import { renameSync, writeFileSync } from 'node:fs';
  import { Socket } from 'node:net';
  import v8 from 'node:v8';
  import { runInNewContext } from 'node:vm';
  v8.setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc');
  const turn = () => new Promise((resolve) => setTimeout(resolve, 20));
  process.on('SIGUSR2', async () => {
    for (let count = 0; count < ${COLLECTIONS}; count += 1) {
      gc();
      await turn();
    }
    const { heapUsed, external } = process.memoryUsage();
    const held = { heapBytes: heapUsed, externalBytes: external, sockets: v8.queryObjects(Socket, { format: 'count' }), abortSignals: v8.queryObjects(AbortSignal, { format: 'count' }) };
    writeFileSync(process.env.BINSIGHT_HEAP_PROBE + '.new', JSON.stringify(held));
    renameSync(process.env.BINSIGHT_HEAP_PROBE + '.new', process.env.BINSIGHT_HEAP_PROBE);
  });`;

/** What a sandbox is started with (`env`) to be asked with {@link heldBy}. @param folder where answers go; the caller's own */
export function heapProbe(folder: string): NodeJS.ProcessEnv {
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(PROGRAM)}`, BINSIGHT_HEAP_PROBE: answerIn(folder) };
}

/** Asks a process what it holds. Rejects where it does not answer. */
export async function heldBy(pid: number, folder: string): Promise<Held> {
  const answer = answerIn(folder);
  rmSync(answer, { force: true });
  process.kill(pid, 'SIGUSR2');
  const deadlineMs = performance.now() + PATIENCE_MS;
  while (!existsSync(answer)) {
    if (performance.now() > deadlineMs) {
      throw new Error(`Process ${pid} does not say what it holds`);
    }
    await later(LOOK_EVERY_MS);
  }
  return Held.parse(JSON.parse(readFileSync(answer, 'utf8')));
}

function answerIn(folder: string): string {
  return join(folder, 'held.json');
}
