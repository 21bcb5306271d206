// The program of `npm run soak`: a window of Binsight (the real services, without VS Code around them) works on a sandbox for ten minutes. It
// polls, reads panels, zaps in and out and rebalances, also by the rules of auto-rebalance, while the faults of the sandbox take turns. Each
// minute a user in a second window decides what is open. At the end journal, chain and wallet are compared (test/crash/audit.ts), and memory
// and handles of both processes may not have grown. `--minutes N`, `--seed N`. Exits with 1 if anything is found.
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { say } from '../bench/figures';
import { buildWindow, WindowStock } from '../crash/windows';
import { World } from '../crash/world';
import { good } from '../support/sandbox/client';
import { heapProbe } from '../support/sandbox/heapProbe';
import { copyOfNewWorld } from '../support/sandbox/madeWorld';
import { startSandbox, temporaryFolder } from '../support/sandbox/process';
import { judge, progressLine, reportRows } from './soakReport';
import { SoakRun, soakFolder, type SoakReport } from './soakRun';

const PURSE_SOL = 900;
const SPARE_WINDOWS = 1;
const INTERRUPTED = 130;

const { values: options } = parseArgs({ options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } } });
const minutes = Number(options.minutes);
if (!(minutes > 0)) {
  throw new Error(`--minutes must be a number above 0, not ${options.minutes}.`);
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stopping.abort());
}

/** Runs it, and removes everything that it started and wrote. */
async function soak(): Promise<SoakReport | undefined> {
  const undo: (() => unknown)[] = [];
  try {
    const probeFolder = folder(undo, temporaryFolder());
    const storage = folder(undo, soakFolder());
    const file = await buildWindow(folder(undo, temporaryFolder()));
    const data = folder(undo, await copyOfNewWorld());
    const sandbox = await startSandbox({ data, env: heapProbe(probeFolder) });
    undo.push(() => sandbox.stop());
    const world = new World(sandbox);
    const stock = new WindowStock(file, SPARE_WINDOWS);
    undo.push(() => stock.dispose());
    good(z.object({}), await world.client.control('airdrop', { owner: sandbox.owner, sol: PURSE_SOL }));
    say(`${minutes} minutes on a sandbox with faults, seed ${options.seed}`);
    const onMinute = (progress: Parameters<typeof progressLine>[0]): void => say(progressLine(progress));
    const run = new SoakRun({ world, stock, storage, probeFolder, seed: Number(options.seed), stopped: stopping.signal, onMinute });
    return await Promise.race([run.run(minutes), whenStopped(), diedEarly(sandbox.ended)]);
  } finally {
    for (const step of undo.reverse()) {
      await step();
    }
  }
}

function folder(undo: (() => unknown)[], path: string): string {
  undo.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function whenStopped(): Promise<undefined> {
  return new Promise((resolve) => {
    const stop = (): void => resolve(undefined);
    stopping.signal.addEventListener('abort', stop);
    if (stopping.signal.aborted) {
      stop();
    }
  });
}

async function diedEarly(ended: Promise<{ readonly code: number | null; readonly stderr: string }>): Promise<never> {
  const { code, stderr } = await ended;
  throw new Error(`The sandbox ended with code ${code}: ${stderr}`);
}

const report = await soak().catch((error: unknown) => {
  if (stopping.signal.aborted) {
    return undefined;
  }
  throw error;
});
if (report === undefined) {
  say('Stopped before the end: nothing was audited.');
  process.exitCode = INTERRUPTED;
} else {
  const faults = [...report.faults, ...judge(report.samples)];
  reportRows(report);
  faults.forEach((fault) => say(`FAULT: ${fault}`));
  say(
    `\n${report.records.length} operations and rebalances, seed ${options.seed}: ${faults.length === 0 ? 'nothing found' : `${faults.length} FAULTS`}`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
}
