import type { FileHandle } from 'node:fs/promises';
import { isSameFile, fileStampOf, openForAppending, type OpenFile } from './files';

/** The steps of an operation follow one another within this time, unless the user is asked something. */
const OPEN_MS = 1_000;

/**
 * A file that is written again and again, and stays open for a moment each time: to open and close it takes as long as to write to
 * it. Who uses it takes turns.
 */
export class CachedFileHandle {
  readonly #path: string;
  #open: OpenFile | undefined;
  #closing: NodeJS.Timeout | undefined;

  /** @param open it is open already; whoever gave it closes it no more */
  constructor(path: string, open?: OpenFile) {
    this.#path = path;
    this.#open = open;
    this.#closeLater();
  }

  /**
   * Runs `work` with the file that has this name now, and with its size in bytes. Where that fails it is closed.
   * @throws what the system says where it cannot be opened (`ENOENT`: it is gone), and what `work` throws.
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

  /** Closes it, unless it is closed. It is opened again when it is used again. */
  close(): void {
    clearTimeout(this.#closing);
    const handle = this.#open?.handle;
    this.#open = undefined;
    if (handle !== undefined) {
      forget(handle);
    }
  }

  /** One that is open may have been taken away, or have got another name. */
  async #current(): Promise<OpenFile> {
    if (this.#open !== undefined) {
      const looks = await fileStampOf(this.#path);
      if (isSameFile(looks, this.#open.looks)) {
        return { handle: this.#open.handle, looks };
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

/** What was written is on the disk by then: nothing depends on how this ends. */
function forget(handle: FileHandle): void {
  handle.close().catch(() => undefined);
}
