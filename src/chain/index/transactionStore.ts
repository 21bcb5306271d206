import * as z from 'zod';
import type { Address } from '../../base/solana/address';
import type { SqliteStore } from '../../engine/store/sqliteStore';
import { FactStore } from './factStore';
import type { EventFact } from './facts';
import type { UnreadableTransactions } from './types';
import { STATE } from './indexSchema';

const Whole = z.int();

const Unread = z.object({ id: Whole, signature: z.string(), slot: Whole, attempts: Whole });
/** A transaction to be read. */
export type UnreadTransaction = z.output<typeof Unread>;

const Unknown = z.object({ slot: Whole, block_time: Whole.nullable() });
/** A transaction that is listed, and whose content is not known. */
export type UnknownTransaction = z.output<typeof Unknown>;

const Count = z.object({ count: Whole }).transform(({ count }) => count);
const Id = z.object({ id: Whole }).transform(({ id }) => id);
const Unreadable = z.object({ count: Whole, oldest: Whole.nullable(), newest: Whole.nullable() });
const RetryAt = z.object({ at: Whole.nullable() });

/** What reading a transaction brought. */
export type ReadOutcome =
  | { readonly state: 'read'; readonly slot: number; readonly blockTimeS: number | undefined; readonly facts: readonly EventFact[] }
  | { readonly state: 'failed' | 'unreadable' }
  /** To be tried again then; with `isGivenUp` it no longer counts as being read. */
  | { readonly state: 'missing'; readonly retryAtMs: number; readonly isGivenUp: boolean };

/** The transactions of the index: which are to be read, and what they did. Each method that changes several rows is one transaction. */
export class TransactionStore {
  readonly #store: SqliteStore;
  readonly #facts: FactStore;
  /** Called after each change with the positions whose facts it has changed. */
  readonly #onChange: (positions: ReadonlySet<Address>) => void;

  constructor(store: SqliteStore, onChange: (positions: ReadonlySet<Address>) => void) {
    this.#store = store;
    this.#facts = new FactStore(store);
    this.#onChange = onChange;
    // A later version of this program may read what an earlier one could not.
    store.run(
      'UPDATE chain_transaction SET state = ?, attempts = 0, retry_at_ms = 0 WHERE state IN (?, ?)',
      STATE.listed,
      STATE.unavailable,
      STATE.unreadable,
    );
  }

  /** The newest transactions of the subject that are to be read. */
  unread(subject: number, count: number, nowMs: number): readonly UnreadTransaction[] {
    return this.#store.all(
      Unread,
      `SELECT t.id, t.signature, t.slot, t.attempts FROM chain_transaction t JOIN subject_transaction s ON s.tx = t.id
       WHERE t.state = 0 AND t.retry_at_ms <= ? AND s.subject = ? ORDER BY t.slot DESC LIMIT ?`,
      nowMs,
      subject,
      count,
    );
  }

  /** The subjects that have transactions to be read. */
  subjectsWithUnread(): readonly number[] {
    return this.#store.all(
      Id,
      'SELECT DISTINCT s.subject AS id FROM chain_transaction t JOIN subject_transaction s ON s.tx = t.id WHERE t.state = 0',
    );
  }

  /** When the next transaction that was not available is to be tried again; `undefined`: there is none. */
  nextRetryAtMs(): number | undefined {
    const sql = 'SELECT min(retry_at_ms) AS at FROM chain_transaction WHERE state = 0 AND retry_at_ms > 0';
    return this.#store.get(RetryAt, sql)?.at ?? undefined;
  }

  /** How many transactions of the subject are listed. */
  countListed(subject: number): number {
    return this.#store.get(Count, 'SELECT count(*) AS count FROM subject_transaction WHERE subject = ?', subject) ?? 0;
  }

  /** How many transactions of the subject are in a state. */
  countIn(subject: number, state: number): number {
    return (
      this.#store.get(
        Count,
        'SELECT count(*) AS count FROM chain_transaction t JOIN subject_transaction s ON s.tx = t.id WHERE t.state = ? AND s.subject = ?',
        state,
        subject,
      ) ?? 0
    );
  }

  /** Transactions of the subject that were given up; `undefined`: there are none. */
  unreadable(subject: number): UnreadableTransactions | undefined {
    const found = this.#store.get(
      Unreadable,
      `SELECT count(*) AS count, min(coalesce(t.block_time, 0)) AS oldest, CASE WHEN count(*) = count(t.block_time) THEN max(t.block_time) END AS newest
       FROM chain_transaction t JOIN subject_transaction s ON s.tx = t.id WHERE t.state IN (3, 4) AND s.subject = ?`,
      subject,
    );
    return found === undefined || found.count === 0
      ? undefined
      : { count: found.count, fromTimeS: found.oldest ?? 0, toTimeS: found.newest ?? Infinity };
  }

  /** Tries what was not available once more. */
  retryUnavailable(subject: number): void {
    this.#store.run(
      `UPDATE chain_transaction SET state = 0, attempts = 0, retry_at_ms = 0
       WHERE state = ? AND id IN (SELECT tx FROM subject_transaction WHERE subject = ?)`,
      STATE.unavailable,
      subject,
    );
    this.#onChange(new Set());
  }

  /** Transactions of the subject whose content is not known, in the order of their slots. */
  unknown(subject: number): readonly UnknownTransaction[] {
    return this.#store.all(
      Unknown,
      `SELECT t.slot, t.block_time FROM chain_transaction t JOIN subject_transaction s ON s.tx = t.id
       WHERE t.state IN (0, 3, 4) AND s.subject = ? ORDER BY t.slot`,
      subject,
    );
  }

  /** Whether the transaction is in the list of the subject. */
  isListed(subject: number, tx: number): boolean {
    return this.#store.get(Count, 'SELECT count(*) AS count FROM subject_transaction WHERE subject = ? AND tx = ?', subject, tx) === 1;
  }

  /** Stores what was read, all at once. */
  saveRead(outcomes: readonly { readonly transaction: UnreadTransaction; readonly outcome: ReadOutcome }[]): void {
    const touched = new Set<Address>();
    this.#store.transaction(() => {
      for (const { transaction, outcome } of outcomes) {
        this.#saveOutcome(transaction, outcome, touched);
      }
      this.#facts.derive(touched);
    });
    this.#onChange(touched);
  }

  #saveOutcome({ id, slot, attempts }: UnreadTransaction, outcome: ReadOutcome, touched: Set<Address>): void {
    // If it was dropped or moved in the meantime, what was read may be of another fork.
    const isThere = this.#store.get(Id, 'SELECT id FROM chain_transaction WHERE id = ? AND slot = ?', id, slot) !== undefined;
    if (!isThere) {
      return;
    }
    if (outcome.state === 'missing') {
      const state = outcome.isGivenUp ? STATE.unavailable : STATE.listed;
      this.#store.run(
        'UPDATE chain_transaction SET state = ?, attempts = ?, retry_at_ms = ? WHERE id = ?',
        state,
        attempts + 1,
        outcome.retryAtMs,
        id,
      );
      return;
    }
    this.#store.run('UPDATE chain_transaction SET state = ? WHERE id = ?', STATE[outcome.state], id);
    this.#facts.remove(id, touched);
    if (outcome.state === 'read') {
      this.#store.run(
        'UPDATE chain_transaction SET slot = ?, block_time = coalesce(?, block_time) WHERE id = ?',
        outcome.slot,
        outcome.blockTimeS ?? null,
        id,
      );
      this.#facts.add(id, outcome.facts, touched);
    }
  }
}
