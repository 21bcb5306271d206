import type { Confirmation, ConfirmationOptions } from './confirmation';
import { POLL_MS } from './confirmation';
import { numberOf, pendingOf, type Submission } from './submission';

/** The chain drops what arrives again, so a transaction is sent again before it is known whether it was lost. */
export const RESEND_MS = 2_000;
/** Simulations of a transaction behind landed ones, one every {@link RESEND_MS}: a price may come back. */
const MOST_SIMULATIONS = 5;
/** Refused sends after which a landing of which no node received anything ends. */
const MOST_REFUSED_SENDS = 3;

/** Submits transactions by the RPC: sends the same bytes again until the outcome of each is known. */
export class RpcSubmitter {
  readonly #options: ConfirmationOptions;
  readonly #confirmation: Confirmation;
  #refusedSends = 0;
  #loggedReason: string | undefined;

  constructor(options: ConfirmationOptions, confirmation: Confirmation) {
    this.#options = options;
    this.#confirmation = confirmation;
  }

  /**
   * Submits one group until the outcome of each transaction is known.
   * @param isOrdered each transaction needs the ones before it, and is sent when they have landed; otherwise all are sent at the same time
   */
  async submit(submissions: readonly Submission[], { isOrdered }: { readonly isOrdered: boolean }): Promise<void> {
    for (;;) {
      if (submissions.some(({ mayHaveBeenSent }) => mayHaveBeenSent)) {
        await this.#confirmation.update(submissions);
      }
      const pending = pendingOf(submissions);
      if (pending.length === 0) {
        return;
      }
      if (await this.#confirmation.expire(submissions)) {
        continue;
      }
      if (submissions.some(({ state }) => state === 'failed' || state === 'notSent')) {
        // What was sent may still land. Nothing else is sent.
        pending.filter(({ mayHaveBeenSent }) => !mayHaveBeenSent).forEach((submission) => (submission.state = 'notSent'));
      } else {
        for (const submission of isOrdered ? pending.slice(0, 1) : pending) {
          await this.#send(submission);
        }
      }
      await this.#confirmation.pause(POLL_MS);
    }
  }

  async #send(submission: Submission): Promise<void> {
    const { network, clock } = this.#options;
    if (submission.status !== 'unknown' || clock.now() - submission.sentAtMs < RESEND_MS) {
      return;
    }
    submission.sentAtMs = clock.now();
    if (!submission.isSimulated && !(await this.#simulates(submission))) {
      return;
    }
    const { bytes, signature } = submission.transaction;
    const couldHaveBeenSent = submission.mayHaveBeenSent;
    submission.mayHaveBeenSent = true;
    const answer = await network.send(bytes);
    if (answer.kind !== 'accepted' && answer.reason !== this.#loggedReason) {
      this.#loggedReason = answer.reason;
      this.#options.log(`Sending ${signature}: ${answer.reason}`);
    }
    if (answer.kind === 'notOffered' && !couldHaveBeenSent) {
      submission.mayHaveBeenSent = false;
      this.#refusedSends += 1;
      if (this.#refusedSends >= MOST_REFUSED_SENDS) {
        submission.state = 'notSent';
        this.#confirmation.addProblem(`Transaction ${numberOf(submission)} was not sent. ${answer.reason}`);
      }
    }
  }

  /** Simulates a transaction. One that fails repeatedly, and was never sent, is not sent. @returns false: it must not be sent now */
  async #simulates(submission: Submission): Promise<boolean> {
    const { network } = this.#options;
    const { bytes } = submission.transaction;
    const failure = await this.#confirmation.untilAnswered(() => network.simulate(bytes, this.#confirmation.landedSlot));
    if (failure === undefined || failure.isTransient) {
      submission.isSimulated = true;
      return true;
    }
    submission.failedSimulations += 1;
    if (submission.failedSimulations >= MOST_SIMULATIONS && !submission.mayHaveBeenSent) {
      submission.state = 'notSent';
      this.#confirmation.addProblem(`Transaction ${numberOf(submission)} would fail now, and was not sent: ${failure.text}.`);
    }
    return false;
  }
}
