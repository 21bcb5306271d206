import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import bs58 from 'bs58';
import { type Base64Transaction, bytesFromBase64, messageOf, parseTransaction } from '../../base/solana/wireTransaction';
import { reviewOperation, REVIEW_LIFETIME_MS } from '../../review/review';
import { leastReceived } from '../../review/spends';
import type { Review, Spends } from '../../review/types';
import { SigningError } from '../../wallet/errors';
import type { Signer } from '../../wallet/signer';
import { errorMessageOf, OperationError, type OperationErrorDetails } from '../errors';
import { isWorse, Reviewer } from '../inspect/reviewer';
import type { NewEvent, PromisedToken } from '../journal/types';
import type { HeldLock } from '../locks/types';
import { type Balance, balanceOf } from '../outcome/measure';
import { canSpareOne, requestsToLand } from '../requestPlan';
import { priorSpends, type SignedAttempt } from '../signedAttempts';
import { walletLock } from '../target';
import type { ReapprovalReason } from '../types';
import type { Recorder } from './recorder';
import { type BuiltOperation, CancelledError, type SignedGroups, type Steps } from './steps';

/** The decision about the built transactions. */
export type PreparationResult =
  | { readonly kind: 'blocked'; readonly review: Review }
  | { readonly kind: 'declined' }
  /** The review has expired; nothing was signed. */
  | { readonly kind: 'tookTooLong' }
  /** `wallet`: the lock under which this wallet signs and sends, to be released after sending. `before`: its balance, if measured. */
  | { readonly kind: 'signed'; readonly signed: SignedGroups; readonly before: Promise<Balance | undefined>; readonly wallet: HeldLock };

/** Time limit for a balance that only serves as evidence afterwards: the blockhash ages meanwhile. */
const PROOF_BUDGET_MS = 3_000;

/** Maximum number of journaled transactions. The review allows far fewer. */
const MOST_KEPT = 1_000;

/** All steps up to the signatures: build, review, approve, sign. Each is journaled before the next one begins. */
export class Preparation {
  readonly #steps: Steps;
  readonly #recorder: Recorder;
  readonly #earlier: readonly SignedAttempt[];

  /** @param earlier signed attempts at the same position or pool that may still land */
  constructor(steps: Steps, recorder: Recorder, earlier: readonly SignedAttempt[]) {
    this.#steps = steps;
    this.#recorder = recorder;
    this.#earlier = earlier;
  }

  async build(): Promise<BuiltOperation> {
    const { work } = this.#steps;
    await this.#keepRequests();
    this.#steps.report('building');
    this.#steps.assertNothingSwitched('notBuilt');
    const built = await this.#steps.run(
      (stopped) => work.build(stopped),
      (cause) => ({
        kind: 'notBuilt',
        what: l10n.t`The ${work.noun} could not be prepared. ${errorMessageOf(cause)}`,
        advice: l10n.t('Try again once this is resolved.'),
        cause,
      }),
    );
    if (built.transactions.length === 0) {
      throw new OperationError({
        kind: 'notBuilt',
        what: l10n.t`The service built no transactions for this ${work.noun}.`,
        advice: l10n.t('Refresh, then try again.'),
      });
    }
    const groups = built.transactions.map(({ group }) => group).join(', ');
    this.#steps.log(
      'info',
      `built ${built.transactions.length} transactions (${groups}), valid up to block ${built.lastValidBlockHeight ?? 'unknown'}`,
    );
    await this.#recorder.write(builtEvent(built));
    return built;
  }

  /** Waits until the request limit leaves room for all requests up to the landing: built transactions expire and must not wait. */
  async #keepRequests(): Promise<void> {
    const { work, dependencies } = this.#steps;
    await this.#steps.run(
      async (stopped) =>
        dependencies.requests?.keep(requestsToLand(dependencies, work.subject.operation === 'zapIn' ? 'zapIn' : 'zapOut'), stopped),
      (cause) => ({
        kind: 'notBuilt',
        what: l10n.t`The ${work.noun} could not be prepared. ${errorMessageOf(cause)}`,
        advice: l10n.t('Try again.'),
        cause,
      }),
    );
  }

  /** Reviews, asks for approval, and signs; asks again if a new review right before signing is worse. */
  async decide(built: BuiltOperation, first: ReapprovalReason | undefined): Promise<PreparationResult> {
    const { nowMs } = this.#steps.dependencies;
    const reviewedAtMs = nowMs();
    const reviewer = await this.#reviewer(built);
    const isTooOld = (): boolean => {
      const ageMs = nowMs() - reviewedAtMs;
      return !(ageMs >= 0 && ageMs <= REVIEW_LIFETIME_MS);
    };
    let review = await this.#reviewed(() => reviewer.review());
    for (let reason = first; ; reason = 'changed') {
      if (review.verdict !== 'block') {
        this.#steps.host.inspect?.(review);
      }
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
      await this.#recorder.write({ kind: 'approved', by: this.#steps.host.approver ?? 'user' });
      const signer = await this.#signer();
      if (signer === undefined) {
        return { kind: 'declined' };
      }
      const wallet = await this.#wallet();
      let keepsWallet = false;
      try {
        const renewed = await this.#reviewed(() => reviewer.renewed(review), review);
        if (isWorse(renewed, review)) {
          this.#steps.log('info', 'a new simulation found what was not approved; the user is asked again');
          review = renewed;
          continue;
        }
        const decision = isTooOld() ? { kind: 'tookTooLong' as const } : await this.#sign(renewed, signer, wallet);
        keepsWallet = decision.kind === 'signed';
        return decision;
      } finally {
        if (!keepsWallet) {
          this.#steps.unguard(wallet);
          await wallet.release();
        }
      }
    }
  }

  async #reviewer(built: BuiltOperation): Promise<Reviewer> {
    this.#steps.report('reviewing');
    const { rpc, policy, isSimulating, nowMs } = this.#steps.dependencies;
    return this.#steps.run(
      async (signal) => {
        const prior = await this.#prior(signal);
        const log = (message: string) => this.#steps.log('warn', message);
        return new Reviewer(built, { rpc, policy, isSimulating, nowMs, reviewOperation, prior, signal, log });
      },
      (cause) => notReviewed(cause),
    );
  }

  /** The spends of earlier attempts that may still land. */
  async #prior(signal: AbortSignal): Promise<Spends | undefined> {
    const prior = await priorSpends(this.#earlier, this.#steps.dependencies.rpc, signal);
    if (prior !== undefined) {
      this.#steps.log('info', 'an earlier attempt is signed and may still land: its spends count');
    }
    return prior;
  }

  /** @param known an earlier review; the new one is journaled only if it is worse */
  async #reviewed(run: () => Promise<Review>, known?: Review): Promise<Review> {
    const review = await this.#steps.run(run, (cause) => notReviewed(cause));
    if (review !== known) {
      const rules = review.findings.map(({ rule, verdict }) => `${rule} ${verdict}`).join(', ');
      const hashes = review.transactions.map(({ messageHash }) => messageHash).join(', ');
      this.#steps.log('info', `reviewed: ${review.verdict} (${rules === '' ? 'no findings' : rules}); messages ${hashes}`);
      if (known === undefined || isWorse(review, known)) {
        await this.#recorder.write({
          kind: 'reviewed',
          verdict: review.verdict,
          rules: [...new Set(review.findings.map(({ rule }) => rule))],
          promised: promisedBy(review),
        });
      }
    }
    return review;
  }

  async #approve(review: Review, reason: ReapprovalReason | undefined): Promise<boolean> {
    const { host, work } = this.#steps;
    this.#steps.report('waitingForApproval');
    return this.#steps.run(
      () => host.approve(review, reason),
      (cause) => ({
        kind: 'notAsked',
        what: l10n.t`The ${work.noun} could not be shown for approval. ${errorMessageOf(cause)}`,
        advice: l10n.t('Try again.'),
        cause,
      }),
    );
  }

  /** @returns `undefined` if the key is locked and the user didn't unlock it */
  async #signer(): Promise<Signer | undefined> {
    const { host, work } = this.#steps;
    this.#steps.report('signing');
    const signer = await this.#steps.run(
      () => host.signer().catch(undefinedIfLocked),
      (cause) => notSigned(l10n.t`The ${work.noun} was not signed. ${errorMessageOf(cause)}`, cause),
    );
    if (signer === undefined) {
      return undefined;
    }
    if (signer.owner !== work.subject.owner) {
      throw new OperationError(
        notSigned(l10n.t`The available key belongs to ${signer.owner}; this ${work.noun} needs the key of ${work.subject.owner}.`),
      );
    }
    this.#steps.assertNothingSwitched('notSigned');
    return signer;
  }

  /** Takes the wallet's lock: the last simulation must still hold when the transactions are sent. */
  async #wallet(): Promise<HeldLock> {
    const { dependencies, signal, work } = this.#steps;
    try {
      // Not raced against a cancellation: a lock that is granted afterwards would never be released.
      const wallet = await dependencies.locks.acquire(walletLock(work.subject), signal);
      this.#steps.guard(wallet);
      return wallet;
    } catch (cause) {
      throw this.#steps.isCancelled()
        ? new CancelledError()
        : new OperationError(
            notSigned(
              l10n.t`The ${work.noun} was not signed, because the wallet could not be locked against other operations. ${errorMessageOf(cause)}`,
              cause,
            ),
          );
    }
  }

  /** Signs only what the review has sealed; signers accept no other values. */
  async #sign({ reviewed, spends, transactions }: Review, signer: Signer, wallet: HeldLock): Promise<PreparationResult> {
    const { work } = this.#steps;
    this.#steps.assertNothingSwitched('notSigned');
    this.#steps.assertHeld();
    const { owner, operation } = work.subject;
    const { rpc, service, parent, requests } = this.#steps.dependencies;
    // Read in parallel with signing. Without an RPC it costs a request of the service, so it is read only where needed: for proceeds that
    // are re-entered, and for several transactions, to learn whether one of them paid its fee (reconcile.ts).
    const hasToBeKnown = operation === 'zapOut' && (rpc !== undefined || parent !== undefined);
    const isMeasured =
      hasToBeKnown ||
      (reviewed.length > 1 && (rpc !== undefined || canSpareOne(requests)) && transactions.every(({ feePayer }) => feePayer === owner));
    const before = isMeasured ? balanceOf(owner, { rpc, service }, hasToBeKnown ? undefined : PROOF_BUDGET_MS) : Promise.resolve(undefined);
    let signed: readonly Base64Transaction[];
    try {
      // Not raced against a cancellation: it ends soon, and then it is known whether signatures exist.
      signed = await signer.sign(reviewed);
    } catch (cause) {
      if (isExpired(cause)) {
        return { kind: 'tookTooLong' };
      }
      if (isLocked(cause)) {
        return { kind: 'declined' };
      }
      throw new OperationError(notSigned(l10n.t`The ${work.noun} was not signed. ${errorMessageOf(cause)}`, cause));
    }
    if (signed.length !== reviewed.length) {
      throw new OperationError(notSigned(l10n.t`Only ${signed.length} of ${reviewed.length} transactions were signed.`));
    }
    await this.#recorder.write({ kind: 'signed', signatures: signed.map(firstSignature), spends });
    this.#steps.log('info', `signed ${signed.length} transactions`);
    return { kind: 'signed', wallet, before, signed: (group) => signed.filter((_, index) => reviewed[index]?.group === group) };
  }
}

/** The least that a zap-out returns by its review, for comparison with the actual change. */
function promisedBy(review: Review): readonly PromisedToken[] | undefined {
  return review.intent.kind === 'zapOut'
    ? [...leastReceived(review)].flatMap(([mint, leastRaw]) => (mint === undefined ? [] : [{ mint, leastRaw }]))
    : undefined;
}

function notReviewed(cause: unknown): OperationErrorDetails {
  return {
    kind: 'notReviewed',
    what: l10n.t`The transactions could not be reviewed. ${errorMessageOf(cause)}`,
    advice: l10n.t('Reload the window, then try again.'),
    cause,
  };
}

function notSigned(what: string, cause?: unknown): OperationErrorDetails {
  return { kind: 'notSigned', what, advice: l10n.t('Try again once this is resolved.'), cause };
}

function isLocked(cause: unknown): boolean {
  return cause instanceof SigningError && cause.kind === 'locked';
}

function undefinedIfLocked(cause: unknown): undefined {
  if (!isLocked(cause)) {
    throw cause;
  }
}

/** Whether the signer refused because the review has expired: unlocking the key may have taken long. */
function isExpired(cause: unknown): boolean {
  const reason = cause instanceof SigningError ? cause.cause : undefined;
  return reason instanceof Error && reason.name === 'NotSignableError' && 'kind' in reason && reason.kind === 'expired';
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

/** The signature that identifies a transaction. */
function firstSignature(base64: Base64Transaction): string {
  const [signature] = parseTransaction(bytesFromBase64(base64)).signatures;
  return bs58.encode(signature ?? new Uint8Array());
}
