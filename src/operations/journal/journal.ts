import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Subscription } from '../../portfolio/types';
import { KEPT_MS, whatGoes } from './compaction';
import { systemCode } from './errors';
import { FileEntry, notWritten, type KnownFile } from './entry';
import { fileName, idOf, isAside, isUnchanged, looksOf, makeFile, makeFolder, operationId, pathOf, syncFolder, type Looks, type OpenFile } from './files';
import { written } from './lines';
import { problemOfAside, readOperation, type Found } from './reading';
import { isComplete, recordOf } from './states';
import { Turns } from './turns';
import type { JournalEntry, JournalEvent, OperationJournal, OperationRecord } from './types';
import { FolderWatch } from './watching';

/** Where a journal is, and what it needs. */
export interface JournalOptions {
  /** A folder of its own, the same for all windows. It is made with the first operation, or the first listener. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly log: (level: 'info' | 'warn', message: string) => void;
}

/** How often what is old is looked for. */
const COMPACT_EVERY_MS = 3_600_000;
/** A file without a whole line in it that is older than that was left by a writer that died. */
const EMPTY_KEPT_MS = 86_400_000;
/** So many files are read at once. */
const AT_ONCE = 32;

/** Opens the journal of all windows. Touches nothing until it is used. */
export function openJournal(options: JournalOptions): OperationJournal {
  return new FolderJournal(options);
}

/** What was found in a file, for as long as it looks the same from outside. */
interface Remembered {
  /** `undefined`: nobody could see. */
  readonly looks: Looks | undefined;
  readonly found: Found;
}

type Reading = Awaited<ReturnType<OperationJournal['read']>>;

class FolderJournal implements OperationJournal {
  readonly #options: JournalOptions;
  readonly #watch: FolderWatch;
  readonly #turns = new Turns();
  readonly #told = new Set<string>();
  /** By the name of the file. */
  #remembered = new Map<string, Remembered>();
  #isDurable = false;
  #compactedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#watch = new FolderWatch(options.folder, (message) => options.log('warn', message));
  }

  async begin(created: Omit<Extract<JournalEvent, { kind: 'created' }>, 'atMs' | 'kind'>): Promise<JournalEntry> {
    const { folder, nowMs } = this.#options;
    const atMs = nowMs();
    const id = operationId(atMs, randomBytes(6).toString('hex'));
    const by = newWriter();
    const { line, event } = written({ atMs, kind: 'created', ...created }, 0, by);
    const record = recordOf(id, [event]);
    const path = join(folder, fileName(id));
    let open: OpenFile;
    try {
      open = await this.#makeFile(path, line);
    } catch (error) {
      throw notWritten(error);
    }
    const known = { record, wholeBytes: Buffer.byteLength(line), looks: open.looks };
    this.#watch.start();
    this.#written(known);
    return this.#entry(path, known, by, open);
  }

  async resume(id: string): Promise<JournalEntry | undefined> {
    const path = pathOf(this.#options.folder, id);
    if (path === undefined) {
      return undefined;
    }
    const found = await readOperation(path, id);
    return found.kind === 'operation' ? this.#entry(path, found, newWriter()) : undefined;
  }

  async read(): Promise<Reading> {
    return this.#turns.take(() => this.#read());
  }

  onDidChange(listener: () => void): Subscription {
    const subscription = this.#watch.add(listener);
    if (existsSync(this.#options.folder)) {
      this.#watch.start();
      return subscription;
    }
    // What is not there cannot be watched; and before it is, another window may have begun.
    makeFolder(this.#options.folder).then(
      () => {
        this.#watch.start();
        this.#watch.changed();
      },
      (error: unknown) => this.#options.log('warn', notWritten(error).message),
    );
    return subscription;
  }

  dispose(): void {
    this.#watch.dispose();
  }

  async #makeFile(path: string, line: string): Promise<OpenFile> {
    if (this.#isDurable) {
      try {
        return await makeFile(path, line);
      } catch (error) {
        // Somebody may have taken the folder away.
        if (systemCode(error) !== 'ENOENT') {
          throw error;
        }
      }
    }
    const { folder } = this.#options;
    await makeFolder(folder);
    // It may be there only because another window has just made it.
    await syncFolder(dirname(folder));
    this.#isDurable = true;
    return makeFile(path, line);
  }

  #entry(path: string, { record, wholeBytes }: Omit<KnownFile, 'looks'>, by: string, open?: OpenFile): JournalEntry {
    const { nowMs } = this.#options;
    return new FileEntry({ path, record, wholeBytes, by, nowMs, open, onWritten: (known) => this.#written(known) });
  }

  /** What this window has written need not be read again. */
  #written({ record, wholeBytes, looks }: KnownFile): void {
    this.#remembered.set(fileName(record.id), { looks, found: { kind: 'operation', record, wholeBytes } });
    this.#watch.changed();
  }

  async #read(): Promise<Reading> {
    const { folder, log } = this.#options;
    let names: readonly string[];
    try {
      names = await readdir(folder);
    } catch (error) {
      const problem = { file: folder, what: `The journal of operations cannot be read. ${error instanceof Error ? error.message : String(error)}.` };
      return { records: [], problems: systemCode(error) === 'ENOENT' ? [] : [problem] };
    }
    const newestFirst = names.filter((name) => idOf(name) !== undefined || isAside(name)).sort().reverse();
    const remembered = new Map<string, Remembered>();
    for (let from = 0; from < newestFirst.length; from += AT_ONCE) {
      const some = newestFirst.slice(from, from + AT_ONCE);
      const found = await Promise.all(some.map((name) => this.#find(name)));
      some.forEach((name, index) => {
        const one = found[index];
        if (one !== undefined) {
          remembered.set(name, one);
        }
      });
    }
    this.#remembered = remembered;
    const all = [...remembered.values()].map(({ found }) => found);
    const problems = all.flatMap((found) => (found.kind === 'problem' ? [found.problem] : []));
    for (const problem of problems) {
      if (!this.#told.has(problem.file)) {
        this.#told.add(problem.file);
        log('warn', `${problem.what} (${problem.file})`);
      }
    }
    return { records: await this.#compacted(all.flatMap((found) => (found.kind === 'operation' ? [found.record] : []))), problems };
  }

  async #find(name: string): Promise<Remembered | undefined> {
    const before = this.#remembered.get(name);
    // Nothing follows on it: as long as it is listed it is as it was.
    if (before?.found.kind === 'operation' && before.looks !== undefined && isComplete(before.found.record)) {
      return before;
    }
    const path = join(this.#options.folder, name);
    try {
      const looks = await looksOf(path);
      // What could not be read may be readable now, though it looks the same.
      if (before?.looks !== undefined && isUnchanged(before.looks, looks) && (isAside(name) || before.found.kind === 'operation' || before.found.kind === 'empty')) {
        return before;
      }
      return { looks, found: await this.#foundIn(path, name) };
    } catch (error) {
      return systemCode(error) === 'ENOENT' ? undefined : { looks: undefined, found: await this.#foundIn(path, name) };
    }
  }

  async #foundIn(path: string, name: string): Promise<Found> {
    const id = idOf(name);
    if (id !== undefined) {
      return readOperation(path, id);
    }
    const problem = await problemOfAside(path);
    return problem === undefined ? { kind: 'gone' } : { kind: 'problem', problem };
  }

  /** Takes away what need not be kept any longer; gives what stays. */
  async #compacted(records: readonly OperationRecord[]): Promise<readonly OperationRecord[]> {
    const { folder, nowMs, log } = this.#options;
    const now = nowMs();
    if (now - this.#compactedAtMs < COMPACT_EVERY_MS) {
      return records;
    }
    this.#compactedAtMs = now;
    const gone = whatGoes(records, now);
    const names = [...gone.map(({ id }) => fileName(id)), ...(await this.#leftovers(now))];
    await Promise.all(names.map((name) => unlink(join(folder, name)).catch(() => undefined)));
    if (names.length > 0) {
      log('info', `${names.length} old files of the journal of operations were taken away`);
    }
    return records.filter((record) => !gone.includes(record));
  }

  /** Files that say nothing, and those that were set aside long ago. */
  async #leftovers(now: number): Promise<readonly string[]> {
    const { folder } = this.#options;
    const old = await Promise.all(
      [...this.#remembered].map(async ([name, { found }]) => {
        const keptMs = isAside(name) ? KEPT_MS : found.kind === 'empty' ? EMPTY_KEPT_MS : Number.POSITIVE_INFINITY;
        const changedAtMs = keptMs === Number.POSITIVE_INFINITY ? now : await stat(join(folder, name)).then(({ mtimeMs }) => mtimeMs, () => now);
        return now - changedAtMs > keptMs ? [name] : [];
      }),
    );
    return old.flat();
  }
}

/** Tells a writer from all others, in all processes. */
function newWriter(): string {
  return randomBytes(6).toString('hex');
}
