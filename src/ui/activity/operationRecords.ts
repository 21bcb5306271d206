import { join } from 'node:path';
import type { OperationJournal } from '../../transactions/journal/types';
import type { OperationLocks } from '../../transactions/locks/types';
import { lazily } from '../shell/lazily';
import type { LogFunction } from '../shell/log';

export interface RecordsDependencies {
  /** The extension's storage folder, shared by all windows. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly log: LogFunction;
}

/** Journal and locks, shared by all windows: opened on first use, and closed with the window. */
export class OperationRecords {
  /** @throws if its code cannot be loaded */
  readonly journal = lazily(() => this.#openJournal());
  /** @throws if its code cannot be loaded */
  readonly locks = lazily(() => this.#openLocks());
  #opened: readonly { dispose(): unknown }[] = [];
  #isDisposed = false;

  readonly #dependencies: RecordsDependencies;

  constructor(dependencies: RecordsDependencies) {
    this.#dependencies = dependencies;
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const one of this.#opened) {
      // Not awaited: another window takes over a lock that is not released in time.
      one.dispose();
    }
    this.#opened = [];
  }

  async #openJournal(): Promise<OperationJournal> {
    const { openJournal } = await import('../../transactions/journal/journal');
    const { folder, nowMs, log } = this.#dependencies;
    return this.#kept(openJournal({ folder: join(folder, 'journal'), nowMs, steadyMs: () => performance.now(), log }));
  }

  async #openLocks(): Promise<OperationLocks> {
    const { openLocks } = await import('../../transactions/locks/locks');
    const { folder, log } = this.#dependencies;
    return this.#kept(openLocks({ folder: join(folder, 'locks'), log }));
  }

  #kept<Opened extends { dispose(): unknown }>(opened: Opened): Opened {
    if (this.#isDisposed) {
      opened.dispose();
    } else {
      this.#opened = [...this.#opened, opened];
    }
    return opened;
  }
}
