import { BundleSubmitter } from './bundleSubmitter';
import { Confirmation, type ConfirmationOptions } from './confirmation';
import type { BundleSender } from './jito';
import { RpcSubmitter } from './rpcSubmitter';
import type { LandingOutcome, LandingTransaction, StoredLanding } from './store';
import { groupsOf, type Submission } from './submission';

/** Result of a landing. */
export type AttemptResult =
  | LandingOutcome
  /** Nothing of it was accepted by the block engine or the RPC. It may be landed again. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The RPC no longer has the blocks in which it could be. */
  | { readonly kind: 'notKnown'; readonly reason: string };

/** Dependencies of {@link LandingAttempt}. */
export interface AttemptOptions extends ConfirmationOptions {
  /** `undefined`: transactions are sent by the RPC, one after another. */
  readonly bundles: BundleSender | undefined;
}

/**
 * Submits the transactions of one landing, group after group and always the same bytes, until the chain shows each of them, or its blockhash
 * has expired in a finalized block. Only the chain decides what has landed.
 */
export class LandingAttempt {
  readonly #isResumed: boolean;
  readonly #groups: readonly (readonly Submission[])[];
  readonly #confirmation: Confirmation;
  readonly #rpc: RpcSubmitter;
  /** `undefined`: it is not submitted as bundles. */
  readonly #bundles: BundleSubmitter | undefined;

  /** @param isResumed an earlier process may have sent transactions */
  constructor(options: AttemptOptions, landing: StoredLanding, isResumed: boolean) {
    const { transactions, variant } = landing;
    const { bundles } = options;
    this.#isResumed = isResumed;
    this.#confirmation = new Confirmation(options, landing, isResumed);
    this.#rpc = new RpcSubmitter(options, this.#confirmation);
    this.#bundles = variant === 'tipped' && bundles !== undefined ? new BundleSubmitter(options, this.#confirmation, bundles) : undefined;
    // The order matters within a bundle, and not within a stage.
    const isOneByOne = variant === 'tipped' && bundles === undefined;
    this.#groups = groupsOf(transactions, isOneByOne).map((group, index) =>
      // The first group of a new landing was simulated before the landing was stored.
      group.map((transaction) => submissionOf(transaction, { isSimulated: index === 0 && !isResumed, mayHaveBeenSent: isResumed })),
    );
  }

  /** Places of the transactions that have landed so far, increasing. */
  get landed(): readonly number[] {
    return this.#groups
      .flat()
      .filter(({ state }) => state === 'landed')
      .map(({ transaction }) => transaction.place)
      .sort((one, other) => one - other);
  }

  /** Runs until the outcome of all transactions is known. @throws ChainRpcError `cancelled` at the end of the process */
  async run(): Promise<AttemptResult> {
    if (this.#isResumed) {
      await this.#confirmation.update(this.#groups.flat(), { searchHistory: true });
    }
    for (const group of this.#groups) {
      const refusal = await this.#submit(group);
      if (refusal !== undefined) {
        this.#confirmation.addProblem(refusal);
      }
      if (group.some(({ state }) => state !== 'landed')) {
        return this.#incompleteResult();
      }
    }
    return { kind: 'landed' };
  }

  /** Submits a group until the outcome of its transactions is known. @returns why the block engine did not accept it */
  async #submit(group: readonly Submission[]): Promise<string | undefined> {
    if (this.#bundles === undefined) {
      await this.#rpc.submit(group, { isOrdered: false });
      return undefined;
    }
    const result = await this.#bundles.submit(group);
    if (result.kind === 'incomplete') {
      // Each needs the ones before it, so it can be simulated only after them.
      group.forEach((submission) => (submission.isSimulated = false));
      await this.#rpc.submit(group, { isOrdered: true });
    }
    return result.kind === 'refused' ? result.reason : undefined;
  }

  async #incompleteResult(): Promise<AttemptResult> {
    const landed = [...this.landed];
    const submissions = this.#groups.flat();
    const reason = this.#confirmation.problem ?? 'The blockhash has expired.';
    if (submissions.some(({ state }) => state === 'expired') && (await this.#confirmation.isHistoryMissing())) {
      return { kind: 'notKnown', reason: 'The history of the RPC does not reach back to when it was sent.' };
    }
    if (landed.length > 0) {
      return { kind: 'partial', landed, reason };
    }
    return submissions.some(({ mayHaveBeenSent }) => mayHaveBeenSent) ? { kind: 'notLanded', reason } : { kind: 'refused', reason };
  }
}

function submissionOf(
  transaction: LandingTransaction,
  { isSimulated, mayHaveBeenSent }: Pick<Submission, 'isSimulated' | 'mayHaveBeenSent'>,
): Submission {
  return { transaction, state: 'pending', status: 'unknown', isSimulated, mayHaveBeenSent, failedSimulations: 0, sentAtMs: -Infinity };
}
