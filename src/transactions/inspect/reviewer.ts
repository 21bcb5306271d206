import * as l10n from '@vscode/l10n';
import type { ChainFacts, Simulation } from '../../review/facts/facts';
import { NO_QUESTIONS } from '../../review/facts/questions';
import type { Finding, Review, Spends, ReviewInput } from '../../review/types';
import type { SolanaRpc } from '../../rpc/types';
import { FactSheet, isEmpty, joined, newQuestions } from './chainFacts';
import { errorMessageOf } from '../errors';
import { simulate } from './simulation';
import type { OperationDependencies } from '../types';
import type { BuiltOperation } from '../run/steps';

export interface ReviewerOptions extends Pick<OperationDependencies, 'rpc' | 'policy' | 'isSimulating' | 'nowMs'> {
  readonly reviewOperation: (input: ReviewInput) => Review;
  /** What earlier attempts at the same operation may still spend. */
  readonly prior: Spends | undefined;
  readonly signal: AbortSignal;
  readonly log: (message: string) => void;
  /** How long the RPC may take for its facts, and for each simulation. */
  readonly rpcBudgetMs?: number;
}

/** An answer to one question may raise another: what a lookup table holds, then whose the accounts in it are. */
const MOST_ROUNDS = 3;
const DEFAULT_RPC_BUDGET_MS = 8_000;
/** Characters: it is a note, and hostile transactions may name many tables that are not there. */
const LONGEST_PROBLEM = 600;
/** How old a simulation may be right before signing. */
const SIMULATION_LIFETIME_MS = 5_000;

/**
 * Reviews what the service built, with what the user's RPC has to say to it. The RPC makes the review better, and is never in its
 * way: what it does not answer in time is noted in the review, which goes on without it.
 */
export class Reviewer {
  readonly #built: BuiltOperation;
  readonly #options: ReviewerOptions;
  readonly #sheet = new FactSheet();
  #simulation: Simulation | undefined;
  #simulationProblem: string | undefined;
  #simulatedAtMs = Number.NEGATIVE_INFINITY;

  constructor(built: BuiltOperation, options: ReviewerOptions) {
    this.#built = built;
    this.#options = options;
  }

  /** Reviews the transactions. Never rejects for what the RPC does. */
  async review(): Promise<Review> {
    const { rpc, isSimulating } = this.#options;
    const offline = this.#review(undefined);
    if (rpc === undefined) {
      return offline;
    }
    const review = await this.#withFacts(rpc, offline);
    return isSimulating && review.verdict !== 'block' ? this.#simulated(rpc, review) : review;
  }

  /** The review right before signing: where the last simulation is too old by then, with a new one. */
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
    // As of before the RPC was asked: what it answers may be that old.
    this.#simulatedAtMs = this.#options.nowMs();
    try {
      this.#simulation = await budget.run((signal) => simulate({ transactions, watched, lookupTables }, rpc, signal));
      this.#simulationProblem = undefined;
    } catch (error) {
      this.#simulation = undefined;
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
    // The same trouble is told once.
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

  /** Ends what runs in it when its time is up or the operation is cancelled, also where that does not listen to its signal. */
  #budget({ name }: SolanaRpc): { run<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>; end(): void } {
    const { signal, rpcBudgetMs = DEFAULT_RPC_BUDGET_MS } = this.#options;
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
        // Whatever still runs need not go on.
        controller.abort(new Error('The answer is not waited for any more.'));
      },
    };
  }
}

/**
 * Whether a later review of the same transactions asks for a decision that was not made on the earlier one: it is blocked, or
 * has a finding to be decided on that is new, stands more often, or is about more.
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

/** By what they are about; their words may name a slot or a price of the moment. */
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
