import { watch, type FSWatcher } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Subscription } from '../../base/async/clock';
import { errorText } from '../../base/thrown';

/** Writes within this time are reported once. */
const DEBOUNCE_MS = 50;
/** Polling interval if the system reports no changes; longer if it does, since network drives may not report all. */
const POLL_EVERY_MS = 5_000;
const BACKUP_POLL_EVERY_MS = 30_000;

/** Reports changes in a folder, of any process. Runs only while there are listeners. */
export class FolderWatch {
  readonly #folder: string;
  readonly #pollEveryMs: number;
  readonly #log: (message: string) => void;
  readonly #listeners = new Set<() => void>();
  #watcher: FSWatcher | undefined;
  #pollTimer: NodeJS.Timeout | undefined;
  #debounceTimer: NodeJS.Timeout | undefined;
  #lastListing = '';
  #isDisposed = false;

  /**
   * @param folder must exist
   * @param pollEveryMs polling interval if the system doesn't report changes
   */
  constructor(folder: string, log: (message: string) => void, pollEveryMs: number = POLL_EVERY_MS) {
    this.#folder = folder;
    this.#log = log;
    this.#pollEveryMs = pollEveryMs;
  }

  /** Calls `listener` after changes; occasionally also without one. */
  add(listener: () => void): Subscription {
    const own = (): void => listener();
    this.#listeners.add(own);
    return {
      dispose: () => {
        this.#listeners.delete(own);
        if (this.#listeners.size === 0) {
          this.#stop();
        }
      },
    };
  }

  /** Starts watching if there are listeners. */
  start(): void {
    if (this.#isDisposed || this.#listeners.size === 0 || this.#pollTimer !== undefined) {
      return;
    }
    try {
      this.#watcher = watch(this.#folder, { persistent: false }, () => this.changed());
      this.#watcher.on('error', (error) => this.#fallBack(error));
      this.#startPolling(BACKUP_POLL_EVERY_MS);
    } catch (error) {
      this.#fallBack(error);
    }
  }

  /** Notifies all listeners soon. */
  changed(): void {
    if (this.#isDisposed || this.#listeners.size === 0) {
      return;
    }
    this.#debounceTimer ??= setTimeout(() => {
      this.#debounceTimer = undefined;
      for (const listener of [...this.#listeners]) {
        this.#notify(listener);
      }
    }, DEBOUNCE_MS);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#listeners.clear();
    this.#stop();
  }

  #notify(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#log(`Telling of a change in the journal failed: ${String(error)}`);
    }
  }

  #fallBack(error: unknown): void {
    this.#log(
      `The system does not tell of changes in the journal (${errorText(error)}); it is looked at every ${this.#pollEveryMs / 1_000} s.`,
    );
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#startPolling(this.#pollEveryMs);
  }

  #startPolling(ms: number): void {
    clearInterval(this.#pollTimer);
    this.#pollTimer = setInterval(() => {
      void this.#poll();
    }, ms);
    this.#pollTimer.unref();
    void this.#poll(true);
  }

  async #poll(isFirst = false): Promise<void> {
    const listing = await this.#listing();
    if (!isFirst && listing !== this.#lastListing) {
      this.changed();
    }
    this.#lastListing = listing;
  }

  /** The visible state of the folder. */
  async #listing(): Promise<string> {
    try {
      const names = (await readdir(this.#folder)).sort();
      const sizes = await Promise.all(names.map(async (name) => (await stat(join(this.#folder, name)).catch(() => undefined))?.size));
      return names.map((name, index) => `${name} ${sizes[index] ?? 'gone'}`).join('\n');
    } catch {
      return 'none';
    }
  }

  #stop(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    clearInterval(this.#pollTimer);
    this.#pollTimer = undefined;
    clearTimeout(this.#debounceTimer);
    this.#debounceTimer = undefined;
  }
}
