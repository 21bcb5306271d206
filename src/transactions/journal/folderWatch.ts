import { watch, type FSWatcher } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Subscription } from '../../base/async/clock';

/** Writes within this time are reported once. */
const GATHER_MS = 50;
/** Polling interval if the system reports no changes; longer if it does, since network drives may not report all. */
const LOOK_EVERY_MS = 5_000;
const LOOK_ALSO_EVERY_MS = 30_000;

/** Reports changes in a folder, of any process. Runs only while there are listeners. */
export class FolderWatch {
  readonly #folder: string;
  readonly #lookEveryMs: number;
  readonly #log: (message: string) => void;
  readonly #listeners = new Set<() => void>();
  #watcher: FSWatcher | undefined;
  #look: NodeJS.Timeout | undefined;
  #gather: NodeJS.Timeout | undefined;
  #seen = '';
  #isDisposed = false;

  /**
   * @param folder must exist
   * @param lookEveryMs polling interval if the system doesn't report changes
   */
  constructor(folder: string, log: (message: string) => void, lookEveryMs: number = LOOK_EVERY_MS) {
    this.#folder = folder;
    this.#log = log;
    this.#lookEveryMs = lookEveryMs;
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
    if (this.#isDisposed || this.#listeners.size === 0 || this.#look !== undefined) {
      return;
    }
    try {
      this.#watcher = watch(this.#folder, { persistent: false }, () => this.changed());
      this.#watcher.on('error', (error) => this.#fallBack(error));
      this.#lookAgain(LOOK_ALSO_EVERY_MS);
    } catch (error) {
      this.#fallBack(error);
    }
  }

  /** Notifies all listeners soon. */
  changed(): void {
    if (this.#isDisposed || this.#listeners.size === 0) {
      return;
    }
    this.#gather ??= setTimeout(() => {
      this.#gather = undefined;
      for (const listener of [...this.#listeners]) {
        this.#notify(listener);
      }
    }, GATHER_MS);
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
      `The system does not tell of changes in the journal (${error instanceof Error ? error.message : String(error)}); it is looked at every ${this.#lookEveryMs / 1_000} s.`,
    );
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#lookAgain(this.#lookEveryMs);
  }

  #lookAgain(ms: number): void {
    clearInterval(this.#look);
    this.#look = setInterval(() => {
      void this.#lookNow();
    }, ms);
    this.#look.unref();
    void this.#lookNow(true);
  }

  async #lookNow(isFirst = false): Promise<void> {
    const found = await this.#found();
    if (!isFirst && found !== this.#seen) {
      this.changed();
    }
    this.#seen = found;
  }

  /** The visible state of the folder. */
  async #found(): Promise<string> {
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
    clearInterval(this.#look);
    this.#look = undefined;
    clearTimeout(this.#gather);
    this.#gather = undefined;
  }
}
