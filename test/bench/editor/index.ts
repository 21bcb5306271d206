import { appendFileSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import type { Inspection } from '../../../src/ui/services';
import { OTHER_OWNER } from '../../support/portfolio/fixtures';
import { reportRow } from '../../host/benchRows.mjs';
import { askSandbox, readExtension, recordsIn, refresh, sandboxOf, setBaseUrl } from '../../support/editor/inspect';
import { milliseconds } from '../figures';
import { ManyPositions } from './manyPositions';
import { profiled, type Shares } from './profiler';

// The output of `npm run bench -- editor`, from within VS Code's extension host. Figures depend on this machine and its load; nothing is asserted.

const COUNTS = [10, 1_000, 10_000];
/** A list that is not complete by then never will be. */
const LONGEST_READ_MS = 60_000;
/** Reads of each list, after a first one that makes the rows. The best and the worst are printed. */
const ROUNDS = 5;

/** Called by VS Code in its extension host (`extensionTestsPath`). Lines go to BINSIGHT_TEST_LOG. */
export async function run(): Promise<void> {
  const log = process.env['BINSIGHT_TEST_LOG'] ?? '';
  const say = (line: string) => appendFileSync(log, `${line}\n`);
  writeFileSync(log, '');
  try {
    const inspection = await readExtension();
    reportRow({
      what: 'activation',
      beside: `services and views after it: ${milliseconds(inspection.startMs)}`,
      result: milliseconds(inspection.activationMs),
      how: `in VS Code with ${process.env['BINSIGHT_BENCH_PROFILE'] ?? 'a profile'}, one start`,
    });
    const idleMinutes = Number(process.env['BINSIGHT_BENCH_IDLE_MINUTES'] ?? '0');
    if (idleMinutes > 0) {
      await measureLists(inspection);
      await measureIdle(idleMinutes);
    }
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    throw error;
  }
}

/** From the answer of the service to the last row that VS Code asks for. */
async function measureLists(inspection: Inspection): Promise<void> {
  const [record] = recordsIn(await askSandbox(inspection, `/lp-positions/opening?owner=${sandboxOf(inspection).owner}`));
  const service = await ManyPositions.start(record ?? {});
  try {
    const id = new URL(service.baseUrl).origin;
    await inspection.apiKeys.set(id, 'a-key');
    service.prepare(0);
    await setBaseUrl(service.baseUrl);
    await inspection.owners.watch(OTHER_OWNER, inspection.connection.choice);
    await refresh(inspection);
    const collect = garbageCollector();
    collect();
    const emptyBytes = process.memoryUsage().heapUsed;
    for (const count of COUNTS) {
      const reads: ListRead[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) {
        service.prepare(count);
        reads.push(await readUntilLastRow(inspection, service, count));
      }
      reportReads(count, reads.slice(1));
      reportShares(count, await profiledReads(inspection, service, count));
      collect();
      const mb = (process.memoryUsage().heapUsed - emptyBytes) / 1e6;
      reportRow({
        what: `${count} positions: heap`,
        result: `${mb.toFixed(1)} MB`,
        how: 'more than with none, after garbage collection, all rows made',
      });
    }
    await inspection.owners.remove(OTHER_OWNER);
    await inspection.apiKeys.delete(id);
    await setBaseUrl('');
    await readExtension();
  } finally {
    await service.stop();
  }
}

function reportReads(count: number, reads: readonly ListRead[]): void {
  reportRow({
    what: `${count} positions, all rows changed`,
    result: `${range(reads.map(({ totalMs }) => totalMs))} to the last row, longest block ${range(reads.map(({ blockedMs }) => blockedMs))}`,
    how: `from the answer of the service, ${reads.length} reads; processor time of the extension host ${range(reads.map(({ cpuMs }) => cpuMs))}`,
  });
}

/** The same reads once more, under the profiler. */
async function profiledReads(inspection: Inspection, service: ManyPositions, count: number): Promise<readonly Shares[]> {
  const shares: Shares[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    service.prepare(count);
    shares.push(await profiled(async () => void (await readUntilLastRow(inspection, service, count))));
  }
  return shares;
}

function reportShares(count: number, shares: readonly Shares[]): void {
  reportRow({
    what: `${count} positions: work of Binsight`,
    beside: `VS Code, Node and the service that answers: ${range(shares.map(({ otherMs }) => otherMs))}`,
    result: `${range(shares.map(({ binsightMs }) => binsightMs))}, and ${range(shares.map(({ garbageMs }) => garbageMs))} of garbage collection`,
    how: `${shares.length} reads under V8's sampling profiler, main thread of the extension host`,
  });
}

interface ListRead {
  /** Until VS Code has asked for the last row. */
  readonly totalMs: number;
  /** Processor time of the extension host, from the request on. */
  readonly cpuMs: number;
  /** The longest time in which the extension host did nothing else. */
  readonly blockedMs: number;
}

async function readUntilLastRow(inspection: Inspection, service: ManyPositions, count: number): Promise<ListRead> {
  const tree = inspection.views.positions;
  const getTreeItem = tree.getTreeItem.bind(tree);
  const asked = new Set<string>();
  let lastMs = 0;
  const done = new Promise<void>((resolve, reject) => {
    setTimeout(() => reject(new Error(`VS Code asked for ${asked.size} of ${count} rows`)), LONGEST_READ_MS).unref();
    tree.getTreeItem = (node) => {
      const item = getTreeItem(node);
      if (node.kind === 'position') {
        asked.add(node.key);
        lastMs = performance.now();
        if (asked.size === count) {
          resolve();
        }
      }
      return item;
    };
  });
  const cpuBefore = process.cpuUsage();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  try {
    await refresh(inspection);
    await done;
  } finally {
    delay.disable();
    tree.getTreeItem = getTreeItem;
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  return { totalMs: lastMs - service.sentAtMs, cpuMs: (user + system) / 1_000, blockedMs: delay.max / 1e6 };
}

/** Processor time of the extension host while nothing happens: first with the views, then with another view in front of them. */
async function measureIdle(minutes: number): Promise<void> {
  for (const [shown, command] of [
    ['the views visible', 'binsight.positions.focus'],
    ['no view visible', 'workbench.view.explorer'],
  ] as const) {
    await vscode.commands.executeCommand(command);
    const before = process.cpuUsage();
    const { binsightMs } = await profiled(async () => {
      // Idle time is what is measured here.
      await new Promise((resolve) => setTimeout(resolve, minutes * 60_000));
    });
    const { user, system } = process.cpuUsage(before);
    reportRow({
      what: `idle with ${shown}`,
      beside: `the whole extension host, VS Code and the profiler included: ${milliseconds((user + system) / 1_000 / minutes)}`,
      result: `${milliseconds(binsightMs / minutes)} of work of Binsight a minute`,
      how: `${minutes} min under V8's sampling profiler`,
    });
  }
}

function range(values: readonly number[]): string {
  return `${milliseconds(Math.min(...values))} to ${milliseconds(Math.max(...values))}`;
}

/** V8's own collector: without it, memory has everything that is not collected yet. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
