import { existsSync, mkdtempSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { openJournal } from '../../src/transactions/journal/journal';
import { writeOperations } from '../support/transactions/journal/manyOperations';
import { reportRow } from '../host/benchRows.mjs';
import { milliseconds, quantile, say } from './figures';

const OPERATIONS = 10_000;
const ROUNDS = 5;
const POLL_EVERY_MS = 20;

/** Duration of a first read, milliseconds. */
interface Timing {
  readonly wall: number;
  /** Processor time, which excludes other work on the machine. */
  readonly processor: number;
}

/** Reports how long a window takes to read a journal of ten thousand operations, the first time and again. */
export async function measureJournal(): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), 'binsight-bench-'));
  const folder = join(parent, 'journal');
  const index = `${folder}.index`;
  try {
    writeOperations(folder, OPERATIONS, Date.now());
    const without: Timing[] = [];
    const withIndex: Timing[] = [];
    const again: Timing[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [first, second] = await readTwice(folder);
      without.push(first);
      again.push(second);
      await written(index);
      withIndex.push((await readTwice(folder))[0]);
      unlinkSync(index);
    }
    const how = `median (minimum) of ${ROUNDS} reads of ${OPERATIONS} operations; processor time`;
    reportRow({ what: 'journal: first read, with index', beside: `no index: ${textOf(without)}`, result: textOf(withIndex), how });
    reportRow({
      what: 'journal: second read in a window',
      beside: `first read, with index: ${textOf(withIndex)}`,
      result: textOf(again),
      how,
    });
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

async function readTwice(folder: string): Promise<readonly [Timing, Timing]> {
  const journal = openJournal({ folder, nowMs: () => Date.now(), log: (_, message) => say(`  ${message}`) });
  const read = async (): Promise<Timing> => {
    const from = { wall: performance.now(), processor: process.cpuUsage() };
    const { records, problems } = await journal.read();
    const { user, system } = process.cpuUsage(from.processor);
    if (records.length !== OPERATIONS || problems.length > 0) {
      throw new Error(`${records.length} operations were read, and ${problems.length} files were unreadable`);
    }
    return { wall: performance.now() - from.wall, processor: (user + system) / 1_000 };
  };
  try {
    return [await read(), await read()];
  } finally {
    journal.dispose();
  }
}

/** Waits until the index exists; the extension writes it in the background, and renames it into place when complete. */
async function written(path: string): Promise<void> {
  while (!existsSync(path)) {
    await later(POLL_EVERY_MS);
  }
}

function textOf(timings: readonly Timing[]): string {
  const of = (pick: (one: Timing) => number): string => {
    const values = timings.map(pick);
    return `${milliseconds(quantile(values, 0.5))} (${milliseconds(Math.min(...values))})`;
  };
  return `${of(({ wall }) => wall)}, processor ${of(({ processor }) => processor)}`;
}
