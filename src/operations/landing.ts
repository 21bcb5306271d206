import type { Landed } from '../api/records/transactions';
import { OperationError, wordsOf } from './errors';
import { lamportsBack } from './lamportsBack';
import { landingError, landingFailure } from './landingFailure';
import type { HeldLock } from './locks/types';
import type { Decision } from './preparation';
import type { Recorder } from './recorder';
import { LISTINGS_WITH_WORD, LISTINGS_WITHOUT_WORD, showsEffect } from './settling';
import type { Steps } from './steps';
import type { OperationResult } from './types';
import type { Built } from './work';

/** What came of handing it over; `cameTooLate`: nothing landed, and it may be built anew. */
export type LandingResult = OperationResult | { readonly kind: 'cameTooLate'; readonly error: OperationError };

/**
 * Hands what is signed to the service, and waits until the portfolio shows it. That it is handed over is in the journal before;
 * whatever comes after that moment has happened, also where it cannot be written any more.
 */
export class Landing {
  readonly #steps: Steps;
  readonly #recorder: Recorder;

  constructor(steps: Steps, recorder: Recorder) {
    this.#steps = steps;
    this.#recorder = recorder;
  }

  /** @throws OperationError for whatever fails; it says what that means for the money. */
  async land(built: Built, { signed, lamportsBefore, wallet }: Extract<Decision, { kind: 'signed' }>): Promise<LandingResult> {
    let landed: Landed;
    try {
      await this.#submit(await lamportsBefore);
      // Not cancelled with the rest: an answer that is not waited for is an answer lost. The service call has its own time limit.
      landed = await built.land(signed);
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
    if (await this.#showsEffect(built, LISTINGS_WITH_WORD)) {
      await this.#settled();
      return { kind: 'settled', signature, position };
    }
    this.#steps.log('info', 'landed, not listed yet');
    const stoppedWaiting = this.#steps.isCancelled();
    if (!stoppedWaiting) {
      await this.#recorder.note({ kind: 'unconfirmed', reason: 'The service says that it landed, and does not list the change yet.' });
    }
    return { kind: 'landedNotListed', signature, position, stoppedWaiting };
  }

  /** Writes down that it is handed over: from then on it may land, whatever happens to this process. */
  async #submit(lamportsBefore: bigint | undefined): Promise<void> {
    const { work } = this.#steps;
    if (this.#steps.isCancelled()) {
      throw new OperationError({
        kind: 'notSent',
        what: `The ${work.noun} was cancelled after it was signed and before it was sent.`,
        advice: 'The signed transactions are thrown away.',
      });
    }
    this.#steps.assertHeld();
    this.#steps.report('landing');
    await this.#recorder.write({ kind: 'submitted', lamportsBefore });
    // This process may have stood still: whoever took over meanwhile finds out that nothing lands.
    await this.#steps.assertStillHeld();
  }

  async #giveBack(wallet: HeldLock): Promise<void> {
    this.#steps.unguard(wallet);
    await wallet.release();
  }

  /** What came back is no word that it landed: a clear no, or nothing clear. */
  async #withoutAnswer(built: Built, cause: unknown, wallet: HeldLock): Promise<LandingResult> {
    // Looking for it takes its time, and is no reason to keep others from sending.
    await this.#giveBack(wallet);
    const failure = landingFailure(cause);
    if (failure === undefined) {
      return this.#lookWhetherItLanded(built, cause);
    }
    const error = new OperationError(landingError(failure, cause, this.#steps.work, built.intent.slippageBps));
    await this.#recorder.note({ kind: 'failed', reason: error.message });
    if (failure === 'expired') {
      return { kind: 'cameTooLate', error };
    }
    throw error;
  }

  /** No clear answer came back: the portfolio is the witness. */
  async #lookWhetherItLanded(built: Built, cause: unknown): Promise<OperationResult> {
    const { noun, subject } = this.#steps.work;
    this.#steps.log('warn', `sent, and no clear answer came back: ${wordsOf(cause)}`);
    await this.#recorder.note({ kind: 'unconfirmed', reason: `It was sent, and no clear answer came back. ${wordsOf(cause)}` });
    if (await this.#showsEffect(built, LISTINGS_WITHOUT_WORD)) {
      await this.#settled();
      return { kind: 'settled', signature: undefined, position: built.position };
    }
    const looked = this.#steps.isCancelled() ? 'You stopped waiting before your positions showed it.' : 'Your positions do not show it so far.';
    throw new OperationError({
      kind: 'mayHaveLanded',
      what: `The signed ${noun} was sent, and no clear answer came back. ${wordsOf(cause)} ${looked}`,
      advice:
        'Do not repeat it yet. Binsight goes on looking for it, and Activity says what became of it: it can land for some two minutes more. ' +
        `You can also look at the transactions of ${subject.owner} in an explorer. Repeat it only if it did not land.`,
      cause,
    });
  }

  async #settled(): Promise<void> {
    const { dependencies } = this.#steps;
    const { journal, rpc, nowMs } = dependencies;
    await this.#recorder.note({ kind: 'settled', lamportsBack: await lamportsBack(this.#recorder.record, journal, rpc, nowMs()), shortfall: undefined });
  }

  async #showsEffect({ effect }: Built, listings: number): Promise<boolean> {
    this.#steps.report('waitingForEffect');
    try {
      return await showsEffect({ effect, listings, isOfThis: () => this.#steps.switched() === undefined }, this.#steps.dependencies, this.#steps.signal);
    } catch (error) {
      this.#steps.log('warn', `looking for the effect failed: ${wordsOf(error)}`);
      return false;
    }
  }
}
