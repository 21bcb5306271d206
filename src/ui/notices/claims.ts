import { createHash, randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type ProcessTable, systemProcesses } from '../../base/processes';
import { DAY_MS } from '../../base/time';

/** An event that a window has seen. */
export interface SeenEvent {
  /** What it happened to. Events of one subject that exclude each other, such as leaving and entering a range, have the same. */
  readonly subject: string;
  readonly event: string;
  /** A read at this time still showed the opposite: the event is younger. Milliseconds since 1970; 0: it happens once. */
  readonly sinceMs: number;
}

export interface NoticeClaimsOptions {
  /** The same for all windows. */
  readonly folder: string;
  readonly nowMs: () => number;
  readonly processes?: ProcessTable;
}

/** A line of the ledger. */
const CLAIM = z.object({ subject: z.string(), event: z.string(), sinceMs: z.number(), atMs: z.number(), id: z.string() });
type Claim = z.infer<typeof CLAIM>;

/** Windows read at different times, and a service may answer one of them from a cache. */
const TOLERANCE_MS = 60_000;
const FOCUSED = 'focused';
const LEDGER = /^claims-(\d{4}-\d\d-\d\d)\.jsonl$/;
/** A window that has said for longer that it is in front has probably ended without a word. */
const FOCUS_COUNTS_MS = DAY_MS;

/**
 * Decides which window reports an event that several windows see, each at its own time. The windows share a ledger to which each appends what
 * it has seen. Appended lines have one order for all, and the first one about an event wins: everyone who reads the ledger comes to the
 * same result, without a lock. There is a file for each day, and the last two count.
 */
export class NoticeClaims {
  readonly #folder: string;
  readonly #nowMs: () => number;
  readonly #processes: ProcessTable;
  readonly #token = randomUUID();

  constructor({ folder, nowMs, processes = systemProcesses }: NoticeClaimsOptions) {
    this.#folder = folder;
    this.#nowMs = nowMs;
    this.#processes = processes;
  }

  /**
   * Claims an event.
   * @returns true if this window is the first to claim it, and so reports it
   * @throws any error of the file system
   */
  async claim({ subject, event, sinceMs }: SeenEvent): Promise<boolean> {
    const own: Claim = { subject: digest(subject), event, sinceMs, atMs: this.#nowMs(), id: randomUUID() };
    await mkdir(this.#folder, { recursive: true });
    await appendFile(join(this.#folder, fileName(own.atMs)), `${JSON.stringify(own)}\n`, { mode: 0o600 });
    return this.#isFirst(own);
  }

  /** Says whether this window is in front. Never rejects. */
  async setFocused(isFocused: boolean): Promise<void> {
    const file = join(this.#folder, FOCUSED);
    try {
      if (isFocused) {
        await mkdir(this.#folder, { recursive: true });
        await writeFile(file, `${this.#processes.ownPid} ${this.#token}`, { mode: 0o600 });
      } else if ((await readFile(file, 'utf8')).endsWith(this.#token)) {
        await rm(file, { force: true });
      }
    } catch {
      // Only the choice between windows depends on it.
    }
  }

  /** Whether another window of this machine is in front. Never rejects. */
  async isAnotherFocused(): Promise<boolean> {
    const file = join(this.#folder, FOCUSED);
    try {
      const [pid = '', token = ''] = (await readFile(file, 'utf8')).split(' ');
      const { mtimeMs } = await stat(file);
      return token !== this.#token && this.#nowMs() - mtimeMs < FOCUS_COUNTS_MS && this.#processes.isRunning(Number(pid)) !== false;
    } catch {
      return false;
    }
  }

  async #isFirst(own: Claim): Promise<boolean> {
    let last: Claim | undefined;
    for (const claim of await this.#read(own)) {
      if (claim.subject === own.subject && isNew(claim, last)) {
        last = claim;
      }
    }
    return last?.id === own.id;
  }

  /** The claims of today and yesterday, up to the own one, in the order of all windows. Older files are deleted. */
  async #read(own: Claim): Promise<readonly Claim[]> {
    const files = (await readdir(this.#folder)).filter((name) => LEDGER.test(name)).sort();
    const kept = files.filter((name) => name >= fileName(own.atMs - DAY_MS));
    await Promise.all(files.filter((name) => !kept.includes(name)).map((name) => rm(join(this.#folder, name), { force: true })));
    const texts = await Promise.all(kept.map((name) => readFile(join(this.#folder, name), 'utf8')));
    const claims = texts.flatMap((text) => text.split('\n').flatMap(readClaim));
    const place = claims.findIndex(({ id }) => id === own.id);
    return place === -1 ? [...claims, own] : claims.slice(0, place + 1);
  }
}

/** Whether a claim is about another event than the last one that was reported of its subject. */
function isNew(claim: Claim, last: Claim | undefined): boolean {
  return last === undefined || last.event !== claim.event || last.atMs < claim.sinceMs - TOLERANCE_MS;
}

/** A line that is damaged, or from a later version, is no claim. */
function readClaim(line: string): readonly Claim[] {
  if (line === '') {
    return [];
  }
  try {
    return [CLAIM.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}

function fileName(atMs: number): string {
  return `claims-${new Date(atMs).toISOString().slice(0, 10)}.jsonl`;
}

/** The ledger needs no addresses. */
function digest(subject: string): string {
  return createHash('sha256').update(subject).digest('hex').slice(0, 32);
}
