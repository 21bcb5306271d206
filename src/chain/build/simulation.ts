import * as z from 'zod';
import type { BuildLookupTable } from '../../engine/assembly/types';
import type { SimulationCoverage } from '../../engine/build/ports';
import { base64FromBytes } from '../../base/solana/wireTransaction';
import type { V1Instruction } from '../../base/solana/writeV1Transaction';
import { EngineError } from '../../engine/engine';
import { OptionalMethod } from '../rpc/optionalMethod';
import type { ChainCallOptions, ChainRpc } from '../rpc/types';
import { failureText, isBeyondLimits, type SimulatedFailure } from './failureText';
import { instructionsOf, mergedTransaction, type MergeTerms, mergeTermsOf } from './mergedTransaction';
import { isBinDeposit, preparationOf } from './simulatedParts';

const Execution = z.object({ err: z.unknown(), logs: z.array(z.string()).nullish() });
const Simulated = z.object({ value: Execution });
const Bundle = z.object({ value: z.object({ transactionResults: z.array(Execution) }) });

/** So many transactions are simulated at the same time. Of more, each shows how the next one can be. */
const MOST_AT_A_TIME = 4;

/** Code of JSON-RPC: the node does not take the parameters, such as a bundle that is too long. */
const INVALID_PARAMETERS = -32_602;

/**
 * Simulates operations before they are handed out. Each transaction of an operation may depend on those before it: nodes that offer
 * `simulateBundle` execute all of them one after the other. Others execute one transaction at a time; there the instructions of several are put
 * into one, as far as they fit: all before it, or else what prepares it, deposit by deposit. What does not fit is not simulated, and reported so.
 */
export class Simulator {
  readonly #rpc: ChainRpc;
  readonly #log: (text: string) => void;
  /** Both are left out for a while where the RPC does not answer them: only a simulated failure keeps an operation from being built. */
  readonly #bundles: OptionalMethod;
  readonly #merged: OptionalMethod;

  /** @param now milliseconds, on a clock that never goes back */
  constructor(rpc: ChainRpc, log: (text: string) => void, now: () => number = () => performance.now()) {
    this.#rpc = rpc;
    this.#log = log;
    const optional = (without: string): OptionalMethod => new OptionalMethod({ now, log, without });
    this.#bundles = optional('Transactions are simulated without bundles.');
    this.#merged = optional('Transactions that depend on others are not simulated after them.');
  }

  /**
   * @param transactions in the order in which they land
   * @throws EngineError if one of them fails
   */
  async check(transactions: readonly Uint8Array[], tables: readonly BuildLookupTable[]): Promise<SimulationCoverage> {
    const all = transactions.length;
    if (all > 1 && (await this.#checkBundle(transactions))) {
      return { transactions: all, simulated: all };
    }
    let simulated = 0;
    let isTooLong = false;
    const atATime = all <= MOST_AT_A_TIME ? all : 1;
    for (let start = 0; start < all; start += atATime) {
      const indexes = [...transactions.keys()].slice(start, start + atATime);
      const checks = await Promise.allSettled(indexes.map((index) => this.#checkOne(transactions, index, { tables, isTooLong })));
      // The first one that fails says why: those after it fail with it.
      const coverages = checks.map((check) => {
        if (check.status === 'rejected') {
          throw check.reason;
        }
        return check.value;
      });
      simulated += coverages.filter((coverage) => coverage !== 'none').length;
      isTooLong ||= coverages.some((coverage) => coverage !== 'afterAll');
    }
    if (simulated < all) {
      this.#log(
        `${all - simulated} of the ${all} transactions of an operation were not simulated: they depend on those before them, and the RPC does not offer simulateBundle.`,
      );
    }
    return { transactions: all, simulated };
  }

  /** Returns whether the node did it. */
  async #checkBundle(transactions: readonly Uint8Array[]): Promise<boolean> {
    const none = transactions.map(() => null);
    const options = {
      skipSigVerify: true,
      replaceRecentBlockhash: true,
      transactionEncoding: 'base64',
      preExecutionAccountsConfigs: none,
      postExecutionAccountsConfigs: none,
    };
    const parameters = [{ encodedTransactions: transactions.map(base64FromBytes) }, options];
    const answer = await this.#bundles.try(
      () => this.#rpc.call('simulateBundle', parameters, Bundle, { isOptional: true }),
      ({ kind, code }) => kind === 'refused' && code === INVALID_PARAMETERS,
    );
    const results = answer?.value.transactionResults ?? [];
    results.forEach((result, index) => requireSuccess(failureOf(result), index, transactions.length));
    return results.length === transactions.length;
  }

  /**
   * Simulates a transaction after all before it, or else after what it needs of them. Returns what was possible.
   * @param isTooLong all before it and the transaction itself are too much for one simulation
   */
  async #checkOne(
    transactions: readonly Uint8Array[],
    index: number,
    { tables, isTooLong }: { readonly tables: readonly BuildLookupTable[]; readonly isTooLong: boolean },
  ): Promise<'afterAll' | 'prepared' | 'none'> {
    const [first, last] = [transactions[0], transactions[index]];
    if (first === undefined || last === undefined) {
      return 'none';
    }
    const check = (failure: SimulatedFailure | undefined): void => requireSuccess(failure, index, transactions.length);
    if (index === 0) {
      check(await this.#simulate(first));
      return 'afterAll';
    }
    const terms = mergeTermsOf(first);
    const read = transactions.slice(0, index + 1).map((bytes) => instructionsOf(bytes, tables));
    const own = read.at(-1);
    if (terms === undefined || own === undefined || read.includes(undefined)) {
      return 'none';
    }
    const before = read.slice(0, -1).flatMap((instructions) => instructions ?? []);
    const whole = isTooLong ? 'notExecuted' : await this.#simulateMerged([...before, ...own], terms);
    if (whole !== 'notExecuted') {
      check(whole);
      return 'afterAll';
    }
    const prepared = await this.#simulateMerged([...preparationOf(own, before), ...own], terms);
    const deposits = own.filter(isBinDeposit);
    if (deposits.length === 0) {
      // Without what is before it, it may lack tokens.
      return prepared === undefined ? 'prepared' : 'none';
    }
    if (prepared !== 'notExecuted') {
      check(prepared);
      return 'prepared';
    }
    const others = [...before, ...own.filter((instruction) => !isBinDeposit(instruction))];
    for (const deposit of deposits) {
      const alone = await this.#simulateMerged([...preparationOf([deposit], others), deposit], terms);
      if (alone === 'notExecuted') {
        return 'none';
      }
      check(alone);
    }
    return 'prepared';
  }

  /** `notExecuted`: they do not fit into one transaction, or the node does not know transactions of version 1. */
  async #simulateMerged(instructions: readonly V1Instruction[], terms: MergeTerms): Promise<SimulatedFailure | 'notExecuted' | undefined> {
    const merged = mergedTransaction(instructions, terms);
    if (merged === undefined) {
      return 'notExecuted';
    }
    // A node refuses what is too long for it with the code of any other invalid parameter.
    const answer = await this.#merged.try(
      async () => ({ failure: await this.#simulate(merged, { isOptional: true }) }),
      ({ kind }) => kind === 'refused',
    );
    return answer === undefined || (answer.failure !== undefined && isBeyondLimits(answer.failure)) ? 'notExecuted' : answer.failure;
  }

  async #simulate(transaction: Uint8Array, callOptions: ChainCallOptions = {}): Promise<SimulatedFailure | undefined> {
    const options = { encoding: 'base64', commitment: 'confirmed', sigVerify: false, replaceRecentBlockhash: true };
    const { value } = await this.#rpc.call('simulateTransaction', [base64FromBytes(transaction), options], Simulated, callOptions);
    return failureOf(value);
  }
}

function failureOf({ err, logs }: z.output<typeof Execution>): SimulatedFailure | undefined {
  return err === null || err === undefined ? undefined : { err, logs: logs ?? [] };
}

function requireSuccess(failure: SimulatedFailure | undefined, index: number, count: number): void {
  if (failure !== undefined) {
    const which = count === 1 ? 'The transaction' : `Transaction ${index + 1} of ${count}`;
    throw new EngineError('invalid', `${which} would fail: ${failureText(failure)}`);
  }
}
