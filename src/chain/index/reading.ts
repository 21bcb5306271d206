import type * as z from 'zod';
import type { Clock } from '../../base/async/clock';
import type { Address } from '../../base/solana/address';
import { ChainRpcError } from '../rpc/errors';
import { OptionalMethod } from '../rpc/optionalMethod';
import type { ChainRpc, RpcPriority } from '../rpc/types';
import { type FetchedTransaction, readTransaction, SlotAnswer, TransactionAnswer, TransactionsAnswer } from './answers';
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

type PagedTransaction = NonNullable<z.output<typeof TransactionAnswer>>;

/** An address whose transactions are read. */
interface ReadSubject {
  readonly id: number;
  readonly address: Address;
}

/** The latest version of transactions that is read (SIMD-0385). */
const LATEST_VERSION = 1;
/** A node may list a transaction a moment before it can show it. */
const FIRST_RETRY_MS = 500;
const MOST_ATTEMPTS = 7;
/** Transactions of one page (Helius: at most 100 with their contents). Fewer than the least are read one by one: a page takes as long as many. */
const PAGE = 100;
const LEAST_OF_PAGE = 20;
/**
 * JSON-RPC errors that may be of one transaction: its block is missing, skipped or out of reach, or the node fails to read it (agave:
 * rpc_custom_error.rs). The other transactions are read nevertheless.
 */
const OF_ONE_TRANSACTION: ReadonlySet<number> = new Set([-32004, -32007, -32009, -32019, -32603]);

/** Reads transactions and stores what they did. One transaction is read once at a time. */
export class TransactionReader {
  readonly #sources: ReadingSources;
  readonly #underWay = new Set<string>();
  readonly #pages: OptionalMethod;
  #isPaging = false;

  constructor(sources: ReadingSources) {
    this.#sources = sources;
    const { clock, log } = sources;
    this.#pages = new OptionalMethod({ now: () => clock.now(), log, without: 'Transactions are read one by one.' });
  }

  /**
   * Reads the newest transactions of a subject that are not read yet, at most `count`, all at the same time; or a page of them, where the RPC has pages.
   * @returns how many were read or tried
   * @throws ChainRpcError if the RPC failed; what was read before is stored
   */
  async readNewest(subject: ReadSubject, count: number, priority: RpcPriority): Promise<number> {
    const forPage = this.#isPaging ? [] : this.#unread(subject, PAGE);
    const inPage = forPage.length < LEAST_OF_PAGE ? 0 : await this.#readPage(subject.address, forPage, priority);
    return inPage > 0
      ? inPage
      : await this.#exclusively(this.#unread(subject, count), async (batch) => {
          await this.#readEach(batch, priority);
          return batch.length;
        });
  }

  /** @throws ChainRpcError if the RPC failed; what was read before is stored */
  async #readEach(batch: readonly UnreadTransaction[], priority: RpcPriority): Promise<void> {
    const settled = await Promise.allSettled(
      batch.map(async (transaction) => ({ transaction, outcome: await this.#read(transaction, priority) })),
    );
    const answered = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const isAnyRead = answered.some(({ outcome }) => outcome.state !== 'missing');
    const failures = settled.flatMap((one, place) =>
      one.status === 'rejected' ? [{ transaction: batch[place], reason: one.reason as unknown }] : [],
    );
    // What is refused or fails while others are read, in whatever words, is a failure of this transaction alone.
    const isUp = isAnyRead || (failures.some(({ reason }) => isPassing(reason)) && (await this.#isUp(priority)));
    const refused = failures.flatMap(({ transaction, reason }) =>
      transaction !== undefined && ((isRefusal(reason) && (isAnyRead || transaction.attempts > 0)) || (isPassing(reason) && isUp))
        ? [{ transaction, reason }]
        : [],
    );
    const missing = refused.map(({ transaction, reason: { message } }) => {
      this.#sources.log(`Transaction ${transaction.signature} cannot be read now: ${message}`);
      return { transaction, outcome: this.#missing(transaction.attempts) };
    });
    if (answered.length + missing.length > 0) {
      this.#sources.store.saveRead([...answered, ...missing]);
    }
    const failure = failures.find(({ transaction }) => refused.every((one) => one.transaction !== transaction));
    if (failure !== undefined) {
      throw failure.reason;
    }
  }

  /** Whether the RPC answers anything. It is tried again until it does, or is down for longer. */
  async #isUp(priority: RpcPriority): Promise<boolean> {
    const { rpc, signal } = this.#sources;
    try {
      await rpc.call('getSlot', [], SlotAnswer, { priority, signal });
      return true;
    } catch (error) {
      if (error instanceof ChainRpcError) {
        return false;
      }
      throw error;
    }
  }

  #unread({ id }: ReadSubject, count: number): readonly UnreadTransaction[] {
    const { store, clock } = this.#sources;
    return store
      .unread(id, count + this.#underWay.size, clock.now())
      .filter(({ signature }) => !this.#underWay.has(signature))
      .slice(0, count);
  }

  async #exclusively<Result>(
    batch: readonly UnreadTransaction[],
    read: (batch: readonly UnreadTransaction[]) => Promise<Result>,
  ): Promise<Result> {
    batch.forEach(({ signature }) => this.#underWay.add(signature));
    try {
      return await read(batch);
    } finally {
      batch.forEach(({ signature }) => this.#underWay.delete(signature));
    }
  }

  /**
   * Reads a page of transactions at once, from the newest one on that is not read. What the page lacks is read by itself: a page is a short cut, and no
   * proof that something is not there. One page at a time: the few that a client waits for go beside it.
   * @param unread the newest first
   * @returns how many were in the page; 0: the RPC has no pages
   */
  async #readPage(address: Address, unread: readonly UnreadTransaction[], priority: RpcPriority): Promise<number> {
    this.#isPaging = true;
    try {
      return await this.#exclusively(unread, async (batch) => {
        const answers = await this.#askPage(address, batch[0]?.slot ?? 0, priority);
        const read = batch.flatMap((transaction) => {
          const answer = answers.get(transaction.signature);
          const outcome = answer === undefined ? undefined : this.#outcomeOf(readTransaction(answer, transaction.signature), transaction);
          return outcome === undefined ? [] : [{ transaction, outcome }];
        });
        if (read.length > 0) {
          this.#sources.store.saveRead(read);
          const found = new Set(read.map(({ transaction: { signature } }) => signature));
          const oldestSlot = Math.min(...[...answers.values()].map(({ slot }) => slot));
          await this.#readEach(
            batch.filter(({ signature, slot }) => slot > oldestSlot && !found.has(signature)),
            priority,
          );
        }
        return read.length;
      });
    } finally {
      this.#isPaging = false;
    }
  }

  /** Transactions of an address down from a slot, by their signatures. */
  async #askPage(address: Address, slot: number, priority: RpcPriority): Promise<ReadonlyMap<string | undefined, PagedTransaction>> {
    const { rpc, signal } = this.#sources;
    const request = {
      transactionDetails: 'full',
      encoding: 'json',
      commitment: 'confirmed',
      sortOrder: 'desc',
      limit: PAGE,
      maxSupportedTransactionVersion: LATEST_VERSION,
      filters: { slot: { lte: slot }, tokenAccounts: 'none' },
    };
    const page = await this.#pages.try(
      () => rpc.call('getTransactionsForAddress', [address, request], TransactionsAnswer, { priority, signal, isOptional: true }),
      ({ kind }) => kind === 'unsupportedVersion',
    );
    return new Map(page?.data.flatMap((answer) => (answer === null ? [] : [[answer.transaction.signatures[0], answer] as const])));
  }

  /** `undefined`: the answer does not show what happened. */
  #outcomeOf(transaction: FetchedTransaction | undefined, { signature }: UnreadTransaction): ReadOutcome | undefined {
    if (transaction === undefined) {
      return undefined;
    }
    const { slot, blockTimeS, failed, calls } = transaction;
    try {
      return failed ? { state: 'failed' } : { state: 'read', slot, blockTimeS, facts: factsOf(calls) };
    } catch (error) {
      if (!(error instanceof EventError)) {
        throw error;
      }
      this.#sources.log(`Transaction ${signature} cannot be read: ${error.message}`);
      return { state: 'unreadable' };
    }
  }

  async #read(unread: UnreadTransaction, priority: RpcPriority): Promise<ReadOutcome> {
    const { signature, attempts } = unread;
    const { rpc, log, signal } = this.#sources;
    try {
      const answer = await rpc.call(
        'getTransaction',
        [signature, { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: LATEST_VERSION }],
        TransactionAnswer,
        // Those that fail are asked for again with the next ones: none holds up the others.
        { priority, signal, isOptional: true },
      );
      return this.#outcomeOf(answer === null ? undefined : readTransaction(answer, signature), unread) ?? this.#missing(attempts);
    } catch (error) {
      if (error instanceof ChainRpcError && error.kind === 'unsupportedVersion') {
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

function isRefusal(reason: unknown): reason is ChainRpcError {
  return reason instanceof ChainRpcError && (reason.kind === 'refused' || reason.kind === 'refusedMethod');
}

/** Whether the same request may succeed later. */
function isPassing(reason: unknown): reason is ChainRpcError {
  return reason instanceof ChainRpcError && (reason.kind === 'unavailable' || reason.kind === 'timeout');
}

/** Whether a failure says something of this transaction. A limit of the plan does not, whatever its code. */
function isOfOneTransaction({ kind, code }: ChainRpcError): boolean {
  return kind === 'invalidResponse' || (kind !== 'rateLimited' && kind !== 'planUsedUp' && OF_ONE_TRANSACTION.has(code ?? 0));
}
