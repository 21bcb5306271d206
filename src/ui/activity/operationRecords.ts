import { join } from 'node:path';
import type { OperationJournal } from '../../transactions/journal/types';
import type { OperationLocks } from '../../transactions/locks/types';
import { lazily } from '../shell/lazily';
import type { LogFunction } from '../shell/log';

/** Where the records of operations are kept. */
export interface RecordsDependencies {
  /** The folder of the extension's own that all windows share. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly log: LogFunction;
}

/** The journal and the locks of all windows: opened when they are asked for first, and given back with the window. */
export class OperationRecords {
  /** @throws what kept its code from being loaded */
  readonly journal = lazily(() => this.openJournal());
  /** @throws what kept its code from being loaded */
  readonly locks = lazily(() => this.openLocks());
  private opened: readonly { dispose(): unknown }[] = [];
  private isDisposed = false;

  constructor(private readonly dependencies: RecordsDependencies) {}

  dispose(): void {
    this.isDisposed = true;
    for (const one of this.opened) {
      // Locks take a moment to be given back; what is not given back counts as left behind, and is taken over.
      one.dispose();
    }
    this.opened = [];
  }

  private async openJournal(): Promise<OperationJournal> {
    const { openJournal } = await import('../../transactions/journal/journal');
    const { folder, nowMs, log } = this.dependencies;
    return this.kept(openJournal({ folder: join(folder, 'journal'), nowMs, steadyMs: () => performance.now(), log }));
  }

  private async openLocks(): Promise<OperationLocks> {
    const { openLocks } = await import('../../transactions/locks/locks');
    const { folder, log } = this.dependencies;
    return this.kept(openLocks({ folder: join(folder, 'locks'), log }));
  }

  private kept<Opened extends { dispose(): unknown }>(opened: Opened): Opened {
    if (this.isDisposed) {
      opened.dispose();
    } else {
      this.opened = [...this.opened, opened];
    }
    return opened;
  }
}
