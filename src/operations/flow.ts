import { ServiceError } from '../api/errors';
import type { Oddity } from '../api/records/money';
import type { Landed } from '../api/records/transactions';
import type { Intent, Review, TransactionGroup } from '../review/types';
import type { Address } from '../solana/address';
import type { Base64Transaction } from '../solana/base64Transaction';
import type { Effect } from './effects';
import { OperationError, wordsOf } from './errors';
import type { OperationDependencies, OperationHost, OperationResult, OperationStep } from './types';

/** What is particular to one kind of operation. */
export interface Work {
  /** "zap-out": in the log. */
  readonly name: string;
  /** "zap-out": in sentences. */
  readonly noun: string;
  readonly owner: Address;
  /** Asks the service to build it. */
  build(signal: AbortSignal): Promise<Built>;
}

/** Gives the signed transactions of one group, in the order in which they were built. */
export type SignedGroups = (group: TransactionGroup) => readonly Base64Transaction[];

/** What the service built, and how it goes on from there. */
export interface Built {
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

/**
 * Runs an operation: build, review, ask, sign, land, wait for the effect. Only what the review hands out is signed, and only
 * after the user said yes. A cancellation before landing ends it with nothing sent; from landing on it only ends the wait.
 * @throws OperationError for whatever fails; it says what that means for the money.
 */
export async function runOperation(work: Work, dependencies: OperationDependencies, host: OperationHost, signal: AbortSignal): Promise<OperationResult> {
  return new Run(work, dependencies, host, signal).run();
}

/** How many listings in a row have to show the effect: with the service's word that it landed, and without. One may miss a record. */
const LISTINGS_WITH_WORD = 1;
const LISTINGS_WITHOUT_WORD = 2;

/** The user has cancelled, and nothing is signed yet. */
class Cancelled extends Error {}

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
      const built = await this.#build();
      const review = await this.#review(built);
      const isApproved = await this.#approve(review);
      if (review.verdict === 'block') {
        return { kind: 'blocked', review };
      }
      if (!isApproved) {
        this.#log('info', 'declined; nothing was signed');
        return { kind: 'declined' };
      }
      const signed = await this.#sign(review);
      return await this.#land(built, signed);
    } catch (error) {
      if (error instanceof Cancelled) {
        this.#log('info', 'cancelled; nothing was signed');
        return { kind: 'declined' };
      }
      this.#log('warn', wordsOf(error));
      throw error;
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

  async #review({ intent, transactions, lastValidBlockHeight }: Built): Promise<Review> {
    this.#report('reviewing');
    const review = await this.#step(
      async () => {
        // The review is loaded when it is needed first: it is not part of starting up.
        const { reviewOperation } = await import('../review/review');
        return reviewOperation({ intent, transactions, lastValidBlockHeight });
      },
      (cause) => ({ kind: 'notReviewed', what: `The transactions could not be reviewed. ${wordsOf(cause)}`, advice: 'Reload the window, and try again.', cause }),
    );
    const rules = review.findings.map(({ rule, verdict }) => `${rule} ${verdict}`).join(', ');
    const hashes = review.transactions.map(({ messageHash }) => messageHash).join(', ');
    this.#log('info', `reviewed: ${review.verdict} (${rules === '' ? 'no findings' : rules}); messages ${hashes}`);
    return review;
  }

  async #approve(review: Review): Promise<boolean> {
    this.#report('waitingForApproval');
    return this.#step(
      () => this.#host.approve(review),
      (cause) => ({ kind: 'notAsked', what: `The ${this.#work.noun} could not be shown for approval. ${wordsOf(cause)}`, advice: 'Try again.', cause }),
    );
  }

  /** Signs what the review handed out, and nothing else: a signer takes no other values. */
  async #sign({ reviewed }: Review): Promise<SignedGroups> {
    this.#report('signing');
    const refused = (what: string, cause?: unknown) => ({ kind: 'notSigned' as const, what, advice: 'Try again once that is put right.', cause });
    const signer = await this.#step(() => this.#host.signer(), (cause) => refused(`The ${this.#work.noun} was not signed. ${wordsOf(cause)}`, cause));
    if (signer.owner !== this.#work.owner) {
      throw new OperationError(refused(`The key at hand is that of ${signer.owner}; this ${this.#work.noun} needs that of ${this.#work.owner}.`));
    }
    this.#assertNothingSwitched('notSigned');
    let signed: readonly Base64Transaction[];
    try {
      // Not raced against a cancellation: it is over in a moment, and then it is known whether signatures exist.
      signed = await signer.sign(reviewed);
    } catch (cause) {
      throw new OperationError(refused(`The ${this.#work.noun} was not signed. ${wordsOf(cause)}`, cause));
    }
    if (signed.length !== reviewed.length) {
      throw new OperationError(refused(`Only ${signed.length} of ${reviewed.length} transactions were signed.`));
    }
    if (this.#isCancelled()) {
      throw new OperationError({
        kind: 'notSent',
        what: `The ${this.#work.noun} was cancelled after it was signed and before it was sent.`,
        advice: 'The signed transactions are thrown away.',
      });
    }
    this.#log('info', `signed ${signed.length} transactions`);
    return (group) => signed.filter((_, index) => reviewed[index]?.group === group);
  }

  async #land(built: Built, signed: SignedGroups): Promise<OperationResult> {
    this.#report('landing');
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
      return this.#lookWhetherItLanded(built, cause);
    }
    const { signature } = landed;
    const { position } = built;
    this.#log('info', `landed, signature ${signature ?? 'not reported'}`);
    if (await this.#showsEffect(built, LISTINGS_WITH_WORD)) {
      return { kind: 'settled', signature, position };
    }
    this.#log('info', 'landed, not listed yet');
    return { kind: 'landedNotListed', signature, position, stoppedWaiting: this.#isCancelled() };
  }

  /** No clear answer came back: the portfolio is the witness. */
  async #lookWhetherItLanded(built: Built, cause: unknown): Promise<OperationResult> {
    this.#log('warn', `sent, and no clear answer came back: ${wordsOf(cause)}`);
    if (await this.#showsEffect(built, LISTINGS_WITHOUT_WORD)) {
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
    const { portfolio, settleTimeoutMs, settleEveryMs } = this.#dependencies;
    let inARow = 0;
    const settled: Effect = (snapshot) => {
      // A list of another wallet or service says nothing of this position, nor does one whose records could not all be read.
      const isWitness = this.#switched() === undefined && (listings === LISTINGS_WITH_WORD || !portfolio.oddities.some(mayHideRecord));
      inARow = isWitness && effect(snapshot) ? inARow + 1 : 0;
      return inARow >= listings;
    };
    try {
      return await portfolio.waitUntil(settled, { timeoutMs: settleTimeoutMs, everyMs: settleEveryMs, signal: this.#signal });
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

/** Whether an oddity is about a whole record, or the whole list ("data[3]", "data"): a position may be missing for it. */
function mayHideRecord({ path }: Oddity): boolean {
  return !path.includes('.');
}
