import { type Clock, pause } from '../../base/async/clock';
import { ChainRpcError } from '../rpc/errors';
import type { FinalizedBlock, LandingNetwork, StatusesAtSlot } from './network';
import type { StoredLanding } from './store';
import { numberOf, pendingOf, type Submission } from './submission';

/** Dependencies of {@link Confirmation}. */
export interface ConfirmationOptions {
  readonly network: LandingNetwork;
  /** For lengths of time: it must not go back. */
  readonly clock: Clock;
  /** Cancels the landing at the end of the process. What was stored remains. */
  readonly signal: AbortSignal;
  readonly log: (message: string) => void;
}

/** About two slots. */
export const POLL_MS = 500;
const EXPIRY_CHECK_MS = 2_000;
/** Pause after a failed request. The RPC client has already repeated it. */
const RETRY_MS = 2_000;
/** Every node remembers the statuses of the last 300 slots. Half of that leaves room for skipped slots. */
const REMEMBERED_SLOTS = 150;

/** Finds out from the chain what happened to the transactions of one landing. */
export class Confirmation {
  readonly #options: ConfirmationOptions;
  readonly #landing: StoredLanding;
  #problem: string | undefined;
  #landedSlot: number | undefined;
  #expiryCheckedAtMs: number;
  #hasLoggedFailure = false;
  /** The slot of the last statuses. Nothing was sent before the first value. */
  #statusSlot: number;
  /** For some slots the statuses were neither polled in time nor searched in the history. */
  #hasGap = false;
  #isHistorySearched = false;

  /** @param isResumed an earlier process may have sent transactions */
  constructor(options: ConfirmationOptions, landing: StoredLanding, isResumed: boolean) {
    this.#options = options;
    this.#landing = landing;
    this.#statusSlot = landing.beganSlot;
    // A new landing has just been compared with the block height.
    this.#expiryCheckedAtMs = isResumed ? -Infinity : options.clock.now();
  }

  /** The first reason why a transaction did not take effect; `undefined`: none is known. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** The slot of the newest landed transaction. Later ones are simulated by a node that has processed it. */
  get landedSlot(): number | undefined {
    return this.#landedSlot;
  }

  /** Stores a reason, unless there is an earlier one. */
  addProblem(reason: string): void {
    this.#problem ??= reason;
  }

  /**
   * Updates the statuses of pending submissions.
   * @param searchHistory also looks further back than the last minutes
   * @returns the slot of the answer; `undefined`: nothing is pending
   */
  async update(submissions: readonly Submission[], { searchHistory = false } = {}): Promise<number | undefined> {
    const pending = pendingOf(submissions);
    if (pending.length === 0) {
      return undefined;
    }
    const signatures = pending.map(({ transaction }) => transaction.signature);
    const answer = await this.untilAnswered(() => this.#options.network.statuses(signatures, searchHistory));
    this.#noteSlot(answer);
    for (const [index, submission] of pending.entries()) {
      this.#apply(submission, answer.statuses[index] ?? { kind: 'unknown' });
    }
    return answer.slot;
  }

  /**
   * From time to time, checks whether the blockhash has expired in a finalized block, which no fork drops. A transaction that a node with that
   * block does not know then will never land.
   * @returns true if it has expired
   */
  async expire(submissions: readonly Submission[]): Promise<boolean> {
    const { clock, network } = this.#options;
    if (clock.now() - this.#expiryCheckedAtMs < EXPIRY_CHECK_MS) {
      return false;
    }
    this.#expiryCheckedAtMs = clock.now();
    const { lastValidBlockHeight } = this.#landing.operation;
    const finalized = await this.untilAnswered(() => network.finalized());
    if (finalized.blockHeight <= lastValidBlockHeight) {
      return false;
    }
    await this.#updateAsOf(finalized, submissions);
    const expired = pendingOf(submissions).filter(({ status }) => status === 'unknown');
    expired.forEach((submission) => (submission.state = 'expired'));
    const [first] = expired;
    if (first !== undefined) {
      this.addProblem(
        `Transaction ${numberOf(first)} was not in a block before its blockhash expired, at block height ${lastValidBlockHeight}.`,
      );
    }
    return true;
  }

  /** Whether a transaction that is unknown to the node may have landed: the node no longer has all the slots in which it could be. */
  async isHistoryMissing(): Promise<boolean> {
    if (!this.#hasGap) {
      return false;
    }
    if (!this.#isHistorySearched) {
      return true;
    }
    const first = await this.untilAnswered(() => this.#options.network.firstSlot());
    return first === undefined || first > this.#landing.beganSlot;
  }

  /** Repeats a request until it is answered: what was sent needs an outcome. @throws ChainRpcError only if it is cancelled */
  async untilAnswered<Result>(ask: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof ChainRpcError) || error.kind === 'cancelled') {
          throw error;
        }
        if (!this.#hasLoggedFailure) {
          this.#hasLoggedFailure = true;
          this.#options.log(`Landing of operation ${this.#landing.operation.number}: a request failed and is repeated. ${error.message}`);
        }
        await this.pause(RETRY_MS);
      }
    }
  }

  /** @throws ChainRpcError at the end of the process */
  async pause(ms: number): Promise<void> {
    const { signal, clock } = this.#options;
    await pause(ms, signal, clock);
    if (signal.aborted) {
      throw new ChainRpcError('cancelled', 'landing', 'The service is ending.');
    }
  }

  /** Updates until a node answers that has this block: behind one address there may be nodes that lag. */
  async #updateAsOf({ slot }: FinalizedBlock, submissions: readonly Submission[]): Promise<void> {
    for (;;) {
      const updatedSlot = await this.update(submissions, { searchHistory: true });
      if (updatedSlot === undefined || updatedSlot >= slot) {
        return;
      }
      await this.pause(POLL_MS);
    }
  }

  #noteSlot({ slot, isHistorySearched }: StatusesAtSlot): void {
    this.#hasGap ||= slot - this.#statusSlot > REMEMBERED_SLOTS;
    this.#statusSlot = Math.max(this.#statusSlot, slot);
    this.#isHistorySearched = isHistorySearched;
  }

  #apply(submission: Submission, status: StatusesAtSlot['statuses'][number]): void {
    submission.status = status.kind;
    if (status.kind === 'confirmed') {
      submission.state = 'landed';
      this.#landedSlot = Math.max(this.#landedSlot ?? 0, status.slot);
    } else if (status.kind === 'failed') {
      submission.state = 'failed';
      this.addProblem(`Transaction ${numberOf(submission)} failed on the chain, and its fee was paid: ${status.reason}.`);
    }
  }
}
