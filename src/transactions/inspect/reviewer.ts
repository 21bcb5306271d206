import * as l10n from '@vscode/l10n';
import type { Base64Transaction } from '../../base/solana/wireTransaction';
import type { ChainFacts, Simulation } from '../../review/facts/facts';
import { NO_QUESTIONS } from '../../review/facts/questions';
import type { Finding, Review, ReviewInput, Spends, TransactionGroup } from '../../review/types';
import type { SolanaRpc } from '../../rpc/types';
import { FactSheet, isEmpty, joined, newQuestions } from './chainFacts';
import { errorMessageOf } from '../errors';
import { isExpiryError } from '../expiry';
import { simulate } from './simulation';
import type { OperationDependencies } from '../types';

/** The part of a built operation that the review reads. */
interface UnsignedOperation extends Pick<ReviewInput, 'intent' | 'lastValidBlockHeight'> {
  readonly transactions: readonly { readonly group: TransactionGroup; readonly base64: Base64Transaction }[];
}

export interface ReviewerOptions extends Pick<OperationDependencies, 'rpc' | 'policy' | 'isSimulating' | 'nowMs'> {
  readonly reviewOperation: (input: ReviewInput) => Review;
  /** Spends of earlier signed attempts that may still land. */
  readonly prior: Spends | undefined;
  readonly signal: AbortSignal;
  readonly log: (message: string) => void;
  /** Time limit for all facts together, and for each simulation; milliseconds. */
  readonly rpcBudgetMs?: number;
}

/** An answer may raise new questions: first the content of a lookup table, then the owners of the accounts in it. */
const MOST_ROUNDS = 3;
const DEFAULT_RPC_BUDGET_MS = 8_000;
/** Characters. Hostile transactions may name many lookup tables that do not exist. */
const LONGEST_PROBLEM = 600;
/** Maximum age of a simulation right before signing. */
const SIMULATION_LIFETIME_MS = 5_000;

/**
 * Reviews the built transactions, with facts and a simulation of the user's RPC. An RPC that fails or is slow never stops the review: the
 * review notes the problem and continues without the answer.
 */
export class Reviewer {
  readonly #built: UnsignedOperation;
  readonly #options: ReviewerOptions;
  readonly #sheet = new FactSheet();
  #signal: AbortSignal;
  #simulation: Simulation | undefined;
  #simulationProblem: string | undefined;
  #simulatedAtMs = Number.NEGATIVE_INFINITY;
  #hasExpired = false;

  constructor(built: UnsignedOperation, options: ReviewerOptions) {
    this.#built = built;
    this.#options = options;
    this.#signal = options.signal;
  }

  /** Aborts later reviews by another signal than the one until now. */
  within(signal: AbortSignal): this {
    this.#signal = signal;
    return this;
  }

  /**
   * Whether the RPC no longer accepts a blockhash of the transactions, by the last simulation: then it says nothing about what they do. Also
   * true if the RPC does not know it yet.
   */
  get hasExpired(): boolean {
    return this.#hasExpired;
  }

  /** Never rejects because of the RPC. */
  async review(): Promise<Review> {
    const { rpc, isSimulating } = this.#options;
    const offline = this.#review(undefined);
    if (rpc === undefined) {
      return offline;
    }
    const review = await this.#withFacts(rpc, offline);
    return isSimulating && review.verdict !== 'block' ? this.#simulated(rpc, review) : review;
  }

  /** The review right before signing. Simulates again if the last simulation is older than {@link SIMULATION_LIFETIME_MS}. */
  async renewed(review: Review): Promise<Review> {
    const { rpc, isSimulating, nowMs } = this.#options;
    const ageMs = nowMs() - this.#simulatedAtMs;
    const isRecent = this.#simulation !== undefined && ageMs >= 0 && ageMs <= SIMULATION_LIFETIME_MS;
    return rpc === undefined || !isSimulating || isRecent ? review : this.#simulated(rpc, review);
  }

  async #withFacts(rpc: SolanaRpc, offline: Review): Promise<Review> {
    const budget = this.#budget(rpc);
    let review = offline;
    let asked = NO_QUESTIONS;
    try {
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const questions = newQuestions(review.questions, asked);
        if (isEmpty(questions)) {
          break;
        }
        asked = joined(asked, questions);
        await budget.run((signal) => this.#sheet.ask(questions, rpc, signal));
        review = this.#review(this.#facts());
      }
    } catch (error) {
      this.#sheet.addProblem(errorMessageOf(error));
      review = this.#review(this.#facts());
    } finally {
      budget.end();
    }
    this.#logProblem();
    return review;
  }

  async #simulated(rpc: SolanaRpc, { watched }: Review): Promise<Review> {
    const budget = this.#budget(rpc);
    const transactions = this.#built.transactions.map(({ base64 }) => base64);
    const { lookupTables } = this.#sheet.facts;
    // Taken before the request: the answer may be that old.
    this.#simulatedAtMs = this.#options.nowMs();
    try {
      this.#simulation = await budget.run((signal) => simulate({ transactions, watched, lookupTables }, rpc, signal));
      this.#simulationProblem = undefined;
      this.#hasExpired = this.#simulation?.transactions.some(({ error }) => error !== undefined && isExpiryError(error)) === true;
    } catch (error) {
      this.#simulation = undefined;
      this.#hasExpired = isExpiryError(errorMessageOf(error));
      this.#simulationProblem = l10n.t`The transactions could not be simulated. ${errorMessageOf(error)}`;
    } finally {
      budget.end();
    }
    this.#logProblem();
    return this.#review(this.#facts());
  }

  #review(facts: ChainFacts | undefined): Review {
    const { reviewOperation, policy, prior, nowMs } = this.#options;
    const { intent, transactions, lastValidBlockHeight } = this.#built;
    return reviewOperation({
      intent,
      transactions,
      lastValidBlockHeight,
      policy: policy(),
      ...(facts === undefined ? {} : { facts }),
      ...(prior === undefined ? {} : { prior }),
      nowMs: nowMs(),
    });
  }

  #facts(): ChainFacts {
    const { facts } = this.#sheet;
    const simulationProblem = this.#simulationProblem ?? '';
    // Do not repeat the same problem.
    const rest = simulationProblem.includes(facts.problem ?? '') ? '' : ` ${facts.problem ?? ''}`;
    const problem = `${simulationProblem}${rest}`.trim().slice(0, LONGEST_PROBLEM);
    return { ...facts, simulation: this.#simulation, ...(problem === '' ? {} : { problem }) };
  }

  #logProblem(): void {
    const { problem } = this.#facts();
    if (problem !== undefined) {
      this.#options.log(problem);
    }
  }

  /** Ends the work in it on timeout or cancellation, even if the work ignores its signal. */
  #budget({ name }: SolanaRpc): { run<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>; end(): void } {
    const { rpcBudgetMs = DEFAULT_RPC_BUDGET_MS } = this.#options;
    const signal = this.#signal;
    const controller = new AbortController();
    const over = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error), { once: true });
    });
    over.catch(() => undefined);
    const timer = setTimeout(
      () => controller.abort(new Error(l10n.t`The RPC ${name} took longer than ${rpcBudgetMs / 1_000} s.`)),
      rpcBudgetMs,
    );
    const onCancel = () => controller.abort(new Error('Cancelled.'));
    signal.addEventListener('abort', onCancel, { once: true });
    return {
      run: async (work) => Promise.race([work(controller.signal), over]),
      end: () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onCancel);
        // Stops requests that are still running.
        controller.abort(new Error('The answer is not waited for any more.'));
      },
    };
  }
}

/**
 * Whether a later review of the same transactions needs a decision that the earlier approval does not cover: it blocks, or has a finding
 * to confirm that is new, occurs more often, or concerns a larger amount.
 */
export function isWorse(later: Review, approved: Review): boolean {
  if (later.verdict === 'block') {
    return true;
  }
  const decided = decisionsOf(approved);
  return [...decisionsOf(later)].some(([key, { count, mostRaw }]) => {
    const before = decided.get(key);
    return before === undefined || count > before.count || mostRaw > before.mostRaw;
  });
}

interface Decision {
  readonly count: number;
  readonly mostRaw: bigint;
}

/** Keyed by rule and place, not by text: the text may contain a slot or a current price. */
function decisionsOf({ findings }: Review): ReadonlyMap<string, Decision> {
  const decisions = new Map<string, Decision>();
  for (const finding of findings.filter(({ verdict }) => verdict === 'confirm')) {
    const key = keyOf(finding);
    const { count, mostRaw } = decisions.get(key) ?? { count: 0, mostRaw: 0n };
    const { amountRaw = 0n } = finding;
    decisions.set(key, { count: count + 1, mostRaw: amountRaw > mostRaw ? amountRaw : mostRaw });
  }
  return decisions;
}

function keyOf({ rule, transaction, instruction, address }: Finding): string {
  return [rule, transaction, instruction, address].join(' ');
}
