import * as l10n from '@vscode/l10n';
import { operationNoun } from '../../base/operationKinds';
import { runWithin } from '../../base/http';
import { errorMessageOf, OperationError } from '../errors';
import { type Reason, told } from '../../base/reasons/reason';
import type { OperationRecord } from '../journal/types';
import type { HeldLock } from '../locks/types';
import { hasAdvanced, watermarkOf } from '../outcome/observations';
import { completionOf } from '../outcome/partialExecution';
import { OPERATIONS, type Target, withdrawalOf } from '../operations';
import { openAttempts, stillUnderWayByChain, withUnknownOutcome } from '../signedAttempts';
import { lockedTargets } from '../target';
import type { OperationDependencies, OperationHost, OperationResult, ReapprovalReason } from '../types';
import { OperationLanding, type LandingResult } from './landing';
import { Preparation, type PreparationResult } from './preparation';
import { Recorder } from './recorder';
import { confirmsRepetition } from './repetition';
import { CancelledError, type OperationSpec, Steps } from './steps';
import { waitForEarlier } from './waiting';
import { onceResolved, checkThenStart, journalUnreadWords, stoppedWords } from '../words';
import { maybeCompletedWords } from '../../base/reasons/reasonWords';

/**
 * Runs an operation: build, review, approve, sign, land, wait for the effect. Each step is journaled before the next one begins.
 *
 * Only what the review has sealed is signed, and only what the user has approved: the transactions that they were shown or, once those have
 * expired, others that are equal or better in every respect (review/approval). They are asked again if there are no such ones, if the user's
 * RPC finds them worse right before signing, or if they expired and it is proven that nothing of them landed (landing.ts). A cancellation
 * before landing ends the operation with nothing sent; later it only ends the wait, and the watcher (watcher.ts) continues. Locks keep all
 * windows from working on the same position or pool meanwhile, also while an earlier operation may still land there.
 * @throws OperationError for every failure; its message says what it means for the money
 */
export async function runOperation(
  work: OperationSpec,
  dependencies: OperationDependencies,
  host: OperationHost,
  signal: AbortSignal,
): Promise<OperationResult> {
  return new Run(new Steps(work, dependencies, host, signal)).run();
}

/** How often an operation that expired before it landed is built again. */
const MOST_REBUILDS = 2;
/** How long to wait for a lock that a watcher may hold briefly while it inspects an earlier operation. */
const LOCK_PATIENCE_MS = 1_000;

class Run {
  readonly #steps: Steps;
  /** Operations that this run has begun: before it builds again, they are proven not to have landed. */
  readonly #own = new Set<string>();
  /** Operations that may have landed, and that the user repeats all the same. */
  readonly #repeated = new Set<string>();

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  async run(): Promise<OperationResult> {
    try {
      return await this.#run();
    } catch (error) {
      if (error instanceof CancelledError) {
        this.#steps.log('info', 'cancelled; nothing was sent');
        return { kind: 'declined' };
      }
      this.#steps.log('warn', errorMessageOf(error));
      throw error;
    }
  }

  async #run(): Promise<OperationResult> {
    const { work, dependencies } = this.#steps;
    const targets = await this.#targets();
    let hasTried = false;
    try {
      if (OPERATIONS[work.subject.operation].isWaiting && dependencies.waitsForEarlier === true) {
        // If the wait was too short, the review counts what may still be spent.
        await waitForEarlier(this.#steps);
      }
      for (let again = 0; ; again += 1) {
        const result = await this.#attempt(again === 0 ? undefined : 'firstTryDidNotLand');
        if (result.kind !== 'cameTooLate') {
          return again > 0 && (result.kind === 'declined' || result.kind === 'blocked') ? { ...result, isAfterFirstTry: true } : result;
        }
        if (again === MOST_REBUILDS) {
          throw result.error;
        }
        this.#steps.log('info', 'it came too late to land; it is proven that nothing landed, and it is built again');
        hasTried = true;
      }
    } catch (error) {
      if (hasTried && error instanceof CancelledError) {
        return { kind: 'declined', isAfterFirstTry: true };
      }
      throw hasTried && error instanceof OperationError ? error.afterFirstTry() : error;
    } finally {
      await Promise.all(targets.map((target) => target.release()));
    }
  }

  /** One journaled operation from beginning to end. */
  async #attempt(reason: ReapprovalReason | undefined): Promise<LandingResult> {
    const { work, dependencies } = this.#steps;
    const { journal, locks, serviceId, parent, finishes } = dependencies;
    const records = await this.#records();
    const recorder = await Recorder.begin(
      { ...work.subject, service: serviceId, parent, finishes },
      { journal, locks, noun: work.noun, log: (message) => this.#steps.log('warn', message) },
    );
    this.#own.add(recorder.id);
    try {
      this.#steps.guard(recorder.lock);
      this.#steps.reportBegan(recorder.id);
      const preparation = new Preparation(
        this.#steps,
        recorder,
        openAttempts(records, work.subject, (record) => journal.nowFor(record)),
      );
      const decision = await this.#decided(preparation, recorder, reason);
      if (decision.kind !== 'signed') {
        return decision.kind === 'blocked' ? decision : { kind: 'declined' };
      }
      const result = await new OperationLanding(this.#steps, recorder).land(decision);
      if (result.kind === 'settled') {
        this.#steps.reportSettled(recorder.record);
      }
      return result;
    } catch (error) {
      await this.#noteFailure(recorder, error);
      throw error instanceof OperationError ? error.of(recorder.id) : error;
    } finally {
      this.#steps.unguard(recorder.lock);
      // Before it is released: from then on, any window may find its outcome.
      this.#steps.reportEndOfRun(recorder.record);
      await recorder.close();
    }
  }

  /** Prepares until there is a decision about transactions that have not expired. */
  async #decided(preparation: Preparation, recorder: Recorder, first: ReapprovalReason | undefined): Promise<PreparationResult> {
    for (let reason = first; ; reason = first ?? 'tookTooLong') {
      const decision = await preparation.prepare(reason);
      switch (decision.kind) {
        case 'blocked':
          await recorder.note({
            kind: 'abandoned',
            reason: { code: 'blocked', finding: decision.review.findings.find(({ verdict }) => verdict === 'block')?.message },
          });
          return decision;
        case 'declined':
          this.#steps.log('info', 'declined; nothing was signed');
          await recorder.note({ kind: 'abandoned', reason: { code: 'declined' } });
          return decision;
        case 'signed':
          return decision;
        case 'tookTooLong':
          this.#steps.log('info', 'the quote is too old to sign; nothing was signed, and it is built again');
      }
    }
  }

  /** Ends an operation that was not sent; the outcome of a sent one is journaled where it is found. */
  async #noteFailure(recorder: Recorder, error: unknown): Promise<void> {
    if (recorder.isSubmitted) {
      return;
    }
    const isCancelled = error instanceof CancelledError || (error instanceof OperationError && error.kind === 'notSent');
    const isTooCostly = error instanceof OperationError && error.kind === 'tooCostly';
    const reason: Reason = isCancelled ? { code: 'canceled' } : told(errorMessageOf(error));
    await recorder.note({ kind: isCancelled || isTooCostly ? 'abandoned' : 'failed', reason });
  }

  /** Takes the locks of the positions or the pool: all of them, or none. */
  async #targets(): Promise<readonly HeldLock[]> {
    const held: HeldLock[] = [];
    try {
      for (const target of lockedTargets(this.#steps.work.subject)) {
        held.push(await this.#target(target));
      }
      return held;
    } catch (error) {
      await Promise.all(held.map((lock) => lock.release()));
      throw error;
    }
  }

  async #target({ lock, noun }: Target): Promise<HeldLock> {
    const { work, dependencies, signal } = this.#steps;
    if (this.#steps.isCancelled()) {
      throw new CancelledError();
    }
    const { locks } = dependencies;
    let held: HeldLock | undefined;
    try {
      held =
        (await locks.tryAcquire(lock)) ??
        (await runWithin(signal, LOCK_PATIENCE_MS, (limited) => locks.acquire(lock, limited)).catch(() => undefined));
    } catch (cause) {
      throw new OperationError({
        kind: 'notRecorded',
        what: stoppedWords(work.noun, errorMessageOf(cause)),
        advice: onceResolved(),
        cause,
      });
    }
    if (held === undefined) {
      if (this.#steps.isCancelled()) {
        throw new CancelledError();
      }
      throw new OperationError({
        kind: 'underWay',
        what: l10n.t`Another window is working on this ${noun}.`,
        advice: l10n.t('Check Activity. If that window was closed, try again in half a minute.'),
      });
    }
    this.#steps.guard(held);
    return held;
  }

  /** @throws OperationError if an earlier operation on the same position or pool may still land, or see {@link Run.#confirmRepetition} */
  async #records(): Promise<readonly OperationRecord[]> {
    const { work, dependencies } = this.#steps;
    const { records } = await this.#steps.run(
      () => dependencies.journal.read(),
      (cause) => ({ kind: 'notRecorded', what: stoppedWords(work.noun, journalUnreadWords(cause)), advice: onceResolved(), cause }),
    );
    const nowFor = (record: OperationRecord): number => dependencies.journal.nowFor(record);
    const earlier = await stillUnderWayByChain(records, work.subject, nowFor, dependencies.rpc, this.#steps.signal);
    if (earlier !== undefined) {
      throw new OperationError({
        kind: 'underWay',
        what: l10n.t`The outcome of an earlier ${operationNoun(earlier.created.operation)} is not known yet.`,
        advice: l10n.t('Activity shows the outcome within a few minutes.'),
      });
    }
    this.#assertListedSince(records);
    this.#assertUnfinished(records);
    await this.#confirmRepetition(withUnknownOutcome(records, work.subject, nowFor));
    return records;
  }

  /** @throws CancelledError if the user does not repeat what may have landed, and OperationError if nobody can be asked */
  async #confirmRepetition(unknown: readonly OperationRecord[]): Promise<void> {
    const { dependencies, host } = this.#steps;
    const earlier = unknown.filter(({ id }) => id !== dependencies.finishes && !this.#repeated.has(id));
    if (!(await confirmsRepetition(earlier, host))) {
      throw new CancelledError();
    }
    earlier.forEach(({ id }) => this.#repeated.add(id));
  }

  /**
   * @throws OperationError if another operation on the position has progressed since it was listed: its effect would be attributed to this
   * one
   */
  #assertListedSince(records: readonly OperationRecord[]): void {
    const {
      subject: { plan, owner },
      listedAfter,
    } = this.#steps.work;
    const withdrawal = withdrawalOf(plan);
    if (
      withdrawal !== undefined &&
      listedAfter !== undefined &&
      hasAdvanced(
        listedAfter,
        watermarkOf(
          records.filter(({ id }) => !this.#own.has(id)),
          owner,
          withdrawal.position,
        ),
      )
    ) {
      throw new OperationError({
        kind: 'underWay',
        what: l10n.t('Another operation changed this position since it was loaded.'),
        advice: checkThenStart(),
      });
    }
  }

  /** @throws OperationError if another operation has completed the interrupted one, or may have */
  #assertUnfinished(records: readonly OperationRecord[]): void {
    const { finishes } = this.#steps.dependencies;
    if (finishes !== undefined && completionOf({ id: finishes }, records) !== undefined) {
      throw new OperationError({ kind: 'underWay', what: maybeCompletedWords(), advice: '' });
    }
  }
}
