import { openLocks } from '../../transactions/locks/locks';
import { openJournal } from '../../transactions/journal/journal';
import { join } from 'node:path';
import type { OperationJournal } from '../../transactions/journal/types';
import type { OperationLocks } from '../../transactions/locks/types';
import { DisposableStore } from '../../base/async/disposables';
import { lazily } from '../../base/async/concurrency';
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
  readonly journal = lazily(() => Promise.resolve(this.#openJournal()));
  readonly locks = lazily(() => Promise.resolve(this.#openLocks()));
  readonly #opened = new DisposableStore();

  readonly #dependencies: RecordsDependencies;

  constructor(dependencies: RecordsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Does not wait for the locks: another window takes over a lock that is not released in time. */
  dispose(): void {
    this.#opened.dispose();
  }

  #openJournal(): OperationJournal {
    const { folder, nowMs, log } = this.#dependencies;
    return this.#opened.add(openJournal({ folder: join(folder, 'journal'), nowMs, steadyMs: () => performance.now(), log }));
  }

  #openLocks(): OperationLocks {
    const { folder, log } = this.#dependencies;
    return this.#opened.add(openLocks({ folder: join(folder, 'locks'), log }));
  }
}
