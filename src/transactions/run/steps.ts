import type { Address } from '../../base/solana/address';
import type { Base64Transaction } from '../../base/solana/wireTransaction';
import type { Intent, TransactionGroup } from '../../review/types';
import type { Landed } from '../../service/transactions';
import { errorMessageOf, OperationError, type OperationErrorDetails } from '../errors';
import { isEnd } from '../journal/states';
import type { OperationRecord } from '../journal/types';
import type { HeldLock } from '../locks/types';
import type { EffectPredicate } from '../outcome/evidence';
import type { JournalWatermark } from '../outcome/observations';
import type { OperationDescriptor } from '../target';
import type { OperationDependencies, OperationHost, OperationStep } from '../types';
import { checkThenStart, switchBack, otherServiceWords, needsWalletWords, suspendedWords, stoppedWords } from '../words';

/** What differs between the kinds of operations. */
export interface OperationSpec {
  /** "Zap-out of ADDRESS"; for the log. */
  readonly name: string;
  /** "zap-out"; part of sentences. */
  readonly noun: string;
  readonly subject: OperationDescriptor;
  /** The journal's progress when the position was listed: an operation on it that progressed later would be taken for this one's effect. */
  readonly listedAfter?: JournalWatermark | undefined;
  /** Asks the service for the transactions. @param slippageBps at most the user's tolerance, which the review compares them with */
  build(signal: AbortSignal, slippageBps: number): Promise<BuiltOperation>;
}

/** Returns the signed transactions of one group, in the order in which they were built. */
export type SignedGroups = (group: TransactionGroup) => readonly Base64Transaction[];

/** The transactions by the service, and how they are landed and recognized. */
export interface BuiltOperation {
  readonly intent: Intent;
  /** In landing order. */
  readonly transactions: readonly { readonly group: TransactionGroup; readonly base64: Base64Transaction }[];
  /** Block height after which they can't land. */
  readonly lastValidBlockHeight: number | undefined;
  /** The position that is closed or opened. */
  readonly position: Address | undefined;
  /** Hands the signed transactions to the service for landing. */
  land(signed: SignedGroups): Promise<Landed>;
  /** `undefined`: lists of positions do not show it. */
  readonly effect: EffectPredicate | undefined;
}

/** The user cancelled, and nothing was sent. */
export class CancelledError extends Error {}

/** Shared by all steps of an operation: reports progress, and stops at a cancellation or a lost lock. */
export class Steps {
  readonly #lost = new AbortController();
  /** The guarded locks, with what ends the guard. */
  readonly #locks = new Map<HeldLock, AbortController>();

  constructor(
    readonly work: OperationSpec,
    readonly dependencies: OperationDependencies,
    readonly host: OperationHost,
    readonly signal: AbortSignal,
  ) {}

  /** Stops the operation if this lock is lost before anything is sent. */
  guard(lock: HeldLock): void {
    const { lost } = lock;
    const guard = new AbortController();
    this.#locks.set(lock, guard);
    if (lost.aborted) {
      this.#lost.abort();
    } else {
      lost.addEventListener('abort', () => this.#lost.abort(), { once: true, signal: guard.signal });
    }
  }

  /**
   * Runs a step before sending. A cancellation or a lost lock stops it at once.
   * @throws CancelledError, and an OperationError by `failure`
   */
  async run<Result>(step: (stopped: AbortSignal) => Promise<Result>, failure: (cause: unknown) => OperationErrorDetails): Promise<Result> {
    this.assertHeld();
    if (this.isCancelled()) {
      throw new CancelledError();
    }
    const done = new AbortController();
    const stopped = AbortSignal.any([this.signal, this.#lost.signal]);
    const ended = new Promise<never>((_, reject) => {
      stopped.addEventListener('abort', () => reject(new CancelledError()), { signal: done.signal });
    });
    try {
      return await Promise.race([step(stopped), ended]);
    } catch (cause) {
      if (this.isCancelled()) {
        throw new CancelledError();
      }
      this.assertHeld();
      throw new OperationError(failure(cause));
    } finally {
      done.abort();
    }
  }

  /** Call this when the lock is released on purpose. */
  unguard(lock: HeldLock): void {
    this.#locks.get(lock)?.abort();
    this.#locks.delete(lock);
  }

  /**
   * Checks the locks on disk: a process that was suspended doesn't know yet that it lost one.
   * @throws OperationError if one is lost
   */
  async assertStillHeld(): Promise<void> {
    const held = await Promise.all([...this.#locks.keys()].map((lock) => lock.isStillHeld()));
    if (held.includes(false)) {
      this.#lost.abort();
    }
    this.assertHeld();
  }

  /** @throws OperationError if a lock was lost */
  assertHeld(): void {
    if (this.#lost.signal.aborted) {
      throw new OperationError({ kind: 'interrupted', what: stoppedWords(this.work.noun, suspendedWords()), advice: checkThenStart() });
    }
  }

  /** @throws OperationError if service or wallet differ from the user's choice */
  assertNothingSwitched(kind: 'notBuilt' | 'notSigned'): void {
    const { isProfileInUse } = this.dependencies;
    const switched = this.switched() ?? (isProfileInUse?.() === false ? otherServiceWords() : undefined);
    if (switched !== undefined) {
      throw new OperationError({ kind, what: stoppedWords(this.work.noun, switched), advice: switchBack() });
    }
  }

  /** A sentence about the service or wallet that is now in use instead; `undefined` if both are unchanged. */
  switched(): string | undefined {
    const { portfolio, isServiceInUse } = this.dependencies;
    if (!isServiceInUse()) {
      return otherServiceWords();
    }
    return portfolio.snapshot.owner === this.work.subject.owner ? undefined : needsWalletWords(this.work.subject.owner);
  }

  isCancelled(): boolean {
    return this.signal.aborted;
  }

  /** An error of the host must not stop the operation, least of all after sending. */
  report(step: OperationStep, leftMs?: number): void {
    this.#callHost(`reporting "${step}"`, () => (leftMs === undefined ? this.host.report(step) : this.host.report(step, leftMs)));
  }

  /** Reports the operation's id in the journal. */
  reportBegan(operation: string): void {
    this.#callHost('reporting its id', () => this.host.began?.(operation));
  }

  /** Reports the record of a settled operation. */
  reportSettled(record: OperationRecord): void {
    this.#callHost('reporting that it has settled', () => this.host.settled?.(record));
  }

  /** Reports an operation that has not ended, if this run leaves it so. */
  reportEndOfRun({ id, state }: OperationRecord): void {
    if (!isEnd(state)) {
      this.#callHost('reporting that it was left open', () => this.host.leftOpen?.(id));
    }
  }

  log(level: 'info' | 'warn', message: string): void {
    this.dependencies.log(level, `${this.work.name}: ${message}`);
  }

  #callHost(what: string, call: () => void): void {
    try {
      call();
    } catch (error) {
      this.log('warn', `${what} failed: ${errorMessageOf(error)}`);
    }
  }
}
