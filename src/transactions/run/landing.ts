import * as l10n from '@vscode/l10n';
import { pause } from '../../base/async/clock';
import { ServiceError } from '../../service/errors';
import type { Landed } from '../../service/transactions';
import { errorMessageOf, OperationError, type OperationErrorDetails } from '../errors';
import { isWorthSending } from '../expiry';
import { type Reason, told } from '../../base/reasons/reason';
import type { OperationRecord } from '../journal/types';
import type { HeldLock } from '../locks/types';
import { journalChanges, lamportsBackOf, measured, type Measured, SERVICE_PATIENCE_MS } from '../outcome/measure';
import { LISTINGS_AFTER_CONFIRMATION, observeNetwork, showsEffect } from '../outcome/observations';
import { OPERATIONS } from '../operations';
import { conclude, type Conclusion, knownByMs, lifetimeOf } from '../outcome/reconcile';
import { reasonWords } from '../../base/reasons/reasonWords';
import type { OperationResult } from '../types';
import {
  answerMessage,
  landingFailure,
  minutesText,
  changesText,
  notCarriedOutError,
  notLandedError,
  sentWords,
  serviceAnswerOf,
  wasNotSent,
} from './landingMessages';
import type { Recorder } from './recorder';
import type { SignedOperation } from './signing';
import type { BuiltOperation, Steps } from './steps';
import { inPartWords, onceResolved } from '../words';
import { determineOutcome } from './waiting';

// A landing that was answered with 429 is retried with the same bytes: the network executes a signature only once. New bytes could execute
// twice, so nothing is built again before the first ones are proven not to have landed (waiting.ts).

const TOO_MANY_REQUESTS = 429;
/** Used if the service doesn't say how long to wait, because its plans count by the minute. Doubles with each failure. */
const FIRST_WAIT_MS = 5_000;
/** Lower bound for services that ask for no wait at all. */
const LEAST_WAIT_MS = 1_000;

/**
 * How long to wait before the same signed transactions are sent again, in milliseconds.
 * @param failures number of failed landings so far, from 1
 * @returns `undefined` if they must not be sent again: the landing failed for another reason
 */
function waitBeforeResending(cause: unknown, failures: number): number | undefined {
  return cause instanceof ServiceError && cause.status === TOO_MANY_REQUESTS
    ? Math.max(LEAST_WAIT_MS, cause.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (failures - 1))
    : undefined;
}

type Settled = Extract<Conclusion, { kind: 'settled' }>;

/** How often, and in which interval, the network is asked for all transactions of a listed effect. */
const PROOF_LOOKS = 4;
const PROOF_EVERY_MS = 2_000;
/** How long the RPC may take to list all transactions, so their effect can be measured. */
const FIGURE_PATIENCE_MS = 2_000;
const RPC_PATIENCE_MS = 30_000;
/** Interval in which the countdown to the next attempt is reported. */
const COUNTDOWN_EVERY_MS = 1_000;
/** The RPC is asked once in so many of these intervals whether the wait still makes sense. */
const INTERVALS_PER_LOOK = 3;

/** `cameTooLate`: it expired, nothing landed (proven), and it may be built again. */
export type LandingResult = OperationResult | { readonly kind: 'cameTooLate'; readonly error: OperationError };
type Signed = SignedOperation['signed'];

/**
 * Hands the signed transactions to the service and waits until the portfolio shows their effect. The hand-over is journaled before it
 * happens; events after it have happened even if they can't be recorded. Once the request may have reached the service, only the chain
 * decides that nothing landed: no status and no message of the service does (waiting.ts).
 */
export class OperationLanding {
  readonly #steps: Steps;
  readonly #recorder: Recorder;

  constructor(steps: Steps, recorder: Recorder) {
    this.#steps = steps;
    this.#recorder = recorder;
  }

  /** @throws OperationError for every failure; its message says what it means for the money */
  async land({ built, signed, lamportsBefore, wallet }: SignedOperation): Promise<LandingResult> {
    let landed: Landed;
    try {
      await this.#submit(await lamportsBefore);
      landed = await this.#handOver(built, signed);
    } catch (cause) {
      if (cause instanceof OperationError) {
        throw cause;
      }
      return await this.#withoutAnswer(built, cause, wallet);
    } finally {
      await this.#giveBack(wallet);
    }
    const { signature } = landed;
    const { position } = built;
    this.#steps.log('info', `landed, signature ${signature ?? 'not reported'}`);
    await this.#recorder.note({ kind: 'landed', signature });
    if (await this.#showsEffect(built)) {
      const shortfall = await this.#settled();
      if (shortfall !== 'open') {
        return { kind: 'settled', signature, position, ...shortfall };
      }
      const code = built.effect === undefined ? 'reportedNotProven' : 'listedNotProven';
      await this.#recorder.note({ kind: 'unconfirmed', reason: { code } });
      const awaits = built.effect === undefined ? 'proof' : 'chain';
      return { kind: 'landedNotListed', awaits, signature, position, stoppedWaiting: this.#steps.isCancelled() };
    }
    this.#steps.log('info', 'landed, not listed yet');
    const stoppedWaiting = this.#steps.isCancelled();
    if (!stoppedWaiting) {
      const code = built.effect === undefined ? 'reportedNotProven' : 'reportedNotListed';
      await this.#recorder.note({ kind: 'unconfirmed', reason: { code } });
    }
    return {
      kind: 'landedNotListed',
      ...(built.effect === undefined ? ({ awaits: 'proof' } as const) : {}),
      signature,
      position,
      stoppedWaiting,
    };
  }

  /** Journals the hand-over: from here on it may land, whatever happens to this process. */
  async #submit(lamportsBefore: bigint | undefined): Promise<void> {
    const { work } = this.#steps;
    if (this.#steps.isCancelled()) {
      throw new OperationError({
        kind: 'notSent',
        what: l10n.t`The ${work.noun} was canceled.`,
        advice: l10n.t('The signed transactions were discarded.'),
      });
    }
    this.#steps.assertHeld();
    this.#steps.report('landing');
    await this.#recorder.write({ kind: 'submitted', lamportsBefore, ...(lamportsBefore === undefined ? {} : { balanceFrom: 'service' }) });
    try {
      // This process may have been suspended, and another one may have taken over.
      await this.#steps.assertStillHeld();
    } catch (error) {
      // It was not handed over, so effects from now on are not its own. A process that has taken over finds the outcome.
      await this.#recorder.note({ kind: 'failed', reason: told(errorMessageOf(error)) });
      throw error;
    }
  }

  async #giveBack(wallet: HeldLock): Promise<void> {
    this.#steps.unguard(wallet);
    await wallet.release();
  }

  /**
   * Sends the transactions; after a 429, sends the same ones again after the requested wait.
   * @throws the error of the last landing
   */
  async #handOver(built: BuiltOperation, signed: Signed): Promise<Landed> {
    for (let failures = 1; ; failures += 1) {
      try {
        // Not cancellable: an unread answer is lost. The service call has its own timeout.
        return await built.land(signed);
      } catch (cause) {
        if (!(await this.#maySendAgain(cause, failures))) {
          throw cause;
        }
      }
    }
  }

  /**
   * Waits as long as the service asks, and journals that the same bytes are sent again.
   * @returns false if they must not be sent again: the user stopped waiting, they landed, they no longer can, or it can't be journaled
   */
  async #maySendAgain(cause: unknown, failures: number): Promise<boolean> {
    const { clock } = this.#steps.dependencies;
    const waitMs = waitBeforeResending(cause, failures);
    if (waitMs === undefined || this.#steps.isCancelled() || !(await this.#isWorthSending(waitMs))) {
      return false;
    }
    const words = answerMessage(cause);
    this.#steps.log('info', `sent, and ${words}; the same is sent again in ${Math.round(waitMs)} ms`);
    await this.#recorder.note({ kind: 'unconfirmed', reason: { code: 'answeredSentAgain', answer: serviceAnswerOf(cause) } });
    for (let leftMs = waitMs, intervals = 1; leftMs > 0 && !this.#steps.isCancelled(); leftMs -= COUNTDOWN_EVERY_MS, intervals += 1) {
      this.#steps.report('waitingToSendAgain', leftMs);
      await pause(Math.min(COUNTDOWN_EVERY_MS, leftMs), this.#steps.signal, clock);
      if (intervals % INTERVALS_PER_LOOK === 0 && !(await this.#isWorthSending(leftMs - COUNTDOWN_EVERY_MS))) {
        return false;
      }
    }
    if (this.#steps.isCancelled() || !(await this.#isWorthSending(0))) {
      return false;
    }
    try {
      await this.#recorder.write({ kind: 'submitted', lamportsBefore: undefined });
      await this.#steps.assertStillHeld();
    } catch (error) {
      this.#steps.log('warn', `not sent again: ${errorMessageOf(error)}`);
      return false;
    }
    this.#steps.report('landing');
    return true;
  }

  /** Whether the same transactions can still land if they are sent again after a wait, and the network has none of them. */
  async #isWorthSending(waitMs: number): Promise<boolean> {
    const { record } = this.#recorder;
    const network = await observeNetwork(record, this.#steps.dependencies.rpc, (message) => this.#steps.log('warn', message));
    const isKnown = network?.statuses.some((status) => status !== undefined) === true;
    return !isKnown && isWorthSending(lifetimeOf(record, this.#nowMs()), network, Math.max(0, waitMs));
  }

  /** The answer, or its absence, doesn't say that it landed. */
  async #withoutAnswer(built: BuiltOperation, cause: unknown, wallet: HeldLock): Promise<LandingResult> {
    // Finding the outcome takes time, and must not keep other operations of the wallet from sending.
    await this.#giveBack(wallet);
    const { noun } = this.#steps.work;
    const { record } = this.#recorder;
    if (wasNotSent(cause) && record.events.filter(({ kind }) => kind === 'submitted').length === 1) {
      const error = new OperationError({
        kind: 'notSent',
        what: l10n.t`The ${noun} could not be sent. ${errorMessageOf(cause)}`,
        advice: onceResolved(),
        cause,
      });
      await this.#recorder.note({ kind: 'expired', reason: { code: 'notSendable', error: errorMessageOf(cause) } });
      throw error;
    }
    this.#steps.log('warn', `sent, and ${answerMessage(cause)}: ${errorMessageOf(cause)}`);
    if (record.state !== 'unconfirmed') {
      await this.#recorder.note({ kind: 'unconfirmed', reason: { code: 'answered', answer: serviceAnswerOf(cause) } });
    }
    await determineOutcome(this.#steps, this.#recorder);
    return this.#foundOut(built, cause);
  }

  /** The result by what the journal has as proven. */
  #foundOut(built: BuiltOperation, cause: unknown): LandingResult {
    const { work, dependencies } = this.#steps;
    const { record } = this.#recorder;
    const { state, reason, landingSignature: signature } = record;
    const words = reason && reasonWords(reason);
    const { position } = built;
    const { slippageBps } = built.intent;
    const landedTransactions = record.events.findLast((event) => event.kind === 'failed')?.landedTransactions ?? 0;
    switch (state) {
      case 'settled':
        return { kind: 'settled', signature, position, ...(reason === undefined ? {} : { shortfall: reason }) };
      case 'landed':
        return { kind: 'landedNotListed', isProven: true, signature, position, stoppedWaiting: this.#steps.isCancelled() };
      case 'expired': {
        const error = new OperationError(notLandedError(cause, work, slippageBps));
        if (landingFailure(cause) === 'expired') {
          return { kind: 'cameTooLate', error };
        }
        throw error;
      }
      case 'failed':
        if (record.isUnclear) {
          throw new OperationError({
            kind: 'mayHaveLanded',
            what: sentWords(work.noun, cause),
            advice: words ?? '',
            lookUp: this.#lookUp(),
            cause,
          });
        }
        throw new OperationError(
          landedTransactions > 0
            ? { kind: 'landedInPart', what: `${inPartWords(work.noun)}${movedText(record)}`, advice: words ?? '', cause }
            : notCarriedOutError(cause, work, slippageBps, words),
        );
      default: {
        const leftMs = knownByMs(record, dependencies.rpc !== undefined) - this.#nowMs();
        throw new OperationError({
          kind: 'mayHaveLanded',
          what: sentWords(work.noun, cause),
          advice: l10n.t`Do not start it again: Activity shows within ${minutesText(leftMs)} whether it landed.`,
          lookUp: this.#lookUp(),
          cause,
        });
      }
    }
  }

  /** How the user can look up a transaction that may have landed. */
  #lookUp(): OperationErrorDetails['lookUp'] {
    const signature = this.#recorder.record.signatures.at(-1);
    return signature === undefined ? undefined : { signature, hasExplorer: this.#steps.dependencies.hasExplorer === true };
  }

  /**
   * Its effect is listed: journals that it settled, and what it changed. With an RPC, only its own transactions settle it: if the network
   * doesn't have all of them and the others may still land, the operation stays open and the watcher continues.
   */
  async #settled(): Promise<'open' | { readonly shortfall?: Reason }> {
    const conclusion = await this.#concluded();
    if (conclusion === undefined) {
      return 'open';
    }
    const change = await this.#measured(conclusion.landedTransactions ?? 'all');
    const lamportsBack = lamportsBackOf(this.#recorder.record, change);
    if (lamportsBack === undefined && this.#mayBeMeasuredLater()) {
      return 'open';
    }
    await this.#recorder.note({ ...conclusion, lamportsBack, changes: journalChanges(change) });
    return conclusion.shortfall === undefined ? {} : { shortfall: conclusion.shortfall };
  }

  /** The conclusion from the network, with some time for it to learn of all transactions; `undefined`: there is none yet. */
  async #concluded(): Promise<Settled | undefined> {
    const { rpc, clock } = this.#steps.dependencies;
    const { record } = this.#recorder;
    if (rpc === undefined) {
      return { kind: 'settled', lamportsBack: undefined, shortfall: undefined };
    }
    for (let looks = 1; ; looks += 1) {
      const network = await observeNetwork(record, rpc, (message) => this.#steps.log('warn', message));
      const listed = { showing: LISTINGS_AFTER_CONFIRMATION, notShowing: 0 };
      const conclusion = conclude(record, { nowMs: this.#nowMs(), network, hasRpc: true, ...listed });
      if (conclusion?.kind === 'settled') {
        return conclusion;
      }
      if (looks === PROOF_LOOKS || this.#steps.isCancelled()) {
        this.#steps.log('warn', 'its effect shows, and the network does not have all of its transactions yet');
        return undefined;
      }
      await pause(PROOF_EVERY_MS, this.#steps.signal, clock);
    }
  }

  /** Whether the proceeds must be known and the watcher may still measure them: there is an RPC, or the user stopped waiting here. */
  #mayBeMeasuredLater(): boolean {
    const { dependencies, work } = this.#steps;
    return (
      OPERATIONS[work.subject.operation].isMeasured &&
      dependencies.parent !== undefined &&
      (dependencies.rpc !== undefined || this.#steps.isCancelled())
    );
  }

  async #measured(landed: 'all' | number): Promise<Measured | undefined> {
    const { dependencies, work } = this.#steps;
    const { isMeasured } = OPERATIONS[work.subject.operation];
    if (!isMeasured && dependencies.rpc === undefined) {
      return undefined;
    }
    // The proceeds of a rebalance are re-entered: worth a longer wait. Otherwise they are only shown.
    const isForReentry = isMeasured && dependencies.parent !== undefined;
    const { rpc, service } = dependencies;
    const patienceMs = !isForReentry ? FIGURE_PATIENCE_MS : rpc === undefined ? SERVICE_PATIENCE_MS : RPC_PATIENCE_MS;
    return measured(
      this.#recorder.record,
      { ...dependencies, service: isForReentry ? service : undefined },
      { landed, patienceMs, signal: this.#steps.signal },
    );
  }

  /** The time for ages of this operation (`nowFor` of the journal). */
  #nowMs(): number {
    return this.#steps.dependencies.journal.nowFor(this.#recorder.record);
  }

  /** Whether lists show the effect; of what they do not show, whether the chain can be asked. */
  async #showsEffect({ effect }: BuiltOperation): Promise<boolean> {
    if (effect === undefined) {
      this.#steps.report('findingOut');
      return this.#steps.dependencies.rpc !== undefined;
    }
    this.#steps.report('waitingForEffect');
    try {
      return await showsEffect(
        { effect, listings: LISTINGS_AFTER_CONFIRMATION, isOfThis: () => this.#steps.switched() === undefined },
        this.#steps.dependencies,
        this.#steps.signal,
      );
    } catch (error) {
      this.#steps.log('warn', `looking for the effect failed: ${errorMessageOf(error)}`);
      return false;
    }
  }
}

/** " Change in your wallet, with fees and rent: +12.5 BONK, −0.0104 SOL."; empty if the transactions were not read. */
function movedText(record: OperationRecord): string {
  const moved = changesText(record);
  return moved === undefined ? '' : ` ${l10n.t`Change in your wallet, with fees and rent: ${moved}.`}`;
}
