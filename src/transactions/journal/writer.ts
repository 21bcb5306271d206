import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import { Mutex } from '../../base/async/concurrency';
import { errorText, systemCode } from '../../base/thrown';
import { journalLine, readLines } from './codec';
import { describeFolderError, JournalError, unreadFileWords } from './errors';
import { allDone, type FileStamp, fileStampOf, isSameFile, type OpenFile, openForAppending } from './files';
import { following, isEnd, recordOf } from './states';
import type { DistributiveOmit, JournalEntry, JournalEvent, OperationRecord } from './types';

export interface EntryOptions {
  readonly path: string;
  readonly record: OperationRecord;
  /** Bytes of the file that `record` was read from, up to the last whole line. */
  readonly wholeBytes: number;
  /** Id of this writer, unique among all processes. */
  readonly by: string;
  readonly nowMs: () => number;
  /** The file, if it is open already; the entry closes it. */
  readonly open?: OpenFile | undefined;
  /** Called when an event is on the disk. */
  readonly onWritten: (known: KnownFile) => void;
}

/** What a writer knows of its file. */
export interface KnownFile {
  readonly record: OperationRecord;
  readonly wholeBytes: number;
  /** The file's stamp with exactly this content; `undefined`: another writer has appended since. */
  readonly stamp: FileStamp | undefined;
}

/**
 * Writes to the file of one operation. Its lock excludes other writers, but a process that was suspended may not know yet that it has lost
 * the lock. So each line is read back from the disk, and counts only if it directly follows what this writer knew: of two concurrent
 * writers, one fails with `takenOver`.
 */
export class FileEntry implements JournalEntry {
  readonly #options: EntryOptions;
  readonly #turns = new Mutex();
  readonly #file: CachedFileHandle;
  #record: OperationRecord;
  #wholeBytes: number;

  constructor(options: EntryOptions) {
    this.#options = options;
    this.#record = options.record;
    this.#wholeBytes = options.wholeBytes;
    this.#file = new CachedFileHandle(options.path, options.open);
  }

  get id(): string {
    return this.#record.id;
  }

  get record(): OperationRecord {
    return this.#record;
  }

  async append(event: DistributiveOmit<JournalEvent, 'atMs'>): Promise<void> {
    const known = await this.#turns.take(() => this.#append({ atMs: this.#options.nowMs(), ...event }));
    this.#options.onWritten(known);
  }

  async #append(happened: JournalEvent): Promise<KnownFile> {
    following(this.#record, happened);
    try {
      const stamp = await this.#file.use(async (file) => {
        await this.#catchUp(file);
        const { line, event } = journalLine(happened, this.#record.events.length, this.#options.by);
        const next = this.#next(event);
        const found = await this.#write(file, Buffer.from(line));
        this.#record = next;
        return found;
      });
      if (isEnd(this.#record.state)) {
        this.#file.close();
      }
      return { record: this.#record, wholeBytes: this.#wholeBytes, stamp: stamp.size === this.#wholeBytes ? stamp : undefined };
    } catch (error) {
      throw error instanceof JournalError ? error : notWritten(error, dirname(this.#options.path));
    }
  }

  /** Reads what others have written since, and truncates a torn last line of a writer that died. */
  async #catchUp({ handle, stamp: { size } }: OpenFile): Promise<void> {
    if (size === this.#wholeBytes) {
      return;
    }
    const { events, wholeBytes, problem } = readLines(await contentOf(handle, size));
    if (problem !== undefined) {
      throw new JournalError('notWritten', unreadFileWords(problem));
    }
    if (events.length < this.#record.events.length) {
      throw new JournalError('notWritten', l10n.t('The journal has lost steps of this operation.'));
    }
    this.#record = recordOf(this.id, events);
    this.#wholeBytes = wholeBytes;
    if (size > wholeBytes) {
      await handle.truncate(wholeBytes);
    }
  }

  #next(event: JournalEvent): OperationRecord {
    try {
      return following(this.#record, event);
    } catch (error) {
      // It followed from what this writer knew, so another writer must have changed the state.
      throw takenOver(error);
    }
  }

  /** @returns the stamp of the file after that */
  async #write({ handle, stamp: before }: OpenFile, line: Buffer): Promise<FileStamp> {
    const from = this.#wholeBytes;
    try {
      for (let done = 0; done < line.length;) {
        done += (await handle.write(line, done, line.length - done, null)).bytesWritten;
      }
      await handle.sync();
    } catch (error) {
      // If this fails too, the next writer truncates it.
      await handle.truncate(from).catch(() => undefined);
      throw error;
    }
    const back = Buffer.alloc(line.length);
    const stamp = await allDone(fileStampOf(this.#options.path), handle.read(back, 0, line.length, from));
    // The file of this name may be another one: this one may have been set aside meanwhile.
    if (!back.equals(line) || !isSameFile(stamp, before)) {
      throw takenOver();
    }
    this.#wholeBytes = from + line.length;
    return stamp;
  }
}

async function contentOf(handle: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  const { bytesRead } = await handle.read(bytes, 0, size, 0);
  return bytes.subarray(0, bytesRead);
}

function takenOver(cause?: unknown): JournalError {
  return new JournalError('takenOver', l10n.t('Another window has taken over this operation.'), cause);
}

/** The error for a failed write, with the system's reason and advice for the user. */
export function notWritten(cause: unknown, folder: string): JournalError {
  const code = systemCode(cause);
  const { what, advice } = describeFolderError(code, folder) ?? {
    what:
      code === 'ENOENT'
        ? l10n.t('Its file no longer exists.')
        : l10n.t`The system reports for the folder ${folder}: ${code ?? errorText(cause)}.`,
    advice: undefined,
  };
  return new JournalError('notWritten', l10n.t`The operation journal cannot be written. ${what}`, cause, advice);
}

/** The steps of an operation follow one another within this time, unless the user is asked something. */
const OPEN_MS = 1_000;

/**
 * Keeps a file open for a moment between writes: opening and closing takes as long as writing. Callers must take turns.
 */
class CachedFileHandle {
  readonly #path: string;
  #open: OpenFile | undefined;
  #closing: NodeJS.Timeout | undefined;

  /** @param open the file, if it is open already; this object closes it */
  constructor(path: string, open?: OpenFile) {
    this.#path = path;
    this.#open = open;
    this.#closeLater();
  }

  /**
   * Runs `work` with the file that has this name now. On failure the file is closed.
   * @throws the system's error if it cannot be opened (`ENOENT`: it is gone), and what `work` throws.
   */
  async use<Result>(work: (file: OpenFile) => Promise<Result>): Promise<Result> {
    clearTimeout(this.#closing);
    try {
      this.#open = await this.#current();
      return await work(this.#open);
    } catch (error) {
      this.close();
      throw error;
    } finally {
      this.#closeLater();
    }
  }

  /** The next use opens it again. */
  close(): void {
    clearTimeout(this.#closing);
    const handle = this.#open?.handle;
    this.#open = undefined;
    if (handle !== undefined) {
      forget(handle);
    }
  }

  /** The file that is open may have been removed or renamed. */
  async #current(): Promise<OpenFile> {
    if (this.#open !== undefined) {
      const stamp = await fileStampOf(this.#path);
      if (isSameFile(stamp, this.#open.stamp)) {
        return { handle: this.#open.handle, stamp };
      }
      this.close();
    }
    return openForAppending(this.#path);
  }

  #closeLater(): void {
    if (this.#open !== undefined) {
      this.#closing = setTimeout(() => this.close(), OPEN_MS).unref();
    }
  }
}

/** Errors do not matter: everything written is already on the disk. */
function forget(handle: FileHandle): void {
  handle.close().catch(() => undefined);
}
