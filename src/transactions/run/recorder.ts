import * as l10n from '@vscode/l10n';
import { errorMessageOf, OperationError } from '../errors';
import { JournalError } from '../journal/errors';
import type { JournalEntry, NewEvent, OperationJournal, OperationRecord } from '../journal/types';
import { type HeldLock, LockFolderError, type OperationLocks } from '../locks/types';
import { wasSubmitted } from '../signedAttempts';
import { operationLock } from '../target';
import { onceResolved, stoppedWords } from '../words';

export interface RecorderOptions {
  readonly journal: OperationJournal;
  readonly locks: OperationLocks;
  /** "zap-out"; part of sentences. */
  readonly noun: string;
  readonly log: (message: string) => void;
}

/** Maximum length of a name or signature in characters. */
const LONGEST_NAME = 200;
/** How long another window may hold the lock of a new operation, to inspect it. */
const LOCK_WAIT_MS = 2_000;

/** Writes one operation into the journal and holds its lock meanwhile. */
export class Recorder {
  readonly #entry: JournalEntry;
  readonly #options: RecorderOptions;
  #isBroken = false;

  private constructor(
    entry: JournalEntry,
    readonly lock: HeldLock,
    options: RecorderOptions,
  ) {
    this.#entry = entry;
    this.#options = options;
  }

  /**
   * Begins an operation.
   * @throws OperationError (`notRecorded`) if it can't be written
   */
  static async begin(created: Parameters<OperationJournal['begin']>[0], options: RecorderOptions): Promise<Recorder> {
    const { journal, locks, noun } = options;
    try {
      const entry = await journal.begin({ ...created, pairName: cut(created.pairName, LONGEST_NAME) });
      // Another window may be inspecting it; it sees that nothing was sent and releases it.
      const held = await locks.acquire(operationLock(entry.id), AbortSignal.timeout(LOCK_WAIT_MS));
      return new Recorder(entry, held, options);
    } catch (cause) {
      throw notRecorded(noun, cause);
    }
  }

  /**
   * Continues an operation that was begun earlier; only this window writes it until it is closed.
   * @returns `held` if another window has its lock (after a short wait, because windows inspect operations briefly), `undefined` if the
   * journal doesn't have this id
   * @throws OperationError (`notRecorded`) if locks or journal can't be used
   */
  static async resume(id: string, options: RecorderOptions): Promise<Recorder | 'held' | undefined> {
    const { journal, locks, noun } = options;
    let held: HeldLock | undefined;
    try {
      held =
        (await locks.tryAcquire(operationLock(id))) ??
        (await locks.acquire(operationLock(id), AbortSignal.timeout(LOCK_WAIT_MS)).catch(() => undefined));
      if (held === undefined) {
        return 'held';
      }
      // The lock is held now: read the current state.
      const entry = await journal.resume(id);
      if (entry === undefined) {
        await held.release();
        return undefined;
      }
      return new Recorder(entry, held, options);
    } catch (cause) {
      await held?.release();
      throw notRecorded(noun, cause);
    }
  }

  get id(): string {
    return this.#entry.id;
  }

  /** The journal entry, for the landing probe. */
  get entry(): JournalEntry {
    return this.#entry;
  }

  /** The operation as written by this window. */
  get record(): OperationRecord {
    return this.#entry.record;
  }

  /** Whether it was, or was about to be, handed to the service. */
  get isSubmitted(): boolean {
    return wasSubmitted(this.#entry.record);
  }

  /**
   * Writes what is about to happen, which must not happen unless this resolves.
   * @throws OperationError (`notRecorded`) if it is not on disk
   */
  async write(event: NewEvent): Promise<void> {
    try {
      await this.#append(event);
    } catch (cause) {
      throw notRecorded(this.#options.noun, cause);
    }
  }

  /** Writes what has happened. Never rejects: if it can't be written, reconciliation finds it on chain. */
  async note(event: NewEvent): Promise<void> {
    try {
      await this.#append(shortened(event));
    } catch (cause) {
      this.#options.log(`"${event.kind}" is not in the journal: ${errorMessageOf(cause)}`);
    }
  }

  /** Releases the operation to other writers. Never rejects. */
  async close(): Promise<void> {
    await this.lock.release();
  }

  async #append(event: NewEvent): Promise<void> {
    if (this.#isBroken) {
      throw new Error(l10n.t('The journal has lost steps of this operation.'));
    }
    if (this.lock.lost.aborted) {
      throw new Error(l10n.t('Another window has taken over this operation.'));
    }
    try {
      await this.#entry.append(event);
    } catch (error) {
      // It is unknown how much was written: nothing may be appended.
      this.#isBroken = true;
      throw error;
    }
  }
}

function notRecorded(noun: string, cause: unknown): OperationError {
  return new OperationError({
    kind: 'notRecorded',
    what: stoppedWords(noun, errorMessageOf(cause)),
    advice: adviceOf(cause) ?? onceResolved(),
    cause,
  });
}

function adviceOf(cause: unknown): string | undefined {
  return cause instanceof JournalError || cause instanceof LockFolderError ? cause.advice : undefined;
}

/** Texts of the service have no length limit of their own. */
function shortened(event: NewEvent): NewEvent {
  return event.kind === 'landed' && event.signature !== undefined ? { ...event, signature: cut(event.signature, LONGEST_NAME) } : event;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
