import * as z from 'zod';
import type { Address } from '../../base/solana/address';
import { AddressText } from '../rpc/addressText';
import type { SqliteStore } from '../../server/store/sqliteStore';
import type { ListedSignature } from './answers';
import type { EventFact } from './facts';

const Whole = z.int();

/** States of a transaction in the index. */
export const STATE = { listed: 0, read: 1, failed: 2, unavailable: 3, unreadable: 4 } as const;

const Subject = z.object({
  id: Whole,
  address: AddressText,
  kind: z.enum(['owner', 'position', 'pool']),
  known_signature: z.string().nullable(),
  known_slot: Whole.nullable(),
  pass: Whole,
  cursor: z.string().nullable(),
  cursor_slot: Whole.nullable(),
  next_signature: z.string().nullable(),
  next_slot: Whole.nullable(),
  place: Whole,
  newest_slot: Whole.nullable(),
  listed_at_ms: Whole.nullable(),
  pruned_before_slot: Whole.nullable(),
});

/** An address whose signatures are listed; the columns are explained in indexSchema.ts. */
export type Subject = z.output<typeof Subject>;

const Unread = z.object({ id: Whole, signature: z.string(), slot: Whole, attempts: Whole });
/** A transaction to be read. */
export type UnreadTransaction = z.output<typeof Unread>;

const Gap = z.object({ slot: Whole, block_time: Whole.nullable() });
/** A transaction that is listed, and whose content is not known. */
export type UnknownTransaction = z.output<typeof Gap>;

const Provisional = z.object({ id: Whole, signature: z.string(), slot: Whole });
const Count = z.object({ count: Whole }).transform(({ count }) => count);
const Id = z.object({ id: Whole }).transform(({ id }) => id);
const Position = z.object({ position: AddressText }).transform(({ position }) => position);

/** What reading a transaction brought. */
export type ReadOutcome =
  | { readonly state: 'read'; readonly slot: number; readonly blockTimeS: number | undefined; readonly facts: readonly EventFact[] }
  | { readonly state: 'failed' | 'unreadable' }
  /** To be tried again then; with `isGivenUp` it no longer counts as being read. */
  | { readonly state: 'missing'; readonly retryAtMs: number; readonly isGivenUp: boolean };

/** The tables of the index as far as listing and reading need them. Each method that changes several rows is one transaction. */
export class IndexStore {
  readonly #store: SqliteStore;
  /** Called after each change with the positions whose facts it has changed. */
  readonly #onChange: (positions: ReadonlySet<Address>) => void;

  constructor(store: SqliteStore, onChange: (positions: ReadonlySet<Address>) => void) {
    this.#store = store;
    this.#onChange = onChange;
    // A later version of this program may read what an earlier one could not.
    store.run(
      'UPDATE chain_transaction SET state = ?, attempts = 0, retry_at_ms = 0 WHERE state IN (?, ?)',
      STATE.listed,
      STATE.unavailable,
      STATE.unreadable,
    );
  }

  /** The subject of that address, new ones included. */
  follow(address: Address, kind: Subject['kind']): Subject {
    this.#store.run('INSERT INTO subject (address, kind, pass, place) VALUES (?, ?, 0, 0) ON CONFLICT (address) DO NOTHING', address, kind);
    const subject = this.subject(address);
    if (subject === undefined) {
      throw new Error(`${address} was not stored`);
    }
    this.#onChange(NO_POSITIONS);
    return subject;
  }

  subject(address: Address): Subject | undefined {
    return this.#store.get(Subject, 'SELECT * FROM subject WHERE address = ?', address);
  }

  addressOf(id: number): Address | undefined {
    return this.#store.get(Subject, 'SELECT * FROM subject WHERE id = ?', id)?.address;
  }

  subjects(kind: Subject['kind']): readonly Subject[] {
    return this.#store.all(Subject, 'SELECT * FROM subject WHERE kind = ? ORDER BY id', kind);
  }

  /** The listings that have begun and not ended. */
  unfinished(): readonly Subject[] {
    return this.#store.all(Subject, 'SELECT * FROM subject WHERE cursor IS NOT NULL ORDER BY id');
  }

  /** Begins a listing from the newest signature on. Does nothing while one is under way. */
  beginListing(address: Address): void {
    this.#onChange(NO_POSITIONS);
    this.#store.run(
      'UPDATE subject SET pass = (SELECT max(pass) FROM subject) + 1, place = 0, next_signature = NULL, next_slot = NULL WHERE address = ? AND cursor IS NULL',
      address,
    );
  }

  /**
   * Stores a page of the listing under way.
   * @param rows newest first, without what was known before
   * @param isLast the listing is complete
   */
  savePage(
    { id, pass, place }: Subject,
    rows: readonly ListedSignature[],
    { nowMs, isLast }: { readonly nowMs: number; readonly isLast: boolean },
  ): void {
    const touched = new Set<Address>();
    this.#store.transaction(() => {
      const provisional = new Map(this.#provisional(id).map((one) => [one.signature, one]));
      rows.forEach((row, index) => {
        const { signature, slot, err } = row;
        const before = provisional.get(signature);
        // On another fork the same transaction may have done something else.
        if (before !== undefined && before.slot !== slot) {
          this.#forgetFacts(before.id, touched);
          this.#store.run('UPDATE chain_transaction SET slot = ?, state = ? WHERE id = ?', slot, STATE.listed, before.id);
        }
        this.#store.run(
          `INSERT INTO chain_transaction (signature, slot, pass, place, block_time, final, state, attempts, retry_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0)
           ON CONFLICT (signature) DO UPDATE SET pass = excluded.pass, place = excluded.place, final = max(final, excluded.final)`,
          signature,
          slot,
          pass,
          place + index,
          row.blockTime ?? null,
          isFinal(row, nowMs) ? 1 : 0,
          err === null || err === undefined ? STATE.listed : STATE.failed,
        );
        this.#store.run(
          'INSERT OR IGNORE INTO subject_transaction (subject, tx) SELECT ?, id FROM chain_transaction WHERE signature = ?',
          id,
          signature,
        );
      });
      const newest = place === 0 ? rows[0] : undefined;
      const final = rows.find((row) => isFinal(row, nowMs));
      const last = rows.at(-1);
      this.#store.run(
        `UPDATE subject SET place = place + ?, newest_slot = coalesce(?, newest_slot), cursor = coalesce(?, cursor), cursor_slot = coalesce(?, cursor_slot),
         next_slot = CASE WHEN next_signature IS NULL THEN ? ELSE next_slot END, next_signature = coalesce(next_signature, ?) WHERE id = ?`,
        rows.length,
        newest?.slot ?? null,
        last?.signature ?? null,
        last?.slot ?? null,
        final?.slot ?? null,
        final?.signature ?? null,
        id,
      );
      if (isLast) {
        this.#store.run(
          `UPDATE subject SET known_signature = coalesce(next_signature, known_signature), known_slot = coalesce(next_slot, known_slot),
           cursor = NULL, cursor_slot = NULL, next_signature = NULL, next_slot = NULL, listed_at_ms = ? WHERE id = ?`,
          nowMs,
          id,
        );
      }
      this.#deriveAll(touched);
    });
    this.#onChange(touched);
  }

  setPruned(id: number, slot: number): void {
    this.#store.run('UPDATE subject SET pruned_before_slot = ? WHERE id = ?', slot, id);
  }

  /** Transactions that are not finalized and that the last listing of the subject did not show. */
  vanished({ id, pass }: Subject): readonly z.output<typeof Provisional>[] {
    return this.#provisional(id, pass);
  }

  /** Removes a transaction that the chain has dropped. */
  drop(tx: number): void {
    const touched = new Set<Address>();
    this.#store.transaction(() => {
      this.#forgetFacts(tx, touched);
      this.#store.run('DELETE FROM subject_transaction WHERE tx = ?', tx);
      this.#store.run('DELETE FROM chain_transaction WHERE id = ?', tx);
      this.#deriveAll(touched);
    });
    this.#onChange(touched);
  }

  /** Sets where a transaction is now. If it has moved to another slot, it is read again. */
  moved(tx: number, slot: number, isFinalNow: boolean): void {
    const touched = new Set<Address>();
    this.#store.transaction(() => {
      const before = this.#store.get(Gap, 'SELECT slot, block_time FROM chain_transaction WHERE id = ?', tx);
      if (before !== undefined && before.slot !== slot) {
        this.#forgetFacts(tx, touched);
        this.#store.run('UPDATE chain_transaction SET slot = ?, state = ? WHERE id = ?', slot, STATE.listed, tx);
      }
      this.#store.run('UPDATE chain_transaction SET final = max(final, ?) WHERE id = ?', isFinalNow ? 1 : 0, tx);
      this.#deriveAll(touched);
    });
    this.#onChange(touched);
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
    const Row = z.object({ at: Whole.nullable() });
    return this.#store.get(Row, 'SELECT min(retry_at_ms) AS at FROM chain_transaction WHERE state = 0')?.at ?? undefined;
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

  /** Tries what was not available once more. */
  retryUnavailable(subject: number): void {
    this.#onChange(NO_POSITIONS);
    this.#store.run(
      `UPDATE chain_transaction SET state = 0, attempts = 0, retry_at_ms = 0
       WHERE state = ? AND id IN (SELECT tx FROM subject_transaction WHERE subject = ?)`,
      STATE.unavailable,
      subject,
    );
  }

  /** Transactions of the subject whose content is not known. */
  unknown(subject: number): readonly UnknownTransaction[] {
    return this.#store.all(
      Gap,
      `SELECT t.slot, t.block_time FROM chain_transaction t JOIN subject_transaction s ON s.tx = t.id
       WHERE t.state IN (0, 3, 4) AND s.subject = ?`,
      subject,
    );
  }

  /** Stores what was read, all at once. */
  saveRead(outcomes: readonly { readonly transaction: UnreadTransaction; readonly outcome: ReadOutcome }[]): void {
    const touched = new Set<Address>();
    this.#store.transaction(() => {
      for (const { transaction, outcome } of outcomes) {
        this.#saveOutcome(transaction, outcome, touched);
      }
      this.#deriveAll(touched);
    });
    this.#onChange(touched);
  }

  #saveOutcome({ id, slot, attempts }: UnreadTransaction, outcome: ReadOutcome, touched: Set<Address>): void {
    // It was dropped or moved while it was read: what was read may be of another fork.
    const isThere =
      this.#store.get(Gap, 'SELECT slot, block_time FROM chain_transaction WHERE id = ? AND slot = ?', id, slot) !== undefined;
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
    this.#forgetFacts(id, touched);
    if (outcome.state === 'read') {
      this.#store.run(
        'UPDATE chain_transaction SET slot = ?, block_time = coalesce(?, block_time) WHERE id = ?',
        outcome.slot,
        outcome.blockTimeS ?? null,
        id,
      );
      outcome.facts.forEach((fact, number) => {
        touched.add(fact.position);
        const curve = fact.price?.curve;
        this.#store.run(
          'INSERT INTO fact VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
          id,
          number,
          fact.kind,
          fact.program,
          fact.position,
          fact.pool ?? null,
          fact.owner ?? null,
          fact.by ?? null,
          fact.amounts?.x.toString() ?? null,
          fact.amounts?.y.toString() ?? null,
          fact.price?.activeBinId ?? null,
          curve?.liquidity.toString() ?? null,
          curve?.x.toString() ?? null,
          curve?.y.toString() ?? null,
          fact.lower ?? null,
          fact.upper ?? null,
          fact.strategy ?? null,
        );
      });
    }
  }

  #provisional(subject: number, exceptPass = -1): readonly z.output<typeof Provisional>[] {
    return this.#store.all(
      Provisional,
      `SELECT t.id, t.signature, t.slot FROM chain_transaction t JOIN subject_transaction s ON s.tx = t.id
       WHERE t.final = 0 AND s.subject = ? AND t.pass <> ?`,
      subject,
      exceptPass,
    );
  }

  #forgetFacts(tx: number, touched: Set<Address>): void {
    this.#store.all(Position, 'SELECT DISTINCT position FROM fact WHERE tx = ?', tx).forEach((position) => touched.add(position));
    this.#store.run('DELETE FROM fact WHERE tx = ?', tx);
  }

  /** Writes the rows of positions anew. The newest event tells the owner: the NFT of a DAMM v2 position may have changed hands. */
  #deriveAll(positions: ReadonlySet<Address>): void {
    for (const position of positions) {
      this.#store.run('DELETE FROM position WHERE address = ?', position);
      this.#store.run(
        `INSERT INTO position (address, program, pool, owner)
         SELECT position, program, pool, owner FROM (
           SELECT position, program,
             (SELECT pool FROM fact WHERE position = ?1 AND pool IS NOT NULL LIMIT 1) AS pool,
             (SELECT coalesce(f.owner, f.payer) FROM fact f JOIN chain_transaction t ON t.id = f.tx
              WHERE f.position = ?1 AND coalesce(f.owner, f.payer) IS NOT NULL
              ORDER BY f.owner IS NULL, t.slot DESC, t.pass DESC, t.place ASC, f.number DESC LIMIT 1) AS owner
           FROM fact WHERE position = ?1 LIMIT 1
         ) WHERE pool IS NOT NULL AND owner IS NOT NULL`,
        position,
      );
    }
  }
}

const NO_POSITIONS: ReadonlySet<Address> = new Set();
/** Nodes that do not tell the status: a transaction of that age is finalized. */
const FINAL_AFTER_S = 120;

function isFinal({ confirmationStatus, blockTime }: ListedSignature, nowMs: number): boolean {
  if (confirmationStatus !== null && confirmationStatus !== undefined) {
    return confirmationStatus === 'finalized';
  }
  return typeof blockTime === 'number' && nowMs / 1_000 - blockTime > FINAL_AFTER_S;
}
