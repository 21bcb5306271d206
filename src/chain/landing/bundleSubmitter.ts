import { type Confirmation, type ConfirmationOptions, POLL_MS } from './confirmation';
import type { BundleSender } from './jito';
import { RESEND_MS } from './rpcSubmitter';
import { pendingOf, type Submission } from './submission';

/**
 * For how long a part of a bundle may be confirmed before the rest. A bundle is atomic; only if a fork drops the block of its second half are its
 * transactions apart.
 */
const INCOMPLETE_MS = 5_000;
const MOST_REFUSALS = 3;

/** Result of submitting a bundle. */
export type BundleSubmissionResult =
  | { readonly kind: 'known' }
  /** A part has landed. The rest has to be submitted by the RPC. */
  | { readonly kind: 'incomplete' }
  /** The block engine has certainly not accepted it. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Submits bundles to a block engine. Only the chain decides whether a bundle has landed. */
export class BundleSubmitter {
  readonly #clock: ConfirmationOptions['clock'];
  readonly #confirmation: Confirmation;
  readonly #bundles: BundleSender;

  constructor({ clock }: ConfirmationOptions, confirmation: Confirmation, bundles: BundleSender) {
    this.#clock = clock;
    this.#confirmation = confirmation;
    this.#bundles = bundles;
  }

  /** Sends a bundle, the same bytes again and again, until its outcome is known. */
  async submit(submissions: readonly Submission[]): Promise<BundleSubmissionResult> {
    const bytes = submissions.map(({ transaction }) => transaction.bytes);
    let mayHaveBeenAccepted = submissions.some(({ mayHaveBeenSent }) => mayHaveBeenSent);
    let [refusals, sentAtMs] = [0, -Infinity];
    let id: string | undefined;
    let incompleteSinceMs: number | undefined;
    for (;;) {
      await this.#confirmation.update(submissions);
      const pending = pendingOf(submissions);
      if (pending.length === 0) {
        return { kind: 'known' };
      }
      if (pending.length < submissions.length) {
        incompleteSinceMs ??= this.#clock.now();
        if (this.#clock.now() - incompleteSinceMs > INCOMPLETE_MS) {
          return { kind: 'incomplete' };
        }
      }
      const isUnseen = submissions.every(({ status }) => status === 'unknown');
      if (isUnseen && this.#clock.now() - sentAtMs >= RESEND_MS && !(await this.#confirmation.expire(submissions))) {
        sentAtMs = this.#clock.now();
        // `isInBlock` saves a useless send. The engine's statuses are no proof that it landed.
        if (id === undefined || !(await this.#bundles.isInBlock(id))) {
          const answer = await this.#bundles.send(bytes);
          if (answer.kind === 'refused') {
            refusals += 1;
            if (refusals >= MOST_REFUSALS && !mayHaveBeenAccepted) {
              submissions.forEach((submission) => (submission.state = 'notSent'));
              return { kind: 'refused', reason: answer.reason };
            }
          } else {
            mayHaveBeenAccepted = true;
            submissions.forEach((submission) => (submission.mayHaveBeenSent = true));
            id = answer.kind === 'accepted' ? answer.id : id;
          }
        }
      }
      await this.#confirmation.pause(POLL_MS);
    }
  }
}
