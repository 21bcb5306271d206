import * as l10n from '@vscode/l10n';
import { digestOfTerms, type TermChange } from '../../review/approval/compareTerms';
import type { Review } from '../../review/types';
import { isWorse } from '../inspect/reviewer';
import type { SignedAttempt } from '../signedAttempts';
import type { QuestionDetails, ReapprovalReason } from '../types';
import { coverageOf, coveredQuote } from './coverage';
import { ExpiredQuotes } from './expiredQuotes';
import { BlockHeights, type Quote, stillHoldsUntilMs } from './quote';
import { QuoteRenewal } from './quoteRenewal';
import { messageHashes, notReviewed, Quotes } from './quotes';
import type { Recorder } from './recorder';
import { type SignedOperation, Signing } from './signing';
import type { Steps } from './steps';
import { notShownWords } from '../words';

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
  readonly #expired: ExpiredQuotes;
  readonly #heights: BlockHeights;

  /** @param earlier signed attempts at the same position or pool that may still land */
  constructor(steps: Steps, recorder: Recorder, earlier: readonly SignedAttempt[]) {
    this.#steps = steps;
    this.#recorder = recorder;
    this.#quotes = new Quotes(steps, recorder, earlier);
    this.#signing = new Signing(steps, recorder);
    this.#expired = new ExpiredQuotes(steps.dependencies);
    this.#heights = new BlockHeights(steps.dependencies.rpc);
  }

  /**
   * Builds, reviews, asks and signs. What the user approves are the terms: if the quote has expired by then, another one is signed without a
   * second question as long as what they approved covers it (coverage.ts). Otherwise they are asked again.
   * @throws OperationError also if one quote after the other expires before it can be signed
   */
  async prepare(first: ReapprovalReason | undefined): Promise<PreparationResult> {
    let question: Question = { kind: 'ask', quote: await this.#freshQuote(), reason: first, changes: [] };
    for (;;) {
      const decision = await this.#ask(question);
      if (decision.kind !== 'ask') {
        return decision;
      }
      question = decision;
    }
  }

  /** A quote whose simulation, if there is one, shows what it does: one of expired transactions shows nothing. */
  async #freshQuote(slippageBps?: number): Promise<Quote> {
    for (;;) {
      const quote = await this.#quotes.request(slippageBps);
      if (quote.review.verdict === 'block' || !quote.reviewer.hasExpired) {
        return quote;
      }
      this.#expired.add(quote, 0);
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
      renew: (signal, slippageBps) => this.#quotes.renew(signal, slippageBps),
      mayRenew: () => this.#quotes.mayRenew(),
      perMinute: () => requests?.perMinute,
      log: (message) => this.#steps.log('info', message),
    });
  }

  async #approve(
    { review, holdsUntilMs }: Quote,
    reason: ReapprovalReason | undefined,
    changes: readonly TermChange[],
    renewal: QuoteRenewal | undefined,
  ): Promise<boolean> {
    const { host, work } = this.#steps;
    this.#steps.report(review.verdict === 'block' ? 'rejected' : 'waitingForApproval');
    const details: QuestionDetails = { changes, holdsUntilMs, isRenewed: renewal !== undefined };
    return this.#steps.run(
      async () => {
        renewal?.start((leftMs) => this.#steps.report('waitingForApproval', leftMs));
        return host.approve(review, reason, details).finally(() => renewal?.pause());
      },
      (cause) => ({ kind: 'notAsked', what: notShownWords(work.noun, cause), advice: l10n.t('Try again.'), cause }),
    );
  }

  /** Signs what was shown if it still holds, else a quote that the approval covers. */
  async #signApproved(shown: Quote, renewal: QuoteRenewal | undefined): Promise<PreparationResult | Question> {
    let quote = await this.#holding(shown);
    if (quote === undefined && renewal === undefined) {
      this.#expired.add(shown, 0);
      return { kind: 'tookTooLong' };
    }
    await this.#writeApproval(shown, false);
    let last: Quote | undefined;
    for (let taken = 0; ; taken += 1) {
      if (quote === undefined) {
        if (renewal === undefined || taken === MOST_TAKEN) {
          return { kind: 'tookTooLong' };
        }
        const { quote: fresh, changes } = await this.#nextQuote(shown, renewal, last);
        last = fresh;
        if (changes.length > 0) {
          this.#steps.log('info', 'the approval does not cover the new quote; the user is asked again');
          return { kind: 'ask', quote: fresh, reason: 'otherTerms', changes };
        }
        this.#steps.host.inspect?.(fresh.review);
        await this.#writeApproval(shown, true);
        this.#steps.log('info', 'the approval covers the new quote');
        quote = fresh;
      }
      const result = await this.#sign(quote, shown);
      if (result.kind !== 'expired') {
        return result;
      }
      this.#steps.log('info', 'the quote expired before it was signed');
      this.#expired.add(quote, result.keyTookMs);
      quote = undefined;
    }
  }

  /**
   * The quote that was renewed meanwhile if it still holds, else one that is built now. It is in the journal.
   * @param last the last one that was taken
   */
  async #nextQuote(
    shown: Quote,
    renewal: QuoteRenewal,
    last: Quote | undefined,
  ): Promise<{ readonly quote: Quote; readonly changes: readonly TermChange[] }> {
    const newest = last ?? (await this.#steps.run(() => renewal.finish(), notReviewed));
    const { changes, slippageBps } = coverageOf(shown, newest);
    const renewed = last === undefined && slippageBps === undefined ? await this.#holding(newest) : undefined;
    if (renewed === undefined) {
      return coveredQuote(shown, newest, (tolerance) => this.#freshQuote(tolerance));
    }
    await this.#quotes.adopt(renewed);
    return { quote: renewed, changes };
  }

  /** The quote with the time until which it holds; `undefined` if it has expired. */
  async #holding(quote: Quote): Promise<Quote | undefined> {
    const untilMs = await this.#steps.run(
      (stopped) => stillHoldsUntilMs(quote, this.#steps.dependencies.nowMs, this.#heights, stopped),
      notReviewed,
    );
    return untilMs === undefined ? undefined : { ...quote, holdsUntilMs: untilMs };
  }

  /** Journals what the user was shown and approved, before the signature of it or of what it covers. */
  async #writeApproval({ review }: Quote, isCarriedOver: boolean): Promise<void> {
    const { host } = this.#steps;
    const forecast = host.forecast?.();
    await this.#recorder.write({
      kind: 'approved',
      by: host.approver ?? 'user',
      messageHashes: messageHashes(review),
      terms: digestOfTerms(review.terms),
      ...(isCarriedOver ? { isCarriedOver } : {}),
      ...(forecast === undefined ? {} : { forecast }),
    });
  }

  /** Signs a quote unless a last review, right before, finds what was not approved. */
  async #sign(quote: Quote, shown: Quote): Promise<SignedOperation | Question | Declined | Expired> {
    const { nowMs } = this.#steps.dependencies;
    const startMs = nowMs();
    const signer = await this.#signing.signer();
    if (signer === undefined) {
      return { kind: 'declined' };
    }
    const wallet = await this.#signing.wallet();
    const keyTookMs = nowMs() - startMs;
    let keepsWallet = false;
    try {
      // The key and the lock may have taken any time, and the simulation of what has expired says nothing about what it would do.
      if ((await this.#holding(quote)) === undefined) {
        return { kind: 'expired', keyTookMs };
      }
      const review = await this.#steps.run(() => quote.reviewer.renewed(quote.review), notReviewed);
      const held = await this.#holding(quote);
      if (held === undefined && review.verdict !== 'block') {
        return { kind: 'expired', keyTookMs };
      }
      const { changes } = coverageOf(shown, { ...quote, review });
      // Of the same bytes only what needs another decision counts: their figures follow the market, within the bounds that were approved.
      if (quote.built === shown.built ? isWorse(review, quote.review) : changes.length > 0) {
        this.#steps.log('info', 'a new simulation found what was not approved; the user is asked again');
        await this.#quotes.writeReview(review);
        return { kind: 'ask', quote: { ...(held ?? quote), review }, reason: 'changed', changes };
      }
      const signingMs = nowMs();
      const signed = await this.#signing.sign(quote.built, review, signer, wallet);
      keepsWallet = signed.kind === 'signed';
      return signed.kind === 'expired' ? { ...signed, keyTookMs: keyTookMs + nowMs() - signingMs } : signed;
    } finally {
      if (!keepsWallet) {
        this.#steps.unguard(wallet);
        await wallet.release();
      }
    }
  }
}

interface Declined {
  readonly kind: 'declined';
}

interface Expired {
  readonly kind: 'expired';
  /** How long the key and the lock of the wallet took. */
  readonly keyTookMs: number;
}
