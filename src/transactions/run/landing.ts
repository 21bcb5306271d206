import * as l10n from '@vscode/l10n';
import { pause } from '../../base/async/clock';
import { ServiceError } from '../../service/errors';
import type { Landed } from '../../service/transactions';
import { errorMessageOf, OperationError } from '../errors';
import type { OperationRecord } from '../journal/types';
import type { HeldLock } from '../locks/types';
import { type Balance, journalChanges, lamportsBackOf, measured, type Measured, SERVICE_PATIENCE_MS } from '../outcome/measure';
import {
  LISTINGS_AFTER_CONFIRMATION,
  observeNetwork,
  observeStatuses,
  showsEffect,
  type NetworkObservation,
} from '../outcome/observations';
import { canLand, conclude, type Conclusion, knownByMs } from '../outcome/reconcile';
import { MAY_LAND_MS } from '../signedAttempts';
import type { OperationResult } from '../types';
import {
  answerCode,
  answerMessage,
  landingFailure,
  minutesText,
  changesText,
  notCarriedOutError,
  notLandedError,
  wasNotSent,
} from './landingMessages';
import type { PreparationResult } from './preparation';
import type { Recorder } from './recorder';
import type { BuiltOperation, Steps } from './steps';
import { determineOutcome } from './waiting';

// A landing that is answered 429 is sent again with the same bytes. The network executes a signature once, so sending it twice cannot execute
// anything twice. New bytes could: nothing is built again before it is proven that the first ones did not land (waiting.ts).

const TOO_MANY_REQUESTS = 429;
/** Where the service does not say how long to wait: its plans count by the minute. Doubled with each further time. */
const FIRST_WAIT_MS = 5_000;
/** A service that asks for no wait at all is not asked at once again. */
const LEAST_WAIT_MS = 1_000;
/** What sending and landing take: what is sent later than that before its end comes too late. */
const LANDING_TAKES_MS = 2_000;

/**
 * How long to wait before the same signed transactions are sent again, milliseconds; `undefined`: they are not, since that was not why
 * the landing failed, or they could not land any more after the wait.
 * @param failures how often the landing was answered with a failure, from 1
 * @param ageMs how long ago the transactions were built; less than 0 on a clock that was set back
 */
export function waitBeforeResending(cause: unknown, failures: number, ageMs: number): number | undefined {
  if (!(cause instanceof ServiceError) || cause.status !== TOO_MANY_REQUESTS) {
    return undefined;
  }
  const waitMs = Math.max(LEAST_WAIT_MS, cause.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (failures - 1));
  return isWorthSending(Math.max(0, ageMs) + waitMs) ? waitMs : undefined;
}

/** Whether transactions of this age, milliseconds, can still land when they are sent now. Which is for the chain to say: this only saves a request. */
export function isWorthSending(ageMs: number): boolean {
  return ageMs + LANDING_TAKES_MS < MAY_LAND_MS;
}

type Settled = Extract<Conclusion, { kind: 'settled' }>;
type Statuses = NetworkObservation['statuses'];

const WHOLE: Settled = { kind: 'settled', lamportsBack: undefined, shortfall: undefined };
const notAllShows = () =>
  l10n.t(
    'Your positions show the change, but the network does not show all of the transactions yet. Binsight is checking which of them landed and what they brought.',
  );
/** How often, and how far apart, the network is asked for the rest of what has landed in part. */
const PART_LOOKS = 4;
const PART_EVERY_MS = 2_000;
/** How long the RPC may take to have all transactions, so that it can be measured what they brought. */
const FIGURE_PATIENCE_MS = 2_000;
const RPC_PATIENCE_MS = 30_000;
/** How often the countdown to the next sending is reported. */
const COUNTDOWN_EVERY_MS = 1_000;

/** What came of handing it over; `cameTooLate`: it is proven that nothing landed, since it expired, and it may be built again. */
export type LandingResult = OperationResult | { readonly kind: 'cameTooLate'; readonly error: OperationError };
type Signed = Extract<PreparationResult, { kind: 'signed' }>['signed'];

/**
 * Hands what is signed to the service, and waits until the portfolio shows it. That it is handed over is in the journal before;
 * what comes after that moment has happened, even where it can no longer be recorded. Once the request may have reached the
 * service, only the chain decides that nothing landed: no status and no words of the service do (waiting.ts).
 */
export class Landing {
  readonly #steps: Steps;
  readonly #recorder: Recorder;

  constructor(steps: Steps, recorder: Recorder) {
    this.#steps = steps;
    this.#recorder = recorder;
  }

  /** @throws OperationError for whatever fails; it says what that means for the money. */
  async land(built: BuiltOperation, { signed, before, wallet }: Extract<PreparationResult, { kind: 'signed' }>): Promise<LandingResult> {
    let landed: Landed;
    try {
      await this.#submit(await before);
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
    // Asked while the listing is waited for.
    const statuses = observeStatuses(this.#recorder.record, this.#steps.dependencies.rpc);
    if (await this.#showsEffect(built, LISTINGS_AFTER_CONFIRMATION)) {
      const shortfall = await this.#settled(LISTINGS_AFTER_CONFIRMATION, await statuses);
      if (shortfall !== 'open') {
        return { kind: 'settled', signature, position, ...shortfall };
      }
      await this.#recorder.note({ kind: 'unconfirmed', reason: notAllShows() });
      return { kind: 'landedNotListed', signature, position, stoppedWaiting: this.#steps.isCancelled() };
    }
    this.#steps.log('info', 'landed, not listed yet');
    const stoppedWaiting = this.#steps.isCancelled();
    if (!stoppedWaiting) {
      await this.#recorder.note({
        kind: 'unconfirmed',
        reason: l10n.t('The service reports that it landed, but does not list the change yet.'),
      });
    }
    return { kind: 'landedNotListed', signature, position, stoppedWaiting };
  }

  /** Writes down that it is handed over: from then on it may land, whatever happens to this process. */
  async #submit(before: Balance | undefined): Promise<void> {
    const { work } = this.#steps;
    if (this.#steps.isCancelled()) {
      throw new OperationError({
        kind: 'notSent',
        what: l10n.t`The ${work.noun} was cancelled after signing, before sending.`,
        advice: l10n.t('The signed transactions were discarded.'),
      });
    }
    this.#steps.assertHeld();
    this.#steps.report('landing');
    await this.#recorder.write({ kind: 'submitted', lamportsBefore: before?.lamports, balanceFrom: before?.from });
    try {
      // This process may have stood still, and somebody else may have gone on in its place.
      await this.#steps.assertStillHeld();
    } catch (error) {
      // It is not handed over: what shows from now on is not its doing. Where another one has taken it up, that one finds out.
      await this.#recorder.note({ kind: 'failed', reason: errorMessageOf(error) });
      throw error;
    }
  }

  async #giveBack(wallet: HeldLock): Promise<void> {
    this.#steps.unguard(wallet);
    await wallet.release();
  }

  /** Sends it; where the service has had too many requests, the same once more after the wait that it asks for. @throws what the last landing was answered with */
  async #handOver(built: BuiltOperation, signed: Signed): Promise<Landed> {
    for (let failures = 1; ; failures += 1) {
      try {
        // Not cancelled with the rest: an answer that is not waited for is an answer lost. The service call has its own time limit.
        return await built.land(signed);
      } catch (cause) {
        if (!(await this.#maySendAgain(cause, failures))) {
          throw cause;
        }
      }
    }
  }

  /**
   * Waits as long as the service asks to, and writes down that the same bytes are sent again. False: they are not, be it that the user does not
   * want to wait, that they landed already, that they no longer can, or that it cannot be written down.
   */
  async #maySendAgain(cause: unknown, failures: number): Promise<boolean> {
    const { clock, rpc } = this.#steps.dependencies;
    const ageMs = (): number => this.#nowMs() - (this.#recorder.record.built?.atMs ?? Number.NEGATIVE_INFINITY);
    const waitMs = waitBeforeResending(cause, failures, ageMs());
    if (waitMs === undefined || this.#steps.isCancelled()) {
      return false;
    }
    const words = answerMessage(cause);
    this.#steps.log('info', `sent, and ${words}; the same is sent again in ${Math.round(waitMs)} ms`);
    await this.#recorder.note({
      kind: 'unconfirmed',
      code: answerCode(cause),
      reason: l10n.t`It was sent, and ${words}. Binsight waits as long as the service asks, then sends the same signed transactions again.`,
    });
    for (let leftMs = waitMs; leftMs > 0 && !this.#steps.isCancelled(); leftMs -= COUNTDOWN_EVERY_MS) {
      this.#steps.report('waitingToSendAgain', leftMs);
      await pause(Math.min(COUNTDOWN_EVERY_MS, leftMs), this.#steps.signal, clock);
    }
    const network = await observeNetwork(this.#recorder.record, rpc, (message) => this.#steps.log('warn', message));
    const isKnown = network?.statuses.some((status) => status !== undefined) === true;
    const isOver = network !== undefined && !canLand(this.#recorder.record, { nowMs: this.#nowMs(), network });
    if (this.#steps.isCancelled() || isKnown || isOver || !isWorthSending(ageMs())) {
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

  /** The answer, or its absence, does not say that it landed. */
  async #withoutAnswer(built: BuiltOperation, cause: unknown, wallet: HeldLock): Promise<LandingResult> {
    // Looking for it takes its time, and is no reason to keep others from sending.
    await this.#giveBack(wallet);
    const { noun } = this.#steps.work;
    const { record } = this.#recorder;
    if (wasNotSent(cause) && record.events.filter(({ kind }) => kind === 'submitted').length === 1) {
      const error = new OperationError({
        kind: 'notSent',
        what: l10n.t`The ${noun} was signed but could not be sent. ${errorMessageOf(cause)}`,
        advice: l10n.t('Try again once this is resolved.'),
        cause,
      });
      await this.#recorder.note({
        kind: 'expired',
        reason: l10n.t`It could not be sent; the signed transactions were discarded. ${errorMessageOf(cause)}`,
      });
      throw error;
    }
    this.#steps.log('warn', `sent, and ${answerMessage(cause)}: ${errorMessageOf(cause)}`);
    if (record.state !== 'unconfirmed') {
      await this.#recorder.note({
        kind: 'unconfirmed',
        code: answerCode(cause),
        reason: l10n.t`It was sent, and ${answerMessage(cause)}.`,
      });
    }
    await determineOutcome(this.#steps, this.#recorder);
    return this.#foundOut(built, cause);
  }

  /** What became of it is in the journal, as far as it could be proven. */
  #foundOut(built: BuiltOperation, cause: unknown): LandingResult {
    const { work, dependencies } = this.#steps;
    const { record } = this.#recorder;
    const { state, reason, landingSignature: signature } = record;
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
            what: l10n.t`The ${work.noun} was sent, and ${answerMessage(cause)}.`,
            advice: reason ?? '',
            cause,
          });
        }
        throw new OperationError(
          landedTransactions > 0
            ? {
                kind: 'landedInPart',
                what: l10n.t`The ${work.noun} was partially executed.${movedText(record)}`,
                advice: reason ?? '',
                cause,
              }
            : notCarriedOutError(cause, work, slippageBps, reason),
        );
      default: {
        const leftMs = knownByMs(record, dependencies.rpc !== undefined) - this.#nowMs();
        throw new OperationError({
          kind: 'mayHaveLanded',
          what: this.#steps.isCancelled()
            ? l10n.t`The ${work.noun} was sent, and ${answerMessage(cause)}; you stopped waiting for proof.`
            : l10n.t`The ${work.noun} was sent, and ${answerMessage(cause)}.`,
          advice:
            leftMs > 0
              ? l10n.t`Don't start it again: Activity shows within ${minutesText(leftMs)} whether it landed.`
              : l10n.t("Don't start it again: Activity shows whether it landed as soon as that is known."),
          cause,
        });
      }
    }
  }

  /**
   * Its effect shows: writes that it has happened, and what it brought. Transactions are not one step on a real chain: where the network
   * has some of them and not the others, and these may still land, it stays open, and the watcher goes on with it.
   */
  async #settled(listings: number, statuses: Statuses | undefined): Promise<'open' | { readonly shortfall?: string }> {
    const conclusion = isWhole(statuses) ? WHOLE : await this.#concluded(listings);
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

  /** What the network says of it, given a moment to hear of all of it; `undefined`: a part of it has landed, and the rest may yet. */
  async #concluded(listings: number): Promise<Settled | undefined> {
    const { rpc, clock } = this.#steps.dependencies;
    for (let looks = 1; ; looks += 1) {
      const network = await observeNetwork(this.#recorder.record, rpc, (message) => this.#steps.log('warn', message));
      // Where the network does not know any of it, the listing has to do.
      if (network === undefined || isWhole(network.statuses) || network.statuses.every((status) => status === undefined)) {
        return WHOLE;
      }
      const conclusion = conclude(this.#recorder.record, { nowMs: this.#nowMs(), network, showing: listings, notShowing: 0 });
      if (conclusion?.kind === 'settled') {
        return conclusion;
      }
      if (looks === PART_LOOKS || this.#steps.isCancelled()) {
        this.#steps.log('warn', 'its effect shows, and the network does not have all of its transactions yet');
        return undefined;
      }
      await pause(PART_EVERY_MS, this.#steps.signal, clock);
    }
  }

  /** Whether what came out has to be known, and the watcher may find it out: there is an RPC, or the user did not wait for it here. */
  #mayBeMeasuredLater(): boolean {
    const { dependencies, work } = this.#steps;
    return (
      work.subject.operation === 'zapOut' &&
      dependencies.parent !== undefined &&
      (dependencies.rpc !== undefined || this.#steps.isCancelled())
    );
  }

  async #measured(landed: 'all' | number): Promise<Measured | undefined> {
    const { dependencies, work } = this.#steps;
    if (work.subject.operation !== 'zapOut' && dependencies.rpc === undefined) {
      return undefined;
    }
    // What is put back has to be known, and is worth waiting for; else it is a figure for the user.
    const isToBePutBack = work.subject.operation === 'zapOut' && dependencies.parent !== undefined;
    const { rpc, service } = dependencies;
    const patienceMs = !isToBePutBack ? FIGURE_PATIENCE_MS : rpc === undefined ? SERVICE_PATIENCE_MS : RPC_PATIENCE_MS;
    return measured(
      this.#recorder.record,
      { ...dependencies, service: isToBePutBack ? service : undefined },
      { landed, patienceMs, signal: this.#steps.signal },
    );
  }

  /** The time by which its age is told. */
  #nowMs(): number {
    return this.#steps.dependencies.journal.nowFor(this.#recorder.record);
  }

  async #showsEffect({ effect }: BuiltOperation, listings: number): Promise<boolean> {
    this.#steps.report('waitingForEffect');
    try {
      return await showsEffect(
        { effect, listings, isOfThis: () => this.#steps.switched() === undefined },
        this.#steps.dependencies,
        this.#steps.signal,
      );
    } catch (error) {
      this.#steps.log('warn', `looking for the effect failed: ${errorMessageOf(error)}`);
      return false;
    }
  }
}

/** " Change in your wallet, including fees and rent: +12.5 BONK, −0.0104 SOL."; empty where the transactions were not read. */
function movedText(record: OperationRecord): string {
  const moved = changesText(record);
  return moved === undefined ? '' : l10n.t` Change in your wallet, including fees and rent: ${moved}.`;
}

/** Whether all of it has landed, and was carried out. */
function isWhole(statuses: Statuses | undefined): boolean {
  return statuses !== undefined && statuses.length > 0 && statuses.every((status) => status !== undefined && status.error === undefined);
}
