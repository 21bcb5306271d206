import * as l10n from '@vscode/l10n';
import { changesSince, digestOfTerms, type TermChange } from '../../review/approval/compareTerms';
import type { Review } from '../../review/types';
import { errorMessageOf } from '../errors';
import { isWorse } from '../inspect/reviewer';
import type { SignedAttempt } from '../signedAttempts';
import type { QuestionDetails, ReapprovalReason } from '../types';
import { isHolding, type Quote } from './quote';
import { holdsUntilMs, QuoteRenewal } from './quoteRenewal';
import { messageHashes, notReviewed, Quotes } from './quotes';
import type { Recorder } from './recorder';
import { type NotSigned, type SignedOperation, Signing } from './signing';
import type { Steps } from './steps';

/** The decision about the built transactions. */
export type PreparationResult =
  | { readonly kind: 'blocked'; readonly review: Review }
  | { readonly kind: 'declined' }
  /** The quote has expired, and what was approved does not cover another one; nothing was signed. */
  | { readonly kind: 'tookTooLong' }
  | SignedOperation;

/** The user is asked (again) about this quote. */
interface Question {
  readonly kind: 'ask';
  readonly quote: Quote;
  readonly reason: ReapprovalReason | undefined;
  /** In which respects it is worse than what was approved. */
  readonly changes: readonly TermChange[];
}

/** How often another quote is taken after one approval: each time the last one had expired before it was signed. */
const MOST_TAKEN = 3;

/** All steps up to the signatures: build, review, approve, sign. Each is journaled before the next one begins. */
export class Preparation {
  readonly #steps: Steps;
  readonly #recorder: Recorder;
  readonly #quotes: Quotes;
  readonly #signing: Signing;

  /** @param earlier signed attempts at the same position or pool that may still land */
  constructor(steps: Steps, recorder: Recorder, earlier: readonly SignedAttempt[]) {
    this.#steps = steps;
    this.#recorder = recorder;
    this.#quotes = new Quotes(steps, recorder, earlier);
    this.#signing = new Signing(steps, recorder);
  }

  /**
   * Builds, reviews, asks and signs. What the user approves are the terms: if the quote has expired by then, another one is signed without a
   * second question as long as it is equal or better in every respect than what they were shown. Otherwise they are asked again.
   */
  async prepare(first: ReapprovalReason | undefined): Promise<PreparationResult> {
    let question: Question = { kind: 'ask', quote: await this.#quotes.request(), reason: first, changes: [] };
    for (;;) {
      const decision = await this.#ask(question);
      if (decision.kind !== 'ask') {
        return decision;
      }
      question = decision;
    }
  }

  async #ask({ quote, reason, changes }: Question): Promise<PreparationResult | Question> {
    const { review } = quote;
    if (review.verdict === 'block') {
      await this.#approve(quote, reason, changes, undefined);
      return { kind: 'blocked', review };
    }
    this.#steps.host.inspect?.(review);
    const renewal = this.#isAsking() ? this.#renewal(quote) : undefined;
    try {
      return (await this.#approve(quote, reason, changes, renewal)) ? await this.#signApproved(quote, renewal) : { kind: 'declined' };
    } finally {
      renewal?.stop();
    }
  }

  /** Automation decides at once, and by its rules for each build. */
  #isAsking(): boolean {
    return this.#steps.host.approver !== 'automation';
  }

  #renewal(shown: Quote): QuoteRenewal {
    const { nowMs, clock, requests } = this.#steps.dependencies;
    return new QuoteRenewal({
      shown,
      nowMs,
      clock,
      renew: (signal) => this.#quotes.renew(signal),
      mayRenew: () => this.#quotes.mayRenew(),
      perMinute: () => requests?.perMinute,
      log: (message) => this.#steps.log('info', message),
    });
  }

  async #approve(
    { review, requestedAtMs }: Quote,
    reason: ReapprovalReason | undefined,
    changes: readonly TermChange[],
    renewal: QuoteRenewal | undefined,
  ): Promise<boolean> {
    const { host, work } = this.#steps;
    this.#steps.report(review.verdict === 'block' ? 'rejected' : 'waitingForApproval');
    const details: QuestionDetails = { changes, holdsUntilMs: holdsUntilMs({ requestedAtMs }), isRenewed: renewal !== undefined };
    return this.#steps.run(
      async () => {
        renewal?.start((leftMs) => this.#steps.report('waitingForApproval', leftMs));
        return host.approve(review, reason, details).finally(() => renewal?.pause());
      },
      (cause) => ({
        kind: 'notAsked',
        what: l10n.t`The ${work.noun} could not be shown for approval. ${errorMessageOf(cause)}`,
        advice: l10n.t('Try again.'),
        cause,
      }),
    );
  }

  /** Signs what was shown if it still holds, else a quote that the approval covers. */
  async #signApproved(shown: Quote, renewal: QuoteRenewal | undefined): Promise<PreparationResult | Question> {
    if (renewal === undefined && !(await this.#isHolding(shown))) {
      return { kind: 'tookTooLong' };
    }
    await this.#writeApproval(shown, false);
    let quote = shown;
    for (let taken = 0; ; taken += 1) {
      if (!(await this.#isHolding(quote))) {
        if (renewal === undefined || taken === MOST_TAKEN) {
          return { kind: 'tookTooLong' };
        }
        quote = await this.#nextQuote(renewal);
        const changes = changesSince(shown.review, quote.review);
        if (changes.length > 0) {
          this.#steps.log('info', 'the approval does not cover the new quote; the user is asked again');
          return { kind: 'ask', quote, reason: 'otherTerms', changes };
        }
        this.#steps.host.inspect?.(quote.review);
        await this.#writeApproval(shown, true);
        this.#steps.log('info', 'the new quote is equal or better in every respect than what was approved');
      }
      const result = await this.#sign(quote, shown);
      if (result.kind !== 'expired') {
        return result;
      }
    }
  }

  /** The quote that was renewed meanwhile if it still holds, else one that is built now. It is in the journal. */
  async #nextQuote(renewal: QuoteRenewal): Promise<Quote> {
    const renewed = await this.#steps.run(() => renewal.finish(), notReviewed);
    if (!(await this.#isHolding(renewed))) {
      return this.#quotes.request();
    }
    await this.#quotes.adopt(renewed);
    return renewed;
  }

  async #isHolding(quote: Quote): Promise<boolean> {
    return this.#steps.run((stopped) => isHolding(quote, this.#steps.dependencies, stopped), notReviewed);
  }

  /** Journals what the user was shown and approved, before the signature of it or of what it covers. */
  async #writeApproval({ review }: Quote, isCarriedOver: boolean): Promise<void> {
    await this.#recorder.write({
      kind: 'approved',
      by: this.#steps.host.approver ?? 'user',
      messageHashes: messageHashes(review),
      terms: digestOfTerms(review.terms),
      ...(isCarriedOver ? { isCarriedOver } : {}),
    });
  }

  /** Signs a quote unless a last review, right before, finds what was not approved. */
  async #sign(quote: Quote, shown: Quote): Promise<SignedOperation | Question | NotSigned> {
    const signer = await this.#signing.signer();
    if (signer === undefined) {
      return { kind: 'declined' };
    }
    const wallet = await this.#signing.wallet();
    let keepsWallet = false;
    try {
      const review = await this.#steps.run(() => quote.reviewer.renewed(quote.review), notReviewed);
      const changes = changesSince(shown.review, review);
      // Of the same bytes only what needs another decision counts: their figures follow the market, within the bounds that were approved.
      if (quote === shown ? isWorse(review, quote.review) : changes.length > 0) {
        this.#steps.log('info', 'a new simulation found what was not approved; the user is asked again');
        await this.#quotes.writeReview(review);
        return { kind: 'ask', quote: { ...quote, review }, reason: 'changed', changes };
      }
      if (!(await this.#isHolding(quote))) {
        return { kind: 'expired' };
      }
      const signed = await this.#signing.sign(quote.built, review, signer, wallet);
      keepsWallet = signed.kind === 'signed';
      return signed;
    } finally {
      if (!keepsWallet) {
        this.#steps.unguard(wallet);
        await wallet.release();
      }
    }
  }
}
