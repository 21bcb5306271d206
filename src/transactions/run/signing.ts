import * as l10n from '@vscode/l10n';
import bs58 from 'bs58';
import { type Base64Transaction, bytesFromBase64, parseTransaction } from '../../base/solana/wireTransaction';
import type { Review } from '../../review/types';
import { SigningError } from '../../wallet/errors';
import type { Signer } from '../../wallet/signer';
import { errorMessageOf, OperationError, type OperationErrorDetails } from '../errors';
import type { HeldLock } from '../locks/types';
import { swapCostLamports } from '../inspect/swapCost';
import { balanceOf } from '../outcome/measure';
import { OPERATIONS } from '../operations';
import { walletLock } from '../target';
import { messageHashes } from './quotes';
import type { Recorder } from './recorder';
import { type BuiltOperation, CancelledError, type SignedGroups, type Steps } from './steps';
import { onceResolved, needsWalletWords } from '../words';

/** `wallet`: the lock under which this wallet signs and sends, to be released after sending. `lamportsBefore`: its SOL, if measured. */
export interface SignedOperation {
  readonly kind: 'signed';
  readonly built: BuiltOperation;
  readonly signed: SignedGroups;
  readonly lamportsBefore: Promise<bigint | undefined>;
  readonly wallet: HeldLock;
}

/** `declined`: the key is locked. `expired`: the quote is too old. */
export type NotSigned = { readonly kind: 'declined' } | { readonly kind: 'expired' };

/** Signs reviewed transactions under the lock of the wallet. */
export class Signing {
  readonly #steps: Steps;
  readonly #recorder: Recorder;

  constructor(steps: Steps, recorder: Recorder) {
    this.#steps = steps;
    this.#recorder = recorder;
  }

  /** @returns `undefined` if the key is locked and the user didn't unlock it */
  async signer(): Promise<Signer | undefined> {
    const { host, work } = this.#steps;
    this.#steps.report('signing');
    const signer = await this.#steps.run(
      () => host.signer().catch(undefinedIfLocked),
      (cause) => notSigned(notSignedWords(work.noun, errorMessageOf(cause)), cause),
    );
    if (signer === undefined) {
      return undefined;
    }
    if (signer.owner !== work.subject.owner) {
      throw new OperationError(notSigned(notSignedWords(work.noun, needsWalletWords(work.subject.owner))));
    }
    this.#steps.assertNothingSwitched('notSigned');
    return signer;
  }

  /** Takes the wallet's lock: the last simulation must still hold when the transactions are sent. */
  async wallet(): Promise<HeldLock> {
    const { dependencies, signal, work } = this.#steps;
    try {
      // Not raced against a cancellation: a lock that is granted afterwards would never be released.
      const wallet = await dependencies.locks.acquire(walletLock(work.subject), signal);
      this.#steps.guard(wallet);
      return wallet;
    } catch (cause) {
      throw this.#steps.isCancelled()
        ? new CancelledError()
        : new OperationError(notSigned(notSignedWords(work.noun, errorMessageOf(cause)), cause));
    }
  }

  /** Signs only what the review has sealed; signers accept no other values. `expired`: the review is too old for the signer. */
  async sign(built: BuiltOperation, review: Review, signer: Signer, wallet: HeldLock): Promise<SignedOperation | NotSigned> {
    const { reviewed, spends } = review;
    const { work } = this.#steps;
    this.#steps.assertNothingSwitched('notSigned');
    this.#steps.assertHeld();
    const { owner, operation } = work.subject;
    const { rpc, service, parent } = this.#steps.dependencies;
    // Read in parallel with signing, and only for proceeds that are re-entered: with an RPC, the transactions measure them.
    const isMeasured = rpc === undefined && parent !== undefined && OPERATIONS[operation].isMeasured;
    const lamportsBefore = isMeasured ? balanceOf(owner, service) : Promise.resolve(undefined);
    let signed: readonly Base64Transaction[];
    try {
      // Not raced against a cancellation: it ends soon, and then it is known whether signatures exist.
      signed = await signer.sign(reviewed);
    } catch (cause) {
      if (isExpired(cause)) {
        return { kind: 'expired' };
      }
      if (isLocked(cause)) {
        return { kind: 'declined' };
      }
      throw new OperationError(notSigned(notSignedWords(work.noun, errorMessageOf(cause)), cause));
    }
    if (signed.length !== reviewed.length) {
      throw new OperationError(notSigned(l10n.t`Only ${signed.length} of ${reviewed.length} transactions were signed.`));
    }
    await this.#recorder.write({
      kind: 'signed',
      signatures: signed.map(firstSignature),
      spends,
      swapCostLamports: swapCostLamports(review),
      messageHashes: messageHashes(review),
    });
    this.#steps.log('info', `signed ${signed.length} transactions`);
    return {
      kind: 'signed',
      built,
      wallet,
      lamportsBefore,
      signed: (group) => signed.filter((_, index) => reviewed[index]?.group === group),
    };
  }
}

const notSignedWords = (noun: string, why: string): string => l10n.t`The ${noun} was not signed. ${why}`;

function notSigned(what: string, cause?: unknown): OperationErrorDetails {
  return { kind: 'notSigned', what, advice: onceResolved(), cause };
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

/** The signature that identifies a transaction. */
function firstSignature(base64: Base64Transaction): string {
  const [signature] = parseTransaction(bytesFromBase64(base64)).signatures;
  return bs58.encode(signature ?? new Uint8Array());
}
