import * as z from 'zod';
import type { Address } from '../../base/solana/address';
import type { SqliteStore } from '../../engine/store/sqliteStore';
import { AddressText } from '../rpc/addressText';
import type { ListedSignature } from './answers';
import { FactStore } from './factStore';
import { STATE } from './indexSchema';

const Whole = z.int();

const Subject = z.object({
  id: Whole,
  address: AddressText,
  kind: z.enum(['owner', 'position', 'pool']),
  known_signature: z.string().nullable(),
  known_slot: Whole.nullable(),
  before_known: z.string().nullable(),
  pass: Whole,
  began_at_ms: Whole.nullable(),
  cursor: z.string().nullable(),
  cursor_slot: Whole.nullable(),
  next_signature: z.string().nullable(),
  next_slot: Whole.nullable(),
  before_next: z.string().nullable(),
  place: Whole,
  newest_slot: Whole.nullable(),
  listed_at_ms: Whole.nullable(),
  gap_after_slot: Whole.nullable(),
  gap_to_slot: Whole.nullable(),
  pruned_before_slot: Whole.nullable(),
  is_to_end: Whole.transform((flag) => flag === 1),
});

/** An address whose signatures are listed; the columns are explained in indexSchema.ts. */
export type Subject = z.output<typeof Subject>;

/** Slots of which transactions may be missing in a list: the first is excluded, the last is included. */
export interface ListGap {
  readonly after: number;
  readonly to: number;
}

const Located = z.object({ id: Whole, signature: z.string(), slot: Whole });
const Oldest = z.object({ signature: z.string(), slot: Whole, count: Whole });
const Slot = z.object({ slot: Whole }).transform(({ slot }) => slot);

/** The lists of signatures. Each method that changes several rows is one transaction. */
export class SubjectStore {
  readonly #store: SqliteStore;
  readonly #facts: FactStore;
  /** Called after each change with the positions whose facts it has changed. */
  readonly #onChange: (positions: ReadonlySet<Address>) => void;

  constructor(store: SqliteStore, onChange: (positions: ReadonlySet<Address>) => void) {
    this.#store = store;
    this.#facts = new FactStore(store);
    this.#onChange = onChange;
  }

  /** The subject of that address, new ones included. An address that is asked for as an owner's is an owner from then on. */
  follow(address: Address, kind: Subject['kind']): Subject {
    this.#store.run(
      `INSERT INTO subject (address, kind, pass, place) VALUES (?, ?, 0, 0)
       ON CONFLICT (address) DO UPDATE SET kind = excluded.kind WHERE excluded.kind = 'owner' AND kind <> 'owner'`,
      address,
      kind,
    );
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

  /** Lists everything again the next time: the node may have more than at the last time. Does nothing while a listing is under way. */
  forgetList(address: Address): void {
    this.#store.run(
      `UPDATE subject SET known_signature = NULL, known_slot = NULL, before_known = NULL, gap_after_slot = NULL, gap_to_slot = NULL, is_to_end = 0
       WHERE address = ? AND cursor IS NULL`,
      address,
    );
    this.#onChange(NO_POSITIONS);
  }

  /** From the next listing on, the end of the list counts as not reached: something shows that there is more. */
  doubtEnd(address: Address): void {
    this.#store.run('UPDATE subject SET is_to_end = 0 WHERE address = ?', address);
    this.#onChange(NO_POSITIONS);
  }

  /**
   * Continues a list that has ended without its end being reached, below its oldest row. What is known stays known.
   * @param most signatures of a list that is not continued
   * @returns whether there is anything to continue
   */
  continueBelow(address: Address, most: number): boolean {
    const oldest = this.#store.get(
      Oldest,
      `SELECT t.signature, t.slot, count(*) OVER () AS count
       FROM chain_transaction t JOIN subject_transaction s ON s.tx = t.id JOIN subject u ON u.id = s.subject
       WHERE u.address = ? AND u.cursor IS NULL AND u.is_to_end = 0 ORDER BY t.slot, t.pass, t.place DESC LIMIT 1`,
      address,
    );
    if (oldest === undefined || oldest.count >= most) {
      return false;
    }
    this.#store.run(
      `UPDATE subject SET cursor = ?, cursor_slot = ?, pass = -abs(pass), place = ?, next_signature = known_signature, next_slot = known_slot,
       before_next = before_known, known_signature = NULL, known_slot = NULL, before_known = NULL, pruned_before_slot = NULL WHERE address = ?`,
      oldest.signature,
      oldest.slot,
      oldest.count,
      address,
    );
    this.#onChange(NO_POSITIONS);
    return true;
  }

  /** Begins a listing from the newest signature on. Does nothing while one is under way. */
  beginListing(address: Address, nowMs: number): void {
    this.#store.run(
      `UPDATE subject SET pass = (SELECT max(abs(pass)) FROM subject) + 1, place = 0, began_at_ms = ?, next_signature = NULL, next_slot = NULL,
       before_next = NULL WHERE address = ? AND cursor IS NULL`,
      Math.floor(nowMs),
      address,
    );
    this.#onChange(NO_POSITIONS);
  }

  /**
   * Stores a page of the listing under way.
   * @param subject as it is stored
   * @param rows newest first, without what was known before
   * @param isLast the listing ends with this page
   * @param isToEnd it has reached the end of the list, or the most signatures
   * @param gap what the listing did not reach
   */
  savePage(
    subject: Subject,
    rows: readonly ListedSignature[],
    {
      nowMs,
      isLast,
      isToEnd,
      gap,
    }: { readonly nowMs: number; readonly isLast: boolean; readonly isToEnd: boolean; readonly gap: ListGap | undefined },
  ): void {
    const touched = new Set<Address>();
    const { id, pass, place } = subject;
    this.#store.transaction(() => {
      rows.forEach((row, index) => this.#saveRow(id, row, { pass, place: place + index, isFinal: isFinal(row, nowMs) }, touched));
      const next = nextKnown(subject, rows, nowMs);
      const last = rows.at(-1);
      this.#store.run(
        `UPDATE subject SET place = place + ?, newest_slot = coalesce(?, newest_slot), cursor = coalesce(?, cursor),
         cursor_slot = coalesce(?, cursor_slot), next_signature = ?, next_slot = ?, before_next = ? WHERE id = ?`,
        rows.length,
        place === 0 ? (rows[0]?.slot ?? null) : null,
        last?.signature ?? null,
        last?.slot ?? null,
        next.signature,
        next.slot,
        next.before,
        id,
      );
      if (isLast) {
        this.#store.run(
          `UPDATE subject SET before_known = CASE WHEN next_signature IS NULL THEN before_known ELSE coalesce(before_next, known_signature) END,
           known_signature = coalesce(next_signature, known_signature), known_slot = coalesce(next_slot, known_slot),
           cursor = NULL, cursor_slot = NULL, next_signature = NULL, next_slot = NULL, before_next = NULL, listed_at_ms = began_at_ms,
           is_to_end = max(is_to_end, ?), pass = abs(pass) WHERE id = ?`,
          isToEnd ? 1 : 0,
          id,
        );
      }
      if (gap !== undefined) {
        this.#store.run(
          `UPDATE subject SET gap_after_slot = min(coalesce(gap_after_slot, ?1), ?1), gap_to_slot = max(coalesce(gap_to_slot, ?2), ?2) WHERE id = ?3`,
          gap.after,
          gap.to,
          id,
        );
      }
      this.#facts.derive(touched);
    });
    this.#onChange(touched);
  }

  #saveRow(
    subject: number,
    { signature, slot, err, blockTime }: ListedSignature,
    { pass, place, isFinal: isFinalNow }: { readonly pass: number; readonly place: number; readonly isFinal: boolean },
    touched: Set<Address>,
  ): void {
    const state = err === null || err === undefined ? STATE.listed : STATE.failed;
    const before = this.#store.get(Located, 'SELECT id, signature, slot FROM chain_transaction WHERE signature = ?', signature);
    // On another fork the same transaction may have done something else.
    if (before !== undefined && before.slot !== slot) {
      this.#facts.remove(before.id, touched);
      this.#store.run(
        'UPDATE chain_transaction SET slot = ?, state = ?, attempts = 0, retry_at_ms = 0 WHERE id = ?',
        slot,
        state,
        before.id,
      );
    }
    this.#store.run(
      `INSERT INTO chain_transaction (signature, slot, pass, place, block_time, final, state, attempts, retry_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0)
       ON CONFLICT (signature) DO UPDATE SET pass = excluded.pass, place = excluded.place, final = max(final, excluded.final)`,
      signature,
      slot,
      pass,
      place,
      blockTime ?? null,
      isFinalNow ? 1 : 0,
      state,
    );
    this.#store.run(
      'INSERT OR IGNORE INTO subject_transaction (subject, tx) SELECT ?, id FROM chain_transaction WHERE signature = ?',
      subject,
      signature,
    );
  }

  setPruned(id: number, slot: number): void {
    this.#store.run('UPDATE subject SET pruned_before_slot = ? WHERE id = ?', slot, id);
  }

  /** Transactions that are not finalized and that the last listing of the subject did not show. */
  vanished({ id, pass }: Subject): readonly z.output<typeof Located>[] {
    return this.#store.all(
      Located,
      `SELECT t.id, t.signature, t.slot FROM chain_transaction t JOIN subject_transaction s ON s.tx = t.id
       WHERE t.final = 0 AND s.subject = ? AND t.pass <> ?`,
      id,
      pass,
    );
  }

  /** Removes a transaction that the chain has dropped. */
  drop(tx: number): void {
    const touched = new Set<Address>();
    this.#store.transaction(() => {
      this.#facts.remove(tx, touched);
      this.#store.run('DELETE FROM subject_transaction WHERE tx = ?', tx);
      this.#store.run('DELETE FROM chain_transaction WHERE id = ?', tx);
      this.#facts.derive(touched);
    });
    this.#onChange(touched);
  }

  /** Sets where a transaction is now. If it has moved to another slot, it is read again. */
  moved(tx: number, slot: number, isFinalNow: boolean): void {
    const touched = new Set<Address>();
    this.#store.transaction(() => {
      const before = this.#store.get(Slot, 'SELECT slot FROM chain_transaction WHERE id = ?', tx);
      if (before !== undefined && before !== slot) {
        this.#facts.remove(tx, touched);
        this.#store.run(
          'UPDATE chain_transaction SET slot = ?, state = ?, attempts = 0, retry_at_ms = 0 WHERE id = ?',
          slot,
          STATE.listed,
          tx,
        );
      }
      this.#store.run('UPDATE chain_transaction SET final = max(final, ?) WHERE id = ?', isFinalNow ? 1 : 0, tx);
      this.#facts.derive(touched);
    });
    this.#onChange(touched);
  }
}

const NO_POSITIONS: ReadonlySet<Address> = new Set();
/** Nodes that do not report the status: a transaction of that age is finalized. */
const FINAL_AFTER_S = 120;

function isFinal({ confirmationStatus, blockTime }: ListedSignature, nowMs: number): boolean {
  if (confirmationStatus !== null && confirmationStatus !== undefined) {
    return confirmationStatus === 'finalized';
  }
  return typeof blockTime === 'number' && nowMs / 1_000 - blockTime > FINAL_AFTER_S;
}

/** The newest finalized signature of the listing under way, and the one listed behind it. */
function nextKnown(
  { next_signature: signature, next_slot: slot, before_next: before }: Subject,
  rows: readonly ListedSignature[],
  nowMs: number,
): { readonly signature: string | null; readonly slot: number | null; readonly before: string | null } {
  if (signature !== null) {
    return { signature, slot, before: before ?? rows[0]?.signature ?? null };
  }
  const index = rows.findIndex((row) => isFinal(row, nowMs));
  const found = rows[index];
  return {
    signature: found?.signature ?? null,
    slot: found?.slot ?? null,
    before: index < 0 ? null : (rows[index + 1]?.signature ?? null),
  };
}
