import { ServiceError } from '../api/errors';
import type { Landed } from '../api/records/transactions';
import type { Review, Spends } from '../review/types';
import { bytesFromBase64, type Base64Transaction } from '../solana/base64Transaction';
import { parseTransaction } from '../solana/wire';
import type { Signer } from '../wallet/types';
import { SigningError } from '../wallet/errors';
import { OperationError, wordsOf } from './errors';
import { isWorse, Reviewer } from './reviewer';
import { LISTINGS_WITH_WORD, LISTINGS_WITHOUT_WORD, showsEffect } from './settling';
import type { SignedAttempt } from './signedAttempts';
import type { AskAgainReason, OperationDependencies, OperationHost, OperationResult, OperationStep } from './types';
import type { Built, SignedGroups, Work } from './work';

/**
 * Runs an operation: build, review, ask, sign, land, wait for the effect. Only what the review hands out is signed, and only
 * after the user said yes to just that: what takes longer than a review counts is built, reviewed and asked about again, and
 * so is what the user's RPC finds to be worse right before it is signed. A cancellation before landing ends it with nothing
 * sent; from landing on it only ends the wait.
 * @throws OperationError for whatever fails; it says what that means for the money.
 */
export async function runOperation(work: Work, dependencies: OperationDependencies, host: OperationHost, signal: AbortSignal): Promise<OperationResult> {
  return new Run(work, dependencies, host, signal).run();
}

/** The user has cancelled, and nothing is signed yet. */
class Cancelled extends Error {}

/** What became of the transactions that were built. */
type Decision =
  | { readonly kind: 'blocked'; readonly review: Review }
  | { readonly kind: 'declined' }
  /** Nothing is signed: the review does not count any more. */
  | { readonly kind: 'tookTooLong' }
  | { readonly kind: 'signed'; readonly review: Review; readonly signed: SignedGroups };

class Run {
  readonly #work: Work;
  readonly #dependencies: OperationDependencies;
  readonly #host: OperationHost;
  readonly #signal: AbortSignal;

  constructor(work: Work, dependencies: OperationDependencies, host: OperationHost, signal: AbortSignal) {
    this.#work = work;
    this.#dependencies = dependencies;
    this.#host = host;
    this.#signal = signal;
  }

  async run(): Promise<OperationResult> {
    try {
      for (let reason: AskAgainReason | undefined; ; reason = 'tookTooLong') {
        const built = await this.#build();
        const decision = await this.#decide(built, reason);
        switch (decision.kind) {
          case 'blocked':
            return decision;
          case 'declined':
            this.#log('info', 'declined; nothing was signed');
            return decision;
          case 'signed':
            return await this.#land(built, decision);
          case 'tookTooLong':
            this.#log('info', 'the review is too old to sign by; nothing was signed, and it is built again');
        }
      }
    } catch (error) {
      if (error instanceof Cancelled) {
        this.#log('info', 'cancelled; nothing was signed');
        return { kind: 'declined' };
      }
      this.#log('warn', wordsOf(error));
      throw error;
    }
  }

  /** Reviews, asks, and signs what was approved; asks again where it has become worse meanwhile. */
  async #decide(built: Built, first: AskAgainReason | undefined): Promise<Decision> {
    const { nowMs } = this.#dependencies;
    const reviewedAtMs = nowMs();
    const { reviewer, lifetimeMs } = await this.#reviewer(built);
    const isTooOld = (): boolean => {
      const ageMs = nowMs() - reviewedAtMs;
      return !(ageMs >= 0 && ageMs <= lifetimeMs);
    };
    let review = await this.#reviewed(() => reviewer.review());
    for (let reason = first; ; reason = 'changed') {
      const isApproved = await this.#approve(review, reason);
      if (review.verdict === 'block') {
        return { kind: 'blocked', review };
      }
      if (!isApproved) {
        return { kind: 'declined' };
      }
      if (isTooOld()) {
        return { kind: 'tookTooLong' };
      }
      const signer = await this.#signer();
      const renewed = await this.#reviewed(() => reviewer.renewed(review), review);
      if (isWorse(renewed, review)) {
        this.#log('info', 'a new simulation found what was not approved; the user is asked again');
        review = renewed;
        continue;
      }
      return isTooOld() ? { kind: 'tookTooLong' } : this.#sign(renewed, signer);
    }
  }

  async #build(): Promise<Built> {
    this.#report('building');
    this.#assertNothingSwitched('notBuilt');
    const built = await this.#step(
      () => this.#work.build(this.#signal),
      (cause) => ({ kind: 'notBuilt', what: `The ${this.#work.noun} could not be prepared. ${wordsOf(cause)}`, advice: 'Try again once that is put right.', cause }),
    );
    if (built.transactions.length === 0) {
      throw new OperationError({ kind: 'notBuilt', what: `The service built no transactions for this ${this.#work.noun}.`, advice: 'Refresh, and try again.' });
    }
    const groups = built.transactions.map(({ group }) => group).join(', ');
    this.#log('info', `built ${built.transactions.length} transactions (${groups}), valid up to block ${built.lastValidBlockHeight ?? 'unknown'}`);
    return built;
  }

  async #reviewer(built: Built): Promise<{ readonly reviewer: Reviewer; readonly lifetimeMs: number }> {
    this.#report('reviewing');
    const { rpc, policy, isSimulating, nowMs } = this.#dependencies;
    return this.#step(
      async () => {
        // The review is loaded when it is needed first: it is not part of starting up.
        const { reviewOperation, REVIEW_LIFETIME_MS } = await import('../review/review');
        const prior = await this.#prior();
        const log = (message: string) => this.#log('warn', message);
        return { reviewer: new Reviewer(built, { rpc, policy, isSimulating, nowMs, reviewOperation, prior, signal: this.#signal, log }), lifetimeMs: REVIEW_LIFETIME_MS };
      },
      (cause) => this.#notReviewed(cause),
    );
  }

  /** What is signed already for this operation and may still land. */
  async #prior(): Promise<Spends | undefined> {
    const { attempts, rpc, nowMs } = this.#dependencies;
    const prior = await attempts.prior(this.#work.key, nowMs(), rpc, this.#signal);
    if (prior !== undefined) {
      this.#log('info', 'an earlier attempt is signed and may still land: its spends count');
    }
    return prior;
  }

  /** @param known the review that this one is to be like: it is not logged a second time */
  async #reviewed(run: () => Promise<Review>, known?: Review): Promise<Review> {
    const review = await this.#step(run, (cause) => this.#notReviewed(cause));
    if (review !== known) {
      const rules = review.findings.map(({ rule, verdict }) => `${rule} ${verdict}`).join(', ');
      const hashes = review.transactions.map(({ messageHash }) => messageHash).join(', ');
      this.#log('info', `reviewed: ${review.verdict} (${rules === '' ? 'no findings' : rules}); messages ${hashes}`);
    }
    return review;
  }

  #notReviewed(cause: unknown): ConstructorParameters<typeof OperationError>[0] {
    return { kind: 'notReviewed', what: `The transactions could not be reviewed. ${wordsOf(cause)}`, advice: 'Reload the window, and try again.', cause };
  }

  async #approve(review: Review, reason: AskAgainReason | undefined): Promise<boolean> {
    this.#report('waitingForApproval');
    return this.#step(
      () => this.#host.approve(review, reason),
      (cause) => ({ kind: 'notAsked', what: `The ${this.#work.noun} could not be shown for approval. ${wordsOf(cause)}`, advice: 'Try again.', cause }),
    );
  }

  async #signer(): Promise<Signer> {
    this.#report('signing');
    const signer = await this.#step(() => this.#host.signer(), (cause) => this.#notSigned(`The ${this.#work.noun} was not signed. ${wordsOf(cause)}`, cause));
    if (signer.owner !== this.#work.owner) {
      throw new OperationError(this.#notSigned(`The key at hand is that of ${signer.owner}; this ${this.#work.noun} needs that of ${this.#work.owner}.`));
    }
    this.#assertNothingSwitched('notSigned');
    return signer;
  }

  /** Signs what the review handed out, and nothing else: a signer takes no other values. */
  async #sign(review: Review, signer: Signer): Promise<Decision> {
    const { reviewed } = review;
    this.#assertNothingSwitched('notSigned');
    let signed: readonly Base64Transaction[];
    try {
      // Not raced against a cancellation: it is over in a moment, and then it is known whether signatures exist.
      signed = await signer.sign(reviewed);
    } catch (cause) {
      if (isExpired(cause)) {
        return { kind: 'tookTooLong' };
      }
      if (cause instanceof SigningError && cause.kind === 'locked') {
        return { kind: 'declined' };
      }
      throw new OperationError(this.#notSigned(`The ${this.#work.noun} was not signed. ${wordsOf(cause)}`, cause));
    }
    if (signed.length !== reviewed.length) {
      throw new OperationError(this.#notSigned(`Only ${signed.length} of ${reviewed.length} transactions were signed.`));
    }
    if (this.#isCancelled()) {
      throw new OperationError({
        kind: 'notSent',
        what: `The ${this.#work.noun} was cancelled after it was signed and before it was sent.`,
        advice: 'The signed transactions are thrown away.',
      });
    }
    this.#log('info', `signed ${signed.length} transactions`);
    return { kind: 'signed', review, signed: (group) => signed.filter((_, index) => reviewed[index]?.group === group) };
  }

  #notSigned(what: string, cause?: unknown): ConstructorParameters<typeof OperationError>[0] {
    return { kind: 'notSigned', what, advice: 'Try again once that is put right.', cause };
  }

  async #land(built: Built, { review, signed }: Extract<Decision, { kind: 'signed' }>): Promise<OperationResult> {
    this.#report('landing');
    const { attempts, nowMs } = this.#dependencies;
    // Before it is sent: from then on somebody else holds the signatures.
    const attempt: SignedAttempt = { spends: review.spends, blockhashes: blockhashesOf(built), signedAtMs: nowMs() };
    attempts.signed(this.#work.key, attempt);
    let landed: Landed;
    try {
      // Not cancelled with the rest: an answer that is not waited for is an answer lost. The service call has its own time limit.
      landed = await built.land(signed);
    } catch (cause) {
      if (cause instanceof ServiceError && !cause.mayHaveLanded) {
        throw new OperationError({
          kind: 'notLanded',
          what: `The service did not land the ${this.#work.noun}. ${wordsOf(cause)}`,
          advice: 'Start again: the transactions are built anew, at the price of that moment. If the price keeps moving away, allow more slippage.',
          cause,
        });
      }
      return this.#lookWhetherItLanded(built, attempt, cause);
    }
    const { signature } = landed;
    const { position } = built;
    this.#log('info', `landed, signature ${signature ?? 'not reported'}`);
    if (await this.#showsEffect(built, LISTINGS_WITH_WORD)) {
      attempts.landed(this.#work.key, attempt);
      return { kind: 'settled', signature, position };
    }
    this.#log('info', 'landed, not listed yet');
    return { kind: 'landedNotListed', signature, position, stoppedWaiting: this.#isCancelled() };
  }

  /** No clear answer came back: the portfolio is the witness. */
  async #lookWhetherItLanded(built: Built, attempt: SignedAttempt, cause: unknown): Promise<OperationResult> {
    this.#log('warn', `sent, and no clear answer came back: ${wordsOf(cause)}`);
    if (await this.#showsEffect(built, LISTINGS_WITHOUT_WORD)) {
      this.#dependencies.attempts.landed(this.#work.key, attempt);
      return { kind: 'settled', signature: undefined, position: built.position };
    }
    const looked = this.#isCancelled() ? 'You stopped waiting before your positions showed it.' : 'Your positions do not show it so far.';
    throw new OperationError({
      kind: 'mayHaveLanded',
      what: `The signed ${this.#work.noun} was sent, and no clear answer came back. ${wordsOf(cause)} ${looked}`,
      advice:
        'Do not repeat it yet. Wait two minutes, after which it can no longer land, then refresh and look at your positions, or at ' +
        `the transactions of ${this.#work.owner} in an explorer. Repeat it only if neither shows it.`,
      cause,
    });
  }

  async #showsEffect({ effect }: Built, listings: number): Promise<boolean> {
    this.#report('waitingForEffect');
    try {
      return await showsEffect({ effect, listings, isOfThis: () => this.#switched() === undefined }, this.#dependencies, this.#signal);
    } catch (error) {
      this.#log('warn', `looking for the effect failed: ${wordsOf(error)}`);
      return false;
    }
  }

  /** What is in use now in place of what the operation began with, in words. */
  #switched(): string | undefined {
    const { portfolio, isServiceInUse } = this.#dependencies;
    if (!isServiceInUse()) {
      return 'Another service is in use now.';
    }
    return portfolio.snapshot.owner === this.#work.owner ? undefined : 'Another wallet is in use now.';
  }

  /** @throws OperationError where another service or wallet is in use than when the user chose. */
  #assertNothingSwitched(kind: 'notBuilt' | 'notSigned'): void {
    const switched = this.#switched();
    if (switched !== undefined) {
      throw new OperationError({ kind, what: `The ${this.#work.noun} was stopped. ${switched}`, advice: 'Switch back, or start again with what is in use now.' });
    }
  }

  /**
   * Runs a step before anything is signed. A cancellation ends it at once.
   * @throws Cancelled, and the error that `failure` words.
   */
  async #step<Result>(run: () => Promise<Result>, failure: (cause: unknown) => ConstructorParameters<typeof OperationError>[0]): Promise<Result> {
    if (this.#isCancelled()) {
      throw new Cancelled();
    }
    const stop = new AbortController();
    const cancelled = new Promise<never>((_, reject) => {
      this.#signal.addEventListener('abort', () => reject(new Cancelled()), { signal: stop.signal });
    });
    try {
      return await Promise.race([run(), cancelled]);
    } catch (cause) {
      throw this.#isCancelled() ? new Cancelled() : new OperationError(failure(cause));
    } finally {
      stop.abort();
    }
  }

  #isCancelled(): boolean {
    return this.#signal.aborted;
  }

  /** A surface that fails must not keep the operation from its end: least of all once something was sent. */
  #report(step: OperationStep): void {
    try {
      this.#host.report(step);
    } catch (error) {
      this.#log('warn', `reporting "${step}" failed: ${wordsOf(error)}`);
    }
  }

  #log(level: 'info' | 'warn', message: string): void {
    this.#dependencies.log(level, `${this.#work.name}: ${message}`);
  }
}

/** Whether the signer refused because the review is too old: the key may have taken its time. */
function isExpired(cause: unknown): boolean {
  const reason = cause instanceof SigningError ? cause.cause : undefined;
  return reason instanceof Error && reason.name === 'NotSignableError' && 'kind' in reason && reason.kind === 'expired';
}

/** The blockhashes by which transactions that the review has read can land. */
function blockhashesOf({ transactions }: Built): readonly string[] {
  return [...new Set(transactions.map(({ base64 }) => parseTransaction(bytesFromBase64(base64)).recentBlockhash))];
}
