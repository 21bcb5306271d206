import { watch, type FSWatcher } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Subscription } from '../../base/async/clock';

/** Writes within this time are reported once. */
const GATHER_MS = 50;
/** How often to poll where the system reports no changes; less often where it does, since network drives may not. */
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
   * @param folder is there
   * @param lookEveryMs how often to look where the system does not tell
   */
  constructor(folder: string, log: (message: string) => void, lookEveryMs: number = LOOK_EVERY_MS) {
    this.#folder = folder;
    this.#log = log;
    this.#lookEveryMs = lookEveryMs;
  }

  /** Calls `listener` after changes; at times also where nothing differs. */
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

  /** Begins to look, should somebody listen. */
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

  /** Tells all listeners soon. */
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

  /** What can be seen of the folder from outside. */
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
