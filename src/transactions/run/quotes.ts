import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { bytesFromBase64, messageOf, parseTransaction } from '../../base/solana/wireTransaction';
import type { ChainFacts } from '../../review/facts/facts';
import { deposits } from '../../review/intents';
import { reviewOperation } from '../../review/review';
import { leastReceived } from '../../review/spends';
import type { Review, Spends } from '../../review/types';
import { errorMessageOf, OperationError, type OperationErrorDetails } from '../errors';
import { Reviewer } from '../inspect/reviewer';
import { slippageBpsOf } from '../journal/plans';
import type { NewEvent, PromisedToken } from '../journal/types';
import { requestsToLand } from '../requestPlan';
import { priorSpends, type SignedAttempt } from '../signedAttempts';
import { holdsUntilByClockMs, type Quote } from './quote';
import type { Recorder } from './recorder';
import type { BuiltOperation, Steps } from './steps';
import { onceResolved, notPreparedWords } from '../words';

/** Maximum number of journaled transactions. The review allows far fewer. */
const MOST_KEPT = 1_000;

/** Builds and reviews the transactions of an operation. */
export class Quotes {
  readonly #steps: Steps;
  readonly #recorder: Recorder;
  readonly #earlier: readonly SignedAttempt[];
  /** What the RPC has said about the last build. */
  #facts: ChainFacts | undefined;

  /** @param earlier signed attempts at the same position or pool that may still land */
  constructor(steps: Steps, recorder: Recorder, earlier: readonly SignedAttempt[]) {
    this.#steps = steps;
    this.#recorder = recorder;
    this.#earlier = earlier;
  }

  /**
   * Builds, journals, reviews and journals.
   * @param slippageBps the tolerance for this build, at most the user's
   */
  async request(slippageBps = slippageBpsOf(this.#steps.work.subject.plan)): Promise<Quote> {
    const { work, dependencies } = this.#steps;
    await this.#keepRequests();
    this.#steps.report('building');
    this.#steps.assertNothingSwitched('notBuilt');
    const requestedAtMs = dependencies.nowMs();
    const built = await this.#steps.run(
      (stopped) => work.build(stopped, slippageBps),
      (cause) => this.#notBuilt(cause, onceResolved()),
    );
    if (built.transactions.length === 0) {
      throw new OperationError(nothingBuilt(work.noun));
    }
    this.#logBuilt(built);
    await this.#recorder.write(builtEvent(built));
    this.#steps.report('reviewing');
    const quote = await this.#steps.run((signal) => this.#reviewed({ built, slippageBps, requestedAtMs }, signal), notReviewed);
    await this.writeReview(quote.review);
    return quote;
  }

  /** Whether a quote can be renewed now without a wait, and without the requests that the landing needs. */
  mayRenew(): boolean {
    const { requests } = this.#steps.dependencies;
    return this.#steps.switched() === undefined && (requests === undefined || requests.couldKeep(this.#requestsToLand()));
  }

  /** Builds and reviews again, without any trace in the journal: nothing may be signed before {@link adopt}. */
  async renew(signal: AbortSignal, slippageBps = slippageBpsOf(this.#steps.work.subject.plan)): Promise<Quote> {
    const { work, dependencies } = this.#steps;
    await dependencies.requests?.keep(this.#requestsToLand(), signal);
    const requestedAtMs = dependencies.nowMs();
    const built = await work.build(signal, slippageBps);
    if (built.transactions.length === 0) {
      throw new OperationError(nothingBuilt(work.noun));
    }
    const quote = await this.#reviewed({ built, slippageBps, requestedAtMs }, signal);
    quote.reviewer.within(this.#steps.signal);
    return quote;
  }

  /** Journals a renewed quote, which is used from now on. */
  async adopt({ built, review }: Quote): Promise<void> {
    this.#logBuilt(built);
    await this.#recorder.write(builtEvent(built));
    await this.writeReview(review);
  }

  /** Journals a review. */
  async writeReview(review: Review): Promise<void> {
    const rules = review.findings.map(({ rule, verdict }) => `${rule} ${verdict}`).join(', ');
    const hashes = messageHashes(review).join(', ');
    this.#steps.log('info', `reviewed: ${review.verdict} (${rules === '' ? 'no findings' : rules}); messages ${hashes}`);
    await this.#recorder.write({
      kind: 'reviewed',
      verdict: review.verdict,
      rules: [...new Set(review.findings.map(({ rule }) => rule))],
      promised: promisedBy(review),
    });
  }

  /** Waits until the request limit leaves room for all requests up to the landing: built transactions expire and must not wait. */
  async #keepRequests(): Promise<void> {
    await this.#steps.run(
      async (stopped) => this.#steps.dependencies.requests?.keep(this.#requestsToLand(), stopped),
      (cause) => this.#notBuilt(cause, l10n.t('Try again.')),
    );
  }

  #requestsToLand(): number {
    const { work, dependencies } = this.#steps;
    return requestsToLand(dependencies, work.subject.operation);
  }

  async #reviewed(of: Pick<Quote, 'built' | 'slippageBps' | 'requestedAtMs'>, signal: AbortSignal): Promise<Quote> {
    const reviewer = await this.#reviewer(of.built, signal);
    const review = await reviewer.review();
    this.#facts = reviewer.facts;
    return { ...of, reviewer, review, holdsUntilMs: holdsUntilByClockMs(of.requestedAtMs) };
  }

  async #reviewer(built: BuiltOperation, signal: AbortSignal): Promise<Reviewer> {
    const { rpc, policy, isSimulating, nowMs } = this.#steps.dependencies;
    const prior = await this.#prior(signal);
    const log = (message: string) => this.#steps.log('warn', message);
    return new Reviewer(built, { rpc, policy, isSimulating, nowMs, reviewOperation, prior, signal, log, earlier: this.#facts });
  }

  /** The spends of earlier attempts that may still land. */
  async #prior(signal: AbortSignal): Promise<Spends | undefined> {
    const prior = await priorSpends(this.#earlier, this.#steps.dependencies.rpc, signal);
    if (prior !== undefined) {
      this.#steps.log('info', 'an earlier attempt is signed and may still land: its spends count');
    }
    return prior;
  }

  #logBuilt({ transactions, lastValidBlockHeight }: BuiltOperation): void {
    const groups = transactions.map(({ group }) => group).join(', ');
    this.#steps.log(
      'info',
      `built ${transactions.length} transactions (${groups}), valid up to block ${lastValidBlockHeight ?? 'unknown'}`,
    );
  }

  #notBuilt(cause: unknown, advice: string): OperationErrorDetails {
    const { noun } = this.#steps.work;
    return { kind: 'notBuilt', what: notPreparedWords(noun, errorMessageOf(cause)), advice, cause };
  }
}

/** The hashes of the messages of a review, in order. */
export function messageHashes({ transactions }: Review): readonly string[] {
  return transactions.map(({ messageHash }) => messageHash);
}

/** The failure of a review. */
export function notReviewed(cause: unknown): OperationErrorDetails {
  return {
    kind: 'notReviewed',
    what: l10n.t`The transactions could not be reviewed. ${errorMessageOf(cause)}`,
    advice: l10n.t('Reload the window, then try again.'),
    cause,
  };
}

function nothingBuilt(noun: string): OperationErrorDetails {
  return {
    kind: 'notBuilt',
    what: notPreparedWords(noun, l10n.t('The service built no transactions.')),
    advice: l10n.t('Refresh, then try again.'),
  };
}

/** The least that comes back by the review, for comparison with the actual change; `undefined` for a deposit. */
function promisedBy(review: Review): readonly PromisedToken[] | undefined {
  return deposits(review.intent)
    ? undefined
    : [...leastReceived(review)].flatMap(([mint, leastRaw]) => (mint === undefined ? [] : [{ mint, leastRaw }]));
}

/** Unreadable transactions are left out here; the review blocks them. */
function builtEvent({ position, transactions, lastValidBlockHeight }: BuiltOperation): NewEvent {
  const messages = transactions.slice(0, MOST_KEPT).flatMap(({ base64 }) => {
    try {
      const bytes = bytesFromBase64(base64);
      const wire = parseTransaction(bytes);
      return [{ recentBlockhash: wire.recentBlockhash, hash: createHash('sha256').update(messageOf(bytes, wire)).digest('hex') }];
    } catch {
      return [];
    }
  });
  return {
    kind: 'built',
    position,
    transactions: transactions.length,
    messageHashes: messages.map(({ hash }) => hash),
    blockhashes: [...new Set(messages.map(({ recentBlockhash }) => recentBlockhash))],
    lastValidBlockHeight,
  };
}
