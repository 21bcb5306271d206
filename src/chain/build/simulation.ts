import * as z from 'zod';
import type { BuildLookupTable } from '../../base/build/types';
import { base64FromBytes } from '../../base/solana/wireTransaction';
import { EngineError } from '../../server/engine';
import { ChainRpcError } from '../rpc/errors';
import type { ChainRpc } from '../rpc/types';
import { failureText, isBeyondLimits, type SimulatedFailure } from './failureText';
import { mergedTransaction } from './mergedTransaction';

/** How much of an operation was simulated. */
export interface SimulationCoverage {
  readonly transactions: number;
  readonly simulated: number;
}

const Execution = z.object({ err: z.unknown(), logs: z.array(z.string()).nullish() });
const Simulated = z.object({ value: Execution });
const Bundle = z.object({ value: z.object({ transactionResults: z.array(Execution) }) });

/** Codes of JSON-RPC for a method, or parameters of it, that a node does not have. */
const NOT_OFFERED = new Set([-32_601, -32_602]);

/**
 * Simulates operations before they are handed out. Each transaction of an operation may depend on those before it: nodes that offer
 * `simulateBundle` execute all of them one after the other. Others execute one transaction at a time; there the instructions of several are put
 * into one, as far as they fit. What does not fit is not simulated, and said to be so.
 */
export class Simulator {
  readonly #rpc: ChainRpc;
  readonly #log: (text: string) => void;
  #hasBundles = true;

  constructor(rpc: ChainRpc, log: (text: string) => void) {
    this.#rpc = rpc;
    this.#log = log;
  }

  /**
   * @param transactions in the order in which they land
   * @throws EngineError if one of them fails
   */
  async check(transactions: readonly Uint8Array[], tables: readonly BuildLookupTable[]): Promise<SimulationCoverage> {
    const all = transactions.length;
    if (all > 1 && this.#hasBundles && (await this.#checkBundle(transactions))) {
      return { transactions: all, simulated: all };
    }
    const checked: boolean[] = [];
    for (const [index, transaction] of transactions.entries()) {
      checked.push(await this.#checkOne(transactions, index, transaction, tables));
    }
    const simulated = checked.filter(Boolean).length;
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
    try {
      const parameters = [{ encodedTransactions: transactions.map(base64FromBytes) }, options];
      const { value } = await this.#rpc.call('simulateBundle', parameters, Bundle);
      value.transactionResults.forEach((result, index) => requireSuccess(failureOf(result), index, transactions.length));
      return value.transactionResults.length === transactions.length;
    } catch (error) {
      if (error instanceof ChainRpcError && (error.kind === 'refusedMethod' || NOT_OFFERED.has(error.code ?? 0))) {
        this.#hasBundles = false;
        return false;
      }
      throw error;
    }
  }

  /**
   * Simulates a transaction after those that it depends on: after all before it, else after the first, which makes the accounts and wraps SOL.
   * Returns whether that was possible.
   */
  async #checkOne(
    transactions: readonly Uint8Array[],
    index: number,
    transaction: Uint8Array,
    tables: readonly BuildLookupTable[],
  ): Promise<boolean> {
    const [first = transaction] = transactions;
    if (index === 0) {
      requireSuccess(await this.#simulate(transaction), index, transactions.length);
      return true;
    }
    const before = transactions.slice(0, index);
    for (const earlier of index === 1 ? [before] : [before, [first]]) {
      const merged = mergedTransaction([...earlier, transaction], tables);
      const failure = merged === undefined ? 'notRead' : await this.#simulateMerged(merged);
      if (failure === 'notRead' || (failure !== undefined && isBeyondLimits(failure))) {
        continue;
      }
      // After the first alone it may lack what those between give it.
      if (failure !== undefined && earlier.length < before.length) {
        return false;
      }
      requireSuccess(failure, index, transactions.length);
      return true;
    }
    return false;
  }

  /** `notRead`: the node does not know transactions of version 1. */
  async #simulateMerged(transaction: Uint8Array): Promise<SimulatedFailure | 'notRead' | undefined> {
    try {
      return await this.#simulate(transaction);
    } catch (error) {
      if (error instanceof ChainRpcError && (error.kind === 'refused' || error.kind === 'unsupportedVersion')) {
        return 'notRead';
      }
      throw error;
    }
  }

  async #simulate(transaction: Uint8Array): Promise<SimulatedFailure | undefined> {
    const options = { encoding: 'base64', commitment: 'confirmed', sigVerify: false, replaceRecentBlockhash: true };
    const { value } = await this.#rpc.call('simulateTransaction', [base64FromBytes(transaction), options], Simulated);
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
