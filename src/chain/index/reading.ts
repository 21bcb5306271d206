import type { Clock } from '../../base/async/clock';
import { ChainRpcError } from '../rpc/errors';
import type { ChainRpc, RpcPriority } from '../rpc/types';
import { readTransaction, TransactionAnswer } from './answers';
import { EventError } from './eventFields';
import { factsOf } from './facts';
import type { ReadOutcome, TransactionStore, UnreadTransaction } from './transactionStore';

/** What reading needs. */
export interface ReadingSources {
  readonly rpc: ChainRpc;
  readonly store: TransactionStore;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** The latest version of transactions that is read (SIMD-0385). */
const LATEST_VERSION = 1;
/** A node may list a transaction a moment before it can show it. */
const FIRST_RETRY_MS = 500;
const MOST_ATTEMPTS = 7;
/**
 * JSON-RPC errors that may be of one transaction: its block is missing, skipped or out of reach, or the node fails to read it (agave:
 * rpc_custom_error.rs). The other transactions are read nevertheless.
 */
const OF_ONE_TRANSACTION: ReadonlySet<number> = new Set([-32004, -32007, -32009, -32019, -32603]);

/** Reads transactions and stores what they did. One transaction is read once at a time. */
export class TransactionReader {
  readonly #sources: ReadingSources;
  readonly #underWay = new Set<string>();

  constructor(sources: ReadingSources) {
    this.#sources = sources;
  }

  /**
   * Reads the newest transactions of a subject that are not read yet, at most `count`, all at the same time.
   * @returns how many were read or tried
   * @throws ChainRpcError if the RPC failed; what was read before is stored
   */
  async readNewest(subject: number, count: number, priority: RpcPriority): Promise<number> {
    const { store, clock } = this.#sources;
    const batch = store
      .unread(subject, count + this.#underWay.size, clock.now())
      .filter(({ signature }) => !this.#underWay.has(signature))
      .slice(0, count);
    batch.forEach(({ signature }) => this.#underWay.add(signature));
    try {
      const settled = await Promise.allSettled(
        batch.map(async (transaction) => ({ transaction, outcome: await this.#read(transaction, priority) })),
      );
      const read = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      if (read.length > 0) {
        store.saveRead(read);
      }
      const failure = settled.find((one) => one.status === 'rejected');
      if (failure !== undefined) {
        throw failure.reason;
      }
      return batch.length;
    } finally {
      batch.forEach(({ signature }) => this.#underWay.delete(signature));
    }
  }

  async #read({ signature, attempts }: UnreadTransaction, priority: RpcPriority): Promise<ReadOutcome> {
    const { rpc, log, signal } = this.#sources;
    try {
      const answer = await rpc.call(
        'getTransaction',
        [signature, { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: LATEST_VERSION }],
        TransactionAnswer,
        { priority, signal },
      );
      const transaction = answer === null ? undefined : readTransaction(answer, signature);
      if (transaction === undefined) {
        return this.#missing(attempts);
      }
      const { slot, blockTimeS, failed, calls } = transaction;
      return failed ? { state: 'failed' } : { state: 'read', slot, blockTimeS, facts: factsOf(calls) };
    } catch (error) {
      if (error instanceof EventError || (error instanceof ChainRpcError && error.kind === 'unsupportedVersion')) {
        log(`Transaction ${signature} cannot be read: ${error.message}`);
        return { state: 'unreadable' };
      }
      if (error instanceof ChainRpcError && isOfOneTransaction(error)) {
        log(`Transaction ${signature} cannot be read now: ${error.message}`);
        return this.#missing(attempts);
      }
      throw error;
    }
  }

  #missing(attempts: number): ReadOutcome {
    const retryAtMs = Math.ceil(this.#sources.clock.now() + FIRST_RETRY_MS * 2 ** attempts);
    return { state: 'missing', retryAtMs, isGivenUp: attempts + 1 >= MOST_ATTEMPTS };
  }
}

/** Whether a failure says something of this transaction. A limit of the plan does not, whatever its code. */
function isOfOneTransaction({ kind, code }: ChainRpcError): boolean {
  return kind === 'invalidResponse' || (kind !== 'rateLimited' && kind !== 'planUsedUp' && OF_ONE_TRANSACTION.has(code ?? 0));
}
