import * as l10n from '@vscode/l10n';
import { errorMessageOf, OperationError } from '../errors';
import { JournalError } from '../journal/errors';
import type { JournalEntry, NewEvent, OperationJournal, OperationRecord } from '../journal/types';
import { type HeldLock, LockFolderError, type OperationLocks } from '../locks/types';
import { wasSubmitted } from '../signedAttempts';
import { operationLock } from '../target';

/** Where it is written, and for whom. */
export interface RecorderOptions {
  readonly journal: OperationJournal;
  readonly locks: OperationLocks;
  /** "zap-out": in sentences. */
  readonly noun: string;
  readonly log: (message: string) => void;
}

/** Longest reason that is kept, characters: some of it is what the service said. */
const LONGEST_REASON = 1_000;
/** Longest name or signature, characters. */
const LONGEST_NAME = 200;
/** How long another window may look at an operation that was just begun. */
const LOCK_WAIT_MS = 2_000;

/** Writes one operation into the journal, and has its lock for as long as it does. */
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
   * @throws OperationError (`notRecorded`) where that cannot be written.
   */
  static async begin(created: Parameters<OperationJournal['begin']>[0], options: RecorderOptions): Promise<Recorder> {
    const { journal, locks, noun } = options;
    try {
      const entry = await journal.begin({ ...created, pairName: cut(created.pairName, LONGEST_NAME) });
      // Another window may be looking at it just now; it sees that nothing was sent, and lets it go.
      const held = await locks.acquire(operationLock(entry.id), AbortSignal.timeout(LOCK_WAIT_MS));
      return new Recorder(entry, held, options);
    } catch (cause) {
      throw notRecorded(noun, cause);
    }
  }

  /**
   * Takes up an operation that was begun earlier; only this window writes it until it is closed.
   * @returns `held` where somebody has it (after a short wait: a window may only be looking), `undefined` where the journal has none of that id.
   * @throws OperationError (`notRecorded`) where locks or journal cannot be used.
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
      // Read again under the lock.
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

  /** The journal entry: for the probe that finds out what became of it. */
  get entry(): JournalEntry {
    return this.#entry;
  }

  /** The operation as this window has written it. */
  get record(): OperationRecord {
    return this.#entry.record;
  }

  /** Whether it was, or was about to be, handed to the service. */
  get isSubmitted(): boolean {
    return wasSubmitted(this.#entry.record);
  }

  /**
   * Writes what is about to happen: it must not happen unless this resolves.
   * @throws OperationError (`notRecorded`) where it is not on the disk.
   */
  async write(event: NewEvent): Promise<void> {
    try {
      await this.#append(event);
    } catch (cause) {
      throw notRecorded(this.#options.noun, cause);
    }
  }

  /**
   * Writes what has happened. Never rejects: where it cannot be written it has happened all the same, and whoever reconciles the
   * operation finds out.
   */
  async note(event: NewEvent): Promise<void> {
    try {
      await this.#append(shortened(event));
    } catch (cause) {
      this.#options.log(`"${event.kind}" is not in the journal: ${errorMessageOf(cause)}`);
    }
  }

  /** Lets go of the operation: from now on others may write to it. Never rejects. */
  async close(): Promise<void> {
    await this.lock.release();
  }

  async #append(event: NewEvent): Promise<void> {
    if (this.#isBroken) {
      throw new Error(l10n.t('An earlier step of it could not be recorded.'));
    }
    if (this.lock.lost.aborted) {
      throw new Error(l10n.t('Another window may be recording it.'));
    }
    try {
      await this.#entry.append(event);
    } catch (error) {
      // How far that came is not known: nothing is to follow on it.
      this.#isBroken = true;
      throw error;
    }
  }
}

function notRecorded(noun: string, cause: unknown): OperationError {
  return new OperationError({
    kind: 'notRecorded',
    what: l10n.t`The ${noun} was stopped. ${errorMessageOf(cause)}`,
    advice: adviceOf(cause) ?? l10n.t('Try again once this is resolved.'),
    cause,
  });
}

function adviceOf(cause: unknown): string | undefined {
  return cause instanceof JournalError || cause instanceof LockFolderError ? cause.advice : undefined;
}

/** Texts of the service have no bounds of their own. */
function shortened(event: NewEvent): NewEvent {
  if ('reason' in event) {
    return { ...event, reason: cut(event.reason, LONGEST_REASON) };
  }
  return event.kind === 'landed' && event.signature !== undefined ? { ...event, signature: cut(event.signature, LONGEST_NAME) } : event;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
