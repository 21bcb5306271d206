import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import type { Base64Transaction } from '../../base/solana/wireTransaction';
import { type ChainFacts, type LookupTable, NO_FACTS, type OpenQuestions, type Simulation } from '../../review/facts/facts';
import { NO_QUESTIONS } from '../../review/questions';
import type { Finding, Review, ReviewInput, Spends, TransactionGroup } from '../../review/types';
import type { SolanaRpc } from '../../rpc/types';
import { FactSheet, isEmpty, joined, newQuestions } from './chainFacts';
import { errorMessageOf } from '../errors';
import { isExpiryError } from '../expiry';
import { simulate, type SimulationSubject } from './simulation';
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
  /**
   * Facts about an earlier build of the same operation. They only predict which questions there will be, so that all can be asked at the same
   * time: every answer in a verdict is read for these transactions.
   */
  readonly earlier?: ChainFacts | undefined;
  /** How long the RPC may leave the review without an answer, milliseconds. */
  readonly rpcBudgetMs?: number;
}

/** An answer may raise new questions: first the content of a lookup table, then the owners of the accounts in it. */
const MOST_ROUNDS = 3;
const DEFAULT_RPC_BUDGET_MS = 8_000;
/** So many of these limits for all facts together, and for each simulation: an RPC that answers slowly is waited for a little longer. */
const MOST_BUDGETS = 3;
/** Characters. Hostile transactions may name many lookup tables that do not exist. */
const LONGEST_PROBLEM = 600;
/** Maximum age of a simulation right before signing, if the RPC answers quickly. */
const SIMULATION_LIFETIME_MS = 5_000;
/** A simulation is as old as its answer took: one that is twice as old is not worth a repetition, during which the quote expires. */
const SLOW_ANSWERS = 2;

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
  /** What the last simulation was to show. */
  #simulatedFor: Pick<SimulationSubject, 'watched' | 'lookupTables'> | undefined;
  #simulationProblem: string | undefined;
  #simulatedAtMs = Number.NEGATIVE_INFINITY;
  #simulationTookMs = 0;
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

  /** What the RPC has said so far, for the review of a later build. */
  get facts(): ChainFacts {
    return this.#sheet.facts;
  }

  /** Never rejects because of the RPC. */
  async review(): Promise<Review> {
    const { rpc, isSimulating, earlier } = this.#options;
    const offline = this.#review(undefined);
    if (rpc === undefined) {
      return offline;
    }
    const expected = earlier && this.#review({ ...earlier, blockhashes: NO_FACTS.blockhashes, simulation: undefined });
    const isEarly = isSimulating && expected !== undefined && expected.verdict !== 'block';
    const [review] = await Promise.all([
      this.#withFacts(rpc, offline),
      isEarly ? this.#simulate(rpc, expected, earlier?.lookupTables) : undefined,
    ]);
    if (!isSimulating || review.verdict === 'block') {
      return review;
    }
    return isEarly && this.#wasSimulatedFor(review) ? this.#review(this.#facts(this.#simulation)) : this.#simulated(rpc, review);
  }

  /** The review right before signing. Simulates again if the last simulation is too old. */
  async renewed(review: Review): Promise<Review> {
    const { rpc, isSimulating, nowMs } = this.#options;
    const ageMs = nowMs() - this.#simulatedAtMs;
    const isRecent =
      this.#simulation !== undefined && ageMs >= 0 && ageMs <= Math.max(SIMULATION_LIFETIME_MS, SLOW_ANSWERS * this.#simulationTookMs);
    return rpc === undefined || !isSimulating || isRecent ? review : this.#simulated(rpc, review);
  }

  async #withFacts(rpc: SolanaRpc, offline: Review): Promise<Review> {
    const budget = this.#budget(rpc);
    let review = offline;
    let asked = NO_QUESTIONS;
    try {
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const questions = newQuestions(round === 0 ? joined(review.questions, this.#expectedQuestions()) : review.questions, asked);
        if (isEmpty(questions)) {
          break;
        }
        asked = joined(asked, questions);
        await budget.run((signal, answering) => this.#sheet.ask(questions, answering, signal));
        review = this.#review(this.#facts(undefined));
      }
    } catch (error) {
      this.#sheet.addProblem(errorMessageOf(error));
      review = this.#review(this.#facts(undefined));
    } finally {
      budget.end();
    }
    this.#logProblem();
    return review;
  }

  /** The questions that the answers about lookup tables will raise, if the tables are as they were. */
  #expectedQuestions(): OpenQuestions {
    const { earlier } = this.#options;
    return earlier === undefined ? NO_QUESTIONS : this.#review({ ...NO_FACTS, lookupTables: earlier.lookupTables }).questions;
  }

  async #simulated(rpc: SolanaRpc, review: Review): Promise<Review> {
    await this.#simulate(rpc, review, this.#sheet.facts.lookupTables);
    return this.#review(this.#facts(this.#simulation));
  }

  async #simulate(rpc: SolanaRpc, { watched }: Review, lookupTables: ChainFacts['lookupTables'] = new Map()): Promise<void> {
    const budget = this.#budget(rpc);
    const transactions = this.#built.transactions.map(({ base64 }) => base64);
    const { nowMs } = this.#options;
    // Taken before the request: the answer may be that old.
    this.#simulatedAtMs = nowMs();
    this.#simulatedFor = { watched, lookupTables };
    try {
      this.#simulation = await budget.run((signal, answering) => simulate({ transactions, watched, lookupTables }, answering, signal));
      this.#simulationTookMs = nowMs() - this.#simulatedAtMs;
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
  }

  /** Whether the simulation shows all that this review, which knows the facts, watches. */
  #wasSimulatedFor({ watched }: Review): boolean {
    const before = this.#simulatedFor;
    const isSame = ([at, { addresses }]: readonly [Address, LookupTable]): boolean =>
      before?.lookupTables.get(at)?.addresses.join() === addresses.join();
    return watched.every((account) => before?.watched.includes(account)) && [...this.#sheet.facts.lookupTables].every(isSame);
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

  #facts(simulation: Simulation | undefined): ChainFacts {
    const { facts } = this.#sheet;
    const simulationProblem = this.#simulationProblem ?? '';
    // Do not repeat the same problem.
    const rest = simulationProblem.includes(facts.problem ?? '') ? '' : ` ${facts.problem ?? ''}`;
    const problem = `${simulationProblem}${rest}`.trim().slice(0, LONGEST_PROBLEM);
    return { ...facts, simulation, ...(problem === '' ? {} : { problem }) };
  }

  #logProblem(): void {
    const { problem } = this.#facts(undefined);
    if (problem !== undefined) {
      this.#options.log(problem);
    }
  }

  /** Ends the work in it if no answer comes for too long, in all or on cancellation, even if the work ignores its signal. */
  #budget(rpc: SolanaRpc): Budget {
    const { rpcBudgetMs = DEFAULT_RPC_BUDGET_MS } = this.#options;
    const signal = this.#signal;
    const controller = new AbortController();
    const over = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error), { once: true });
    });
    over.catch(() => undefined);
    const startTimer = (ms: number) =>
      setTimeout(() => controller.abort(new Error(l10n.t`The RPC ${rpc.name} took longer than ${ms / 1_000} s.`)), ms);
    const total = startTimer(MOST_BUDGETS * rpcBudgetMs);
    let idle = startTimer(rpcBudgetMs);
    const answering = noticingAnswers(rpc, () => {
      clearTimeout(idle);
      if (!controller.signal.aborted) {
        idle = startTimer(rpcBudgetMs);
      }
    });
    const onCancel = () => controller.abort(new Error('Cancelled.'));
    signal.addEventListener('abort', onCancel, { once: true });
    return {
      run: async (work) => Promise.race([work(controller.signal, answering), over]),
      end: () => {
        clearTimeout(total);
        clearTimeout(idle);
        signal.removeEventListener('abort', onCancel);
        // Stops requests that are still running.
        controller.abort(new Error('The answer is not waited for any more.'));
      },
    };
  }
}

interface Budget {
  run<Result>(work: (signal: AbortSignal, rpc: SolanaRpc) => Promise<Result>): Promise<Result>;
  end(): void;
}

/** The RPC, with a call for each answer. */
function noticingAnswers(rpc: SolanaRpc, notice: () => void): SolanaRpc {
  return new Proxy(rpc, {
    get: (target, name): unknown => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') {
        return value;
      }
      const call = value as (...parameters: readonly unknown[]) => Promise<unknown>;
      return async (...parameters: readonly unknown[]) => call.apply(target, [...parameters]).finally(notice);
    },
  });
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
