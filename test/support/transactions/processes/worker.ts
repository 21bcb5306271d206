import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as later } from 'node:timers/promises';
import { JournalError } from '../../../../src/transactions/journal/errors';
import { openJournal } from '../../../../src/transactions/journal/journal';
import type { JournalEntry } from '../../../../src/transactions/journal/types';
import type { HeldLock, OperationLocks } from '../../../../src/transactions/locks/types';
import { beginning, GOING_WELL, HAPPENINGS, type FollowingKind } from '../journal/events';
import type { Answer, Asked, Work } from './workers';
import { PATIENCE_MS } from '../../patience';

// A window of its own: a process that opens journal and locks as the extension does, and does what it is asked to.

const [, , journalFolder = '', locksFolder = ''] = process.argv;
const log = (): void => undefined;
const journal = openJournal({ folder: journalFolder, nowMs: () => Date.now(), log });
let opened: OperationLocks | undefined;
const held = new Map<string, HeldLock>();
const entries = new Map<string, JournalEntry>();

/** Loaded when they are needed: what they bring along answers to signals, among them the one of files that became too large. */
async function locks(): Promise<OperationLocks> {
  const { openLocks } = await import('../../../../src/transactions/locks/locks');
  opened ??= openLocks({ folder: locksFolder, staleMs: 2_000, log });
  return opened;
}

async function resumed(id: string): Promise<JournalEntry> {
  const entry = entries.get(id) ?? (await journal.resume(id));
  if (entry === undefined) {
    throw new Error(`There is no operation ${id}`);
  }
  entries.set(id, entry);
  return entry;
}

async function append(id: string, kind: FollowingKind): Promise<string> {
  try {
    await (await resumed(id)).append(HAPPENINGS[kind]);
    return 'written';
  } catch (error) {
    return error instanceof JournalError ? error.kind : String(error);
  }
}

/** Takes the lock again and again, and looks each time whether it is alone. Gives what was wrong. */
async function contend(name: string, insideFile: string, rounds: number): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const lock = await (await locks()).acquire(name, AbortSignal.timeout(PATIENCE_MS));
    const other = whoIsInside(insideFile);
    if (other !== undefined && isAlive(other)) {
      wrong.push(`${process.pid} came in while ${other} was inside`);
    }
    writeFileSync(insideFile, String(process.pid));
    await later(Math.random() * 4);
    if (whoIsInside(insideFile) !== process.pid) {
      wrong.push(`somebody came in while ${process.pid} was inside`);
    }
    rmSync(insideFile, { force: true });
    await lock.release();
    process.send?.({ told: 'round' } satisfies Answer);
  }
  return wrong;
}

/** The process whose id is in the file. One that was killed between creating and writing the file left it empty. */
function whoIsInside(file: string): number | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text === '' ? undefined : Number(text);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Runs one operation after the other until it is killed; says of each event when it was written. */
async function writeForever(): Promise<never> {
  for (;;) {
    const entry = await journal.begin(beginning());
    process.send?.({ told: 'written', id: entry.id, events: 1 } satisfies Answer);
    for (const kind of GOING_WELL) {
      await entry.append(HAPPENINGS[kind]);
      process.send?.({ told: 'written', id: entry.id, events: entry.record.events.length } satisfies Answer);
    }
  }
}

/** Builds again and again until the disk does not take it; gives the error's words. */
async function fill(): Promise<{ readonly id: string; readonly events: number; readonly words: string }> {
  const entry = await journal.begin(beginning());
  try {
    for (;;) {
      await entry.append(HAPPENINGS.built);
    }
  } catch (error) {
    return { id: entry.id, events: entry.record.events.length, words: String(error) };
  }
}

const work: Work = {
  tryAcquire: async (name) => {
    const lock = await (await locks()).tryAcquire(name);
    if (lock !== undefined) {
      held.set(name, lock);
    }
    return lock !== undefined;
  },
  isStillHeld: async (name) => (await held.get(name)?.isStillHeld()) ?? false,
  waitUntilLost: async (name) =>
    new Promise((resolve) => {
      const lost = held.get(name)?.lost;
      if (lost?.aborted === true) {
        resolve();
      }
      lost?.addEventListener('abort', () => resolve());
    }),
  release: async (name) => held.get(name)?.release(),
  contend,
  append,
  know: async (id) => (await resumed(id)).record.state,
  writeForever,
  fill,
};

async function answer({ number, method, args }: Asked): Promise<Answer> {
  try {
    const does: (...args: never) => Promise<unknown> = work[method];
    return { number, result: await does(...(args as never)) };
  } catch (error) {
    return { number, error: String(error) };
  }
}

process.on('message', (asked: Asked) => {
  void answer(asked).then((answered) => process.send?.(answered));
});
process.on('disconnect', () => process.exit());
