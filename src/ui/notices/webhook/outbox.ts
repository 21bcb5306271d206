import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type ProcessTable, systemProcesses } from '../../../base/processes';
import { systemCode } from '../../../base/thrown';
import { DAY_MS } from '../../../base/time';
import type { SentNotice } from './webhookMessage';

const KINDS = [
  'leftRange',
  'enteredRange',
  'pnlAbove',
  'pnlBelow',
  'feesAbove',
  'operationEnded',
  'autoRebalanceAsks',
  'autoRebalanceActs',
  'test',
] as const satisfies readonly SentNotice['kind'][];
const SENT_NOTICE = z.object({
  kind: z.enum(KINDS),
  pair: z.string().optional(),
  atMs: z.number(),
  text: z.string(),
  figures: z.object({ pnlPercent: z.number().optional(), feesUsd: z.number().optional() }).optional(),
});

/** Notices that were taken to be sent. */
export interface TakenNotices {
  /** Oldest first; at least one. */
  readonly notices: readonly SentNotice[];
  /** They were delivered, or never will be. */
  remove(): Promise<void>;
  /** They are to be sent later. */
  putBack(): Promise<void>;
}

/** Older notices are of no use. */
const MOST_AGE_MS = DAY_MS;
/** Notices that wait at most: the oldest are dropped. */
const MOST_WAITING = 200;
const TAKEN = /^taken-(\d+)-/;
/** A window may take the folder while another writes into it. */
const MOST_TRIES = 5;

/**
 * Notices that wait to be sent, of all windows: a file each in a folder. They survive the end of the window, for example in quiet hours. A
 * window takes all of them at once by renaming the folder, which only one window can do.
 */
export class Outbox {
  readonly #folder: string;
  readonly #waiting: string;
  readonly #processes: ProcessTable;
  #written = 0;

  constructor(folder: string, processes: ProcessTable = systemProcesses) {
    this.#folder = folder;
    this.#waiting = join(folder, 'waiting');
    this.#processes = processes;
  }

  /** @throws any error of the file system */
  async put(notice: SentNotice): Promise<void> {
    this.#written += 1;
    const name = `${padded(notice.atMs)}-${padded(this.#written)}-${randomUUID()}`;
    for (let tries = 1; ; tries += 1) {
      try {
        await mkdir(this.#waiting, { recursive: true, mode: 0o700 });
        // Only complete files have the ending.
        await writeFile(join(this.#waiting, `${name}.part`), JSON.stringify(notice), { mode: 0o600 });
        await rename(join(this.#waiting, `${name}.part`), join(this.#waiting, `${name}.json`));
        return;
      } catch (error) {
        if (tries >= MOST_TRIES || !isMissing(error)) {
          throw error;
        }
      }
    }
  }

  /** Whether notices wait. Never rejects. */
  async isWaiting(): Promise<boolean> {
    return (await this.#names(this.#waiting)).length > 0;
  }

  /**
   * Takes all notices that wait. Another window that does the same gets none.
   * @returns `undefined` if there are none
   * @throws any error of the file system
   */
  async take(nowMs: number): Promise<TakenNotices | undefined> {
    if (!(await this.isWaiting())) {
      return undefined;
    }
    const taken = join(this.#folder, `taken-${this.#processes.ownPid}-${randomUUID()}`);
    try {
      await rename(this.#waiting, taken);
    } catch (error) {
      if (isMissing(error)) {
        return undefined;
      }
      throw error;
    }
    const names = (await this.#names(taken)).slice(-MOST_WAITING);
    const read = await Promise.all(names.map((name) => readNotice(join(taken, name))));
    const notices = read.filter((notice) => notice !== undefined && nowMs - notice.atMs <= MOST_AGE_MS) as readonly SentNotice[];
    const remove = () => rm(taken, { recursive: true, force: true });
    if (notices.length === 0) {
      await remove();
      return undefined;
    }
    return {
      notices,
      remove,
      putBack: async () => {
        for (const notice of notices) {
          await this.put(notice);
        }
        await remove();
      },
    };
  }

  /** Puts back what windows had taken that have ended since. Never rejects. */
  async recover(): Promise<void> {
    for (const name of await this.#entries(this.#folder)) {
      const pid = TAKEN.exec(name)?.[1];
      if (pid === undefined || Number(pid) === this.#processes.ownPid || this.#processes.isRunning(Number(pid)) !== false) {
        continue;
      }
      const left = join(this.#folder, `taken-${this.#processes.ownPid}-${randomUUID()}`);
      try {
        await rename(join(this.#folder, name), left);
        const notices = await Promise.all((await this.#names(left)).map((file) => readNotice(join(left, file))));
        for (const notice of notices.filter((one) => one !== undefined)) {
          await this.put(notice);
        }
        await rm(left, { recursive: true, force: true });
      } catch {
        // Another window does the same.
      }
    }
  }

  /** Drops everything that waits. */
  async clear(): Promise<void> {
    await rm(this.#waiting, { recursive: true, force: true });
  }

  /** The complete files of a folder, oldest first. */
  async #names(folder: string): Promise<readonly string[]> {
    return (await this.#entries(folder)).filter((name) => name.endsWith('.json')).sort();
  }

  async #entries(folder: string): Promise<readonly string[]> {
    try {
      return await readdir(folder);
    } catch {
      return [];
    }
  }
}

/** Names in the order of the numbers. */
function padded(value: number): string {
  return String(value).padStart(16, '0');
}

async function readNotice(file: string): Promise<SentNotice | undefined> {
  try {
    return SENT_NOTICE.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'EPERM', 'EACCES'].includes(systemCode(error) ?? '');
}
