import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Subscription } from '../../base/async/clock';
import { Mutex } from '../../base/async/concurrency';
import { Slices } from '../../base/async/slices';
import { errorText, systemCode } from '../../base/thrown';
import { DAY_MS, HOUR_MS } from '../../base/time';
import { Ages, expiredRecords, KEPT_MS } from './ages';
import { journalLine } from './codec';
import {
  fileName,
  type FileStamp,
  fileStampOf,
  fileStampOfSync,
  idOf,
  isSetAside,
  isUnchanged,
  makeFile,
  makeFolder,
  type OpenFile,
  operationId,
  pathOf,
  syncFolder,
} from './files';
import { FolderWatch } from './folderWatch';
import { type IndexedFile, JournalIndex } from './journalIndex';
import { type Found, problemOfAside, readOperation, readOperationNow } from './readOperation';
import { isComplete, isEnd, recordOf } from './states';
import type { JournalEntry, JournalEvent, OperationJournal, OperationRecord } from './types';
import { FileEntry, type KnownFile, notWritten } from './writer';

export interface JournalOptions {
  /** A folder of its own, shared by all windows. Made with the first operation or listener. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** A monotonic clock in milliseconds; default: `nowMs`. */
  readonly steadyMs?: () => number;
  readonly log: (level: 'info' | 'warn', message: string) => void;
}

/** Interval of the search for old files. */
const COMPACT_EVERY_MS = HOUR_MS;
/** Older files without a complete line are left from a writer that crashed. */
const EMPTY_KEPT_MS = DAY_MS;
/** Number of files read at once. */
const AT_ONCE = 32;
/** With more files than this, they are read synchronously: waiting for each takes longer than reading it. */
const MANY_FILES = 128;
/** The index is rewritten when it lacks this many ended operations, and at least a tenth of what it has. */
const MOST_NOT_INDEXED = 200;
const PART_NOT_INDEXED = 0.1;

/** Opens the journal of all windows. Touches no file until it is used. */
export function openJournal(options: JournalOptions): OperationJournal {
  return new FolderJournal(options);
}

/** The contents of a file, valid as long as its stamp doesn't change. */
interface CachedFile {
  /** `undefined`: it could not be read. */
  readonly stamp: FileStamp | undefined;
  readonly found: Found;
  /** Nothing can be appended: it doesn't change while it is listed. */
  readonly isComplete: boolean;
}

type Reading = Awaited<ReturnType<OperationJournal['read']>>;

class FolderJournal implements OperationJournal {
  readonly #options: JournalOptions;
  readonly #watch: FolderWatch;
  readonly #turns = new Mutex();
  readonly #reported = new Set<string>();
  readonly #ages: Ages;
  /** By file name. */
  #cached = new Map<string, CachedFile>();
  readonly #index: JournalIndex;
  /** The index by file name; `undefined`: not read yet. */
  #indexed: Promise<ReadonlyMap<string, IndexedFile>> | undefined;
  #indexedFiles = 0;
  #isSavingIndex = false;
  #isDurable = false;
  #compactedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#ages = new Ages(options.nowMs, options.steadyMs);
    this.#index = new JournalIndex(options.folder);
    this.#watch = new FolderWatch(options.folder, (message) => options.log('warn', message));
  }

  async begin(created: Omit<Extract<JournalEvent, { kind: 'created' }>, 'atMs' | 'kind'>): Promise<JournalEntry> {
    const { folder, nowMs } = this.#options;
    const atMs = nowMs();
    const id = operationId(atMs, randomBytes(6).toString('hex'));
    const by = newWriter();
    const { line, event } = journalLine({ atMs, kind: 'created', ...created }, 0, by);
    this.#ages.stamped(id, atMs);
    const record = recordOf(id, [event]);
    const path = join(folder, fileName(id));
    let open: OpenFile;
    try {
      open = await this.#makeFile(path, line);
    } catch (error) {
      throw notWritten(error, folder);
    }
    const known = { record, wholeBytes: Buffer.byteLength(line), stamp: open.stamp };
    this.#watch.start();
    this.#written(known);
    return this.#entry(path, known, by, open);
  }

  nowFor(record: Parameters<OperationJournal['nowFor']>[0]): number {
    return this.#ages.nowFor(record);
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
    // A missing folder can't be watched, and another window may begin an operation before it exists.
    makeFolder(this.#options.folder).then(
      () => {
        this.#watch.start();
        this.#watch.changed();
      },
      (error: unknown) => this.#options.log('warn', notWritten(error, this.#options.folder).message),
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
        // The folder may have been deleted.
        if (systemCode(error) !== 'ENOENT') {
          throw error;
        }
      }
    }
    const { folder } = this.#options;
    await makeFolder(folder);
    // Another window may have made it just now.
    await syncFolder(dirname(folder));
    this.#isDurable = true;
    return makeFile(path, line);
  }

  #entry(path: string, { record, wholeBytes }: Omit<KnownFile, 'stamp'>, by: string, open?: OpenFile): JournalEntry {
    const { nowMs } = this.#options;
    return new FileEntry({ path, record, wholeBytes, by, nowMs, open, onWritten: (known) => this.#written(known) });
  }

  /** What this window has written need not be read again. */
  #written({ record, wholeBytes, stamp }: KnownFile): void {
    if (record.events.at(-1)?.kind === 'built') {
      this.#ages.stamped(record.id, record.updatedAtMs);
    } else if (isEnd(record.state)) {
      this.#ages.forget(record.id);
    }
    this.#cached.set(fileName(record.id), cached(stamp, { kind: 'operation', record, wholeBytes }));
    this.#watch.changed();
  }

  async #read(): Promise<Reading> {
    const { folder, log } = this.#options;
    let names: readonly string[];
    try {
      names = await readdir(folder);
    } catch (error) {
      const problem = { file: folder, what: l10n.t`The operation journal cannot be read. ${`${errorText(error)}.`}` };
      return { records: [], problems: systemCode(error) === 'ENOENT' ? [] : [problem] };
    }
    const newestFirst = names
      .filter((name) => idOf(name) !== undefined || isSetAside(name))
      .sort()
      .reverse();
    const found = await this.#findAll(newestFirst);
    this.#cached = new Map(
      newestFirst.flatMap((name): readonly (readonly [string, CachedFile])[] => {
        const one = found.get(name);
        return one === undefined ? [] : [[name, one]];
      }),
    );
    this.#saveIndexWhereItLacksMuch();
    const all = [...this.#cached.values()].map((one) => one.found);
    const problems = all.flatMap((found) => (found.kind === 'problem' ? [found.problem] : []));
    for (const problem of problems) {
      if (!this.#reported.has(problem.file)) {
        this.#reported.add(problem.file);
        log('warn', `${problem.what} (${problem.file})`);
      }
    }
    return { records: await this.#compacted(all.flatMap((found) => (found.kind === 'operation' ? [found.record] : []))), problems };
  }

  /** Contents of these files by name; missing files are left out. */
  async #findAll(names: readonly string[]): Promise<ReadonlyMap<string, CachedFile>> {
    const found = new Map<string, CachedFile>();
    const fresh = names.filter((name) => {
      const before = this.#cached.get(name);
      if (before?.isComplete === true) {
        found.set(name, before);
      }
      return before?.isComplete !== true;
    });
    const left = fresh.length > MANY_FILES ? await this.#findQuickly(fresh, found) : fresh;
    for (let from = 0; from < left.length; from += AT_ONCE) {
      const some = left.slice(from, from + AT_ONCE);
      const ones = await Promise.all(some.map((name) => this.#find(name)));
      some.forEach((name, index) => {
        const one = ones[index];
        if (one !== undefined) {
          found.set(name, one);
        }
      });
    }
    return found;
  }

  /** Adds to `found` what the index has and what can be read synchronously. @returns the names of the others */
  async #findQuickly(names: readonly string[], found: Map<string, CachedFile>): Promise<readonly string[]> {
    const { folder } = this.#options;
    this.#indexed ??= this.#index.load();
    const indexed = await this.#indexed;
    this.#indexedFiles = indexed.size;
    const slices = new Slices();
    const left: string[] = [];
    for (const name of names) {
      const path = join(folder, name);
      const id = idOf(name);
      const known = indexed.get(name);
      const one =
        (known === undefined ? undefined : fromIndex(path, known)) ??
        (id === undefined || this.#cached.has(name) ? undefined : fromFile(path, id));
      if (one === undefined) {
        left.push(name);
      } else {
        found.set(name, one);
      }
      await slices.yieldIfDue();
    }
    return left;
  }

  /** Rewrites the index in the background if it lacks many ended operations. */
  #saveIndexWhereItLacksMuch(): void {
    const files = [...this.#cached].flatMap(([name, { stamp, found, isComplete }]): readonly IndexedFile[] =>
      isComplete && stamp !== undefined && found.kind === 'operation'
        ? [{ name, stamp, wholeBytes: found.wholeBytes, record: found.record }]
        : [],
    );
    const lacking = files.length - this.#indexedFiles;
    if (this.#isSavingIndex || lacking < Math.max(MOST_NOT_INDEXED, PART_NOT_INDEXED * this.#indexedFiles)) {
      return;
    }
    this.#isSavingIndex = true;
    this.#index
      .save(files)
      .then(
        () => (this.#indexedFiles = files.length),
        // Reads are only slower without it.
        (error: unknown) => this.#options.log('info', `The index of the journal was not written: ${errorText(error)}`),
      )
      .finally(() => (this.#isSavingIndex = false));
  }

  async #find(name: string): Promise<CachedFile | undefined> {
    const before = this.#cached.get(name);
    const path = join(this.#options.folder, name);
    try {
      const stamp = await fileStampOf(path);
      // An unreadable file may be readable now, with the same stamp.
      if (
        before?.stamp !== undefined &&
        isUnchanged(before.stamp, stamp) &&
        (isSetAside(name) || before.found.kind === 'operation' || before.found.kind === 'empty')
      ) {
        return before;
      }
      return cached(stamp, await this.#foundIn(path, name));
    } catch (error) {
      return systemCode(error) === 'ENOENT' ? undefined : cached(undefined, await this.#foundIn(path, name));
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

  /** Deletes records that are no longer kept; returns the others. */
  async #compacted(records: readonly OperationRecord[]): Promise<readonly OperationRecord[]> {
    const { folder, nowMs, log } = this.#options;
    const now = nowMs();
    if (now - this.#compactedAtMs < COMPACT_EVERY_MS) {
      return records;
    }
    this.#compactedAtMs = now;
    const gone = expiredRecords(records, now);
    const names = [...gone.map(({ id }) => fileName(id)), ...(await this.#leftovers(now))];
    await Promise.all(names.map((name) => unlink(join(folder, name)).catch(() => undefined)));
    if (names.length > 0) {
      log('info', `${names.length} old files of the journal of operations were taken away`);
    }
    return records.filter((record) => !gone.includes(record));
  }

  /** Empty files, and files that were set aside long ago. */
  async #leftovers(now: number): Promise<readonly string[]> {
    const { folder } = this.#options;
    const old = await Promise.all(
      [...this.#cached].map(async ([name, { found }]) => {
        const keptMs = isSetAside(name) ? KEPT_MS : found.kind === 'empty' ? EMPTY_KEPT_MS : Number.POSITIVE_INFINITY;
        const changedAtMs =
          keptMs === Number.POSITIVE_INFINITY
            ? now
            : await stat(join(folder, name)).then(
                ({ mtimeMs }) => mtimeMs,
                () => now,
              );
        return now - changedAtMs > keptMs ? [name] : [];
      }),
    );
    return old.flat();
  }
}

/** The index entry of a file, if its stamp is unchanged. */
function fromIndex(path: string, { stamp, record, wholeBytes }: IndexedFile): CachedFile | undefined {
  const now = fileStampOfSync(path);
  return now !== undefined && isUnchanged(now, stamp)
    ? { stamp: now, found: { kind: 'operation', record, wholeBytes }, isComplete: true }
    : undefined;
}

function fromFile(path: string, id: string): CachedFile | undefined {
  const read = readOperationNow(path, id);
  return read === undefined ? undefined : cached(read.stamp, read.found);
}

function cached(stamp: FileStamp | undefined, found: Found): CachedFile {
  return { stamp, found, isComplete: stamp !== undefined && found.kind === 'operation' && isComplete(found.record) };
}

/** A name that is unique among all processes. */
function newWriter(): string {
  return randomBytes(6).toString('hex');
}
