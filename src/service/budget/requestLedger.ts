import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { isDue, lineOf, OtherWindows, recordOf, type RequestRecord, type SharedLimit, type SharedPause } from './otherWindows';
import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { systemCode } from '../../base/thrown';

export interface RequestLedgerOptions {
  /** A folder for such files only, the same for all windows. */
  readonly folder: string;
  /** Names the service and the key, without containing them. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (level: 'info' | 'warn', message: string) => void;
  /** Default: the system's. */
  readonly files?: RequestFiles;
}

/** A record without what every record has. */
type Written = RequestRecord extends infer Record ? (Record extends RequestRecord ? Omit<Record, 'window'> : never) : never;

/** A line of this window, and what to do once all lines before it were read. */
interface OwnLine {
  readonly id: string;
  found(): void;
}

/** The part of a file that was read. */
interface ReadPart {
  offset: number;
  /** The beginning of a line whose end was not there yet. */
  rest: string;
}

/** How long a file is written. A pause, the longest thing in it, ends before the next file does. */
const FILE_MS = 15 * 60_000;
/** Windows change to the next file within this time of each other. */
const CHANGE_MS = 10_000;
/** After a failure of the file system, the file is left alone for this time. */
const BROKEN_MS = 60_000;

/**
 * The requests of all windows of this machine to one service with one key. Each window appends what it does to a file, whose order decides: a
 * request counts from its line on, and is sent only if the lines before it leave room. Two windows never take the same room, since one of
 * their lines comes first; the other window then withdraws its own. There is no lock that a crashed window could leave behind, and what it
 * has sent expires. A file is used for {@link FILE_MS}; the ones before and after it are read too, because windows don't change files at the same moment.
 *
 * Where the file can't be used, each window counts its own requests, which is logged once.
 */
export class RequestLedger {
  /** What the other windows have written, as read last. */
  readonly others: OtherWindows;
  readonly #options: RequestLedgerOptions;
  readonly #files: RequestFiles;
  readonly #window = randomUUID();
  readonly #parts = new Map<number, ReadPart>();
  #nextId = 0;
  /** The last file that was read after its end, and so changes no more. */
  #finished: number | undefined;
  #brokenUntilMs = Number.NEGATIVE_INFINITY;
  #wasBroken = false;

  constructor(options: RequestLedgerOptions) {
    this.#options = options;
    this.#files = options.files ?? systemFiles;
    this.others = new OtherWindows(options.now);
  }

  /** Reads what other windows have written. Never throws. */
  refresh(): void {
    this.#guarded(() => this.#read(this.#fileNow(), undefined));
  }

  /** An id for a request or an operation of this window. */
  newId(): string {
    this.#nextId += 1;
    return `${this.#window}.${this.#nextId}`;
  }

  /**
   * Writes down that a request is sent.
   * @param operation the operation that had kept it free
   * @param fits whether there is room, by what was written before; absent: it is sent in any case
   * @returns its id for {@link answered}; `undefined`: another window was first, and it must not be sent
   */
  take(probes: boolean, operation: string | undefined, fits?: () => boolean): string | undefined {
    const id = this.newId();
    const record = { kind: 'take', id, atMs: this.#options.now(), probes, ...(operation === undefined ? {} : { operation }) } as const;
    return this.#claim(id, record, fits) ? id : undefined;
  }

  /** Writes down that its answer began, or that none will come. */
  answered(id: string, wasAccepted: boolean): void {
    this.#append({ kind: 'answer', id, atMs: this.#options.now(), wasAccepted });
  }

  /**
   * Writes down that an operation keeps `count` requests free. To be repeated before it no longer counts (otherWindows.ts).
   * @param fits as of {@link take}
   * @returns false: another window was first
   */
  keep(operation: string, count: number, fits?: () => boolean): boolean {
    const id = this.newId();
    return this.#claim(id, { kind: 'keep', id, operation, count, atMs: this.#options.now() }, fits);
  }

  /** Writes down that an operation waits. To be repeated before it no longer counts (otherWindows.ts). */
  waits(operation: string): void {
    this.#append({ kind: 'wait', operation, atMs: this.#options.now() });
  }

  waited(operation: string): void {
    this.#append({ kind: 'waited', operation });
  }

  paused({ untilMs, askedMs, sinceMs, refusals }: SharedPause): void {
    const asked = askedMs === undefined ? {} : { askedMs };
    this.#append({ kind: 'pause', untilMs: Math.round(untilMs), sinceMs: Math.round(sinceMs), refusals, ...asked });
  }

  succeeded(sentAtMs: number): void {
    this.#append({ kind: 'success', sentAtMs });
  }

  limited({ perMinute, holdsUntilMs }: SharedLimit): void {
    this.#append({ kind: 'limit', perMinute, ...(Number.isFinite(holdsUntilMs) ? { holdsUntilMs } : {}) });
  }

  /** Appends `record` and decides by the lines before it. */
  #claim(id: string, record: Written, fits: (() => boolean) | undefined): boolean {
    const file = this.#fileNow();
    if (!this.#append(record, file)) {
      return fits?.() ?? true;
    }
    if (fits === undefined) {
      return true;
    }
    let isFirst: boolean | undefined;
    this.#guarded(() => this.#read(file, { id, found: () => (isFirst = fits()) }));
    // The line is missing only if the file can't be read any more, or was removed meanwhile: what was read before decides.
    const mayGo = isFirst ?? fits();
    if (!mayGo) {
      this.#append({ kind: 'undo', id });
    }
    return mayGo;
  }

  #append(record: Written, file = this.#fileNow()): boolean {
    return this.#guarded(() => {
      if (!this.#parts.has(file)) {
        this.#removeOld(file);
      }
      this.#files.append(this.#pathOf(file), lineOf({ ...record, window: this.#window }));
    });
  }

  /** Reads a file after those around it, so that a line of this window in it is found after what others wrote elsewhere. */
  #read(file: number, own: OwnLine | undefined): void {
    const beginsMs = file * FILE_MS;
    const now = this.#options.now();
    // A file is read once more after windows have changed to the next one, and then changes no more.
    if (now < beginsMs + CHANGE_MS || this.#finished !== file - 1) {
      this.#readFile(file - 1, own);
      if (now >= beginsMs + CHANGE_MS) {
        this.#finished = file - 1;
      }
    }
    if (now > beginsMs + FILE_MS - CHANGE_MS) {
      this.#readFile(file + 1, own);
    }
    this.#readFile(file, own);
    for (const one of [...this.#parts.keys()].filter((known) => Math.abs(known - file) > 1)) {
      this.#parts.delete(one);
    }
  }

  #readFile(file: number, own: OwnLine | undefined): void {
    const part = this.#parts.get(file) ?? { offset: 0, rest: '' };
    const read = this.#files.readFrom(this.#pathOf(file), part.offset);
    if (read === undefined) {
      this.#parts.delete(file);
      return;
    }
    const text = `${read.offset === part.offset ? part.rest : ''}${read.bytes.toString('latin1')}`;
    const lines = text.split('\n');
    this.#parts.set(file, { offset: read.offset + read.bytes.length, rest: lines.pop() ?? '' });
    for (const line of lines) {
      const record = line === '' ? undefined : recordOf(line);
      if (record === undefined) {
        continue;
      }
      if (record.window !== this.#window) {
        this.others.note(record);
      } else if ('id' in record && record.id === own?.id && record.kind !== 'undo') {
        own.found();
      }
    }
  }

  #fileNow(): number {
    return Math.floor(this.#options.now() / FILE_MS);
  }

  #pathOf(file: number): string {
    return join(this.#options.folder, `${this.#options.name}-${file}.log`);
  }

  /** Removes the files of all services that are used no more. What fails is tried again with the next file. */
  #removeOld(file: number): void {
    try {
      for (const name of this.#files.list(this.#options.folder)) {
        const used = /-(\d{1,15})\.log$/.exec(name)?.[1];
        if (used !== undefined && Number(used) < file - 1) {
          this.#files.remove(join(this.#options.folder, name));
        }
      }
    } catch {
      // There is no folder yet, or another window is faster.
    }
  }

  /** Runs `work` unless the files failed lately. @returns whether it succeeded */
  #guarded(work: () => void): boolean {
    const { now, log } = this.#options;
    if (isDue(this.#brokenUntilMs, now(), BROKEN_MS)) {
      try {
        work();
        return true;
      } catch (error) {
        this.#brokenUntilMs = now() + BROKEN_MS;
        if (!this.#wasBroken) {
          this.#wasBroken = true;
          log('warn', `This window counts its requests alone, because the file of all windows can't be used: ${String(error)}`);
        }
      }
    }
    return false;
  }
}

/** The files that windows share. They are small, local and rarely used, and a turn must be taken in one step, so calls are synchronous. */
export interface RequestFiles {
  /** Appends a text in one piece, and creates the file and its folder if necessary. */
  append(path: string, text: string): void;
  /** Returns what follows `offset`; an `offset` past the end returns the whole file. `undefined`: there is no such file. */
  readFrom(path: string, offset: number): { readonly bytes: Buffer; readonly offset: number } | undefined;
  list(folder: string): readonly string[];
  remove(path: string): void;
}

/** What a window reads at most in one go. A larger file is not one that windows wrote. */
const LONGEST_FILE = 4 * 1024 * 1024;

/** The system's files. */
export const systemFiles: RequestFiles = {
  append: (path, text) => {
    try {
      appendFileSync(path, text, { mode: 0o600 });
    } catch (error) {
      if (!isMissing(error)) {
        throw error;
      }
      mkdirSync(dirname(path), { recursive: true });
      appendFileSync(path, text, { mode: 0o600 });
    }
  },
  readFrom: (path, offset) => {
    let file: number;
    try {
      file = openSync(path, 'r');
    } catch (error) {
      if (isMissing(error)) {
        return undefined;
      }
      throw error;
    }
    try {
      const { size } = fstatSync(file);
      const start = size < offset ? 0 : offset;
      if (size - start > LONGEST_FILE) {
        throw new RangeError(`${path} has ${size} bytes, which is more than windows write.`);
      }
      const bytes = Buffer.alloc(size - start);
      const read = readSync(file, bytes, 0, bytes.length, start);
      return { bytes: bytes.subarray(0, read), offset: start };
    } finally {
      closeSync(file);
    }
  },
  list: (folder) => readdirSync(folder),
  remove: (path) => rmSync(path, { force: true }),
};

function isMissing(error: unknown): boolean {
  return systemCode(error) === 'ENOENT';
}
