import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import type { Base64Transaction } from '../../base/solana/wireTransaction';
import type { Intent, TransactionGroup } from '../../review/types';
import type { Landed } from '../../service/transactions';
import { errorMessageOf, OperationError, type OperationErrorDetails } from '../errors';
import type { OperationRecord } from '../journal/types';
import type { HeldLock } from '../locks/types';
import type { Effect } from '../outcome/evidence';
import type { JournalWatermark } from '../outcome/observations';
import type { OperationDescriptor } from '../target';
import type { OperationDependencies, OperationHost, OperationStep } from '../types';

/** What is particular to one kind of operation. */
export interface OperationSpec {
  /** "Zap-out of ADDRESS": in the log. */
  readonly name: string;
  /** "zap-out": in sentences. */
  readonly noun: string;
  readonly subject: OperationDescriptor;
  /** What the list that it begins from is younger than: what was done to the same position since would be taken for its effect. */
  readonly listedAfter?: JournalWatermark | undefined;
  /** Asks the service to build it. */
  build(signal: AbortSignal): Promise<BuiltOperation>;
}

/** Gives the signed transactions of one group, in the order in which they were built. */
export type SignedGroups = (group: TransactionGroup) => readonly Base64Transaction[];

/** What the service built, and how it goes on from there. */
export interface BuiltOperation {
  readonly intent: Intent;
  /** In the order in which they land. */
  readonly transactions: readonly { readonly group: TransactionGroup; readonly base64: Base64Transaction }[];
  /** Block height after which they cannot land. */
  readonly lastValidBlockHeight: number | undefined;
  /** The position that is left, or made. */
  readonly position: Address | undefined;
  /** Hands them back to be landed. */
  land(signed: SignedGroups): Promise<Landed>;
  readonly effect: Effect;
}

/** The user has cancelled, and nothing was sent. */
export class CancelledError extends Error {}

/** What all steps of an operation have in common: they tell what is being done, and end where they are cancelled or a lock is lost. */
export class Steps {
  readonly #lost = new AbortController();
  readonly #locks = new Set<HeldLock>();

  constructor(
    readonly work: OperationSpec,
    readonly dependencies: OperationDependencies,
    readonly host: OperationHost,
    readonly signal: AbortSignal,
  ) {}

  /** Has the operation end where this lock is lost before anything is sent. */
  guard(lock: HeldLock): void {
    const { lost } = lock;
    this.#locks.add(lock);
    if (lost.aborted) {
      this.#lost.abort();
    } else {
      lost.addEventListener('abort', () => this.#lost.abort(), { once: true, signal: this.#lost.signal });
    }
  }

  /**
   * Runs a step before anything is sent. A cancellation, or a lost lock, ends it at once.
   * @throws Cancelled, and the error that `failure` words.
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

  /** The lock has been given back: nothing depends on it any more. */
  unguard(lock: HeldLock): void {
    this.#locks.delete(lock);
  }

  /**
   * Asks the disk, once more: a process that stood still does not know yet that it has lost a lock.
   * @throws OperationError where it has.
   */
  async assertStillHeld(): Promise<void> {
    const held = await Promise.all([...this.#locks].map((lock) => lock.isStillHeld()));
    if (held.includes(false)) {
      this.#lost.abort();
    }
    this.assertHeld();
  }

  /** @throws OperationError where a lock was lost: what it guards must not go on. */
  assertHeld(): void {
    if (this.#lost.signal.aborted) {
      throw new OperationError({
        kind: 'interrupted',
        what: l10n.t`The ${this.work.noun} was stopped: this window was suspended, and another one may have taken over.`,
        advice: l10n.t('Check your positions and Activity, then start again.'),
      });
    }
  }

  /** @throws OperationError where another service or wallet is in use than when the user chose. */
  assertNothingSwitched(kind: 'notBuilt' | 'notSigned'): void {
    const switched = this.switched();
    if (switched !== undefined) {
      throw new OperationError({
        kind,
        what: l10n.t`The ${this.work.noun} was stopped. ${switched}`,
        advice: l10n.t('Switch back, or start again.'),
      });
    }
  }

  /** What is in use now in place of what the operation began with, in words. */
  switched(): string | undefined {
    const { portfolio, isServiceInUse } = this.dependencies;
    if (!isServiceInUse()) {
      return l10n.t('Another service is in use now.');
    }
    return portfolio.snapshot.owner === this.work.subject.owner ? undefined : l10n.t('Another wallet is in use now.');
  }

  isCancelled(): boolean {
    return this.signal.aborted;
  }

  /** A surface that fails must not keep the operation from its end: least of all once something was sent. */
  report(step: OperationStep, leftMs?: number): void {
    this.#callHost(`reporting "${step}"`, () => (leftMs === undefined ? this.host.report(step) : this.host.report(step, leftMs)));
  }

  /** Tells the surface which operation of the journal it is. */
  reportBegan(operation: string): void {
    this.#callHost('reporting its id', () => this.host.began?.(operation));
  }

  /** Tells what the journal has of an operation that has settled. */
  reportSettled(record: OperationRecord): void {
    this.#callHost('reporting that it has settled', () => this.host.settled?.(record));
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
