/** The table behind a working set. */
export interface Backing<Key, Row> {
  /** Reads a row; `undefined` if there is none. */
  load(key: Key): Row | undefined;
  /** Writes a row, within a transaction. */
  save(key: Key, row: Row): void;
  /** Removes a row, within a transaction. */
  remove(key: Key): void;
  /** Copies a row, as deeply as callers of {@link WorkingSet.edit} may change it. */
  copy(row: Row): Row;
}

/** Share of `maxKept` that stays in memory after rows were evicted. */
const KEPT_SHARE = 0.9;

/** State that a {@link UnitOfWork} commits and rolls back. */
export interface Participant {
  /** Starts recording changes, so that they can be rolled back. */
  begin(): void;
  /** Keeps the changes since `begin`. */
  release(): void;
  /** Undoes the changes since `begin`. */
  rollBack(): void;
  /** Writes all changes since the last flush, within a transaction. */
  flush(): void;
}

/**
 * A write-back cache of a table: rows are read on first use, changed in memory, and written together. It tracks changed rows, and can roll
 * back the changes since `begin`.
 */
export class WorkingSet<Key extends string | number, Row extends object> implements Participant {
  readonly #rows = new Map<Key, Row | undefined>();
  readonly #dirty = new Set<Key>();
  #before: Map<Key, Row | undefined> | undefined;

  readonly #backing: Backing<Key, Row>;
  readonly #maxKept: number;

  /** @param maxKept approximate number of rows that stay in memory (all by default); the first ones read are evicted first */
  constructor(backing: Backing<Key, Row>, maxKept = Number.POSITIVE_INFINITY) {
    this.#backing = backing;
    this.#maxKept = maxKept;
  }

  /** Number of rows in memory, including keys known to be absent. */
  get size(): number {
    return this.#rows.size;
  }

  /** The present row, read-only; `undefined` if there is none. */
  get(key: Key): Readonly<Row> | undefined {
    return this.#row(key);
  }

  /** The row, to be changed in place; `undefined` if there is none. */
  edit(key: Key): Row | undefined {
    const row = this.#row(key);
    if (row !== undefined) {
      this.#remember(key, row);
      this.#dirty.add(key);
    }
    return row;
  }

  /** Inserts or replaces a row. The set owns it from now on. */
  put(key: Key, row: Row): void {
    if (this.#before !== undefined) {
      // Outside an attempt the previous row is not needed, so it is not read.
      this.#remember(key, this.#row(key));
    }
    this.#rows.set(key, row);
    this.#dirty.add(key);
  }

  delete(key: Key): void {
    const row = this.#row(key);
    if (row !== undefined) {
      this.#remember(key, row);
      this.#rows.set(key, undefined);
      this.#dirty.add(key);
    }
  }

  /** Evicts a row from memory; it is read again on next use. Does nothing while the row has unsaved changes. */
  forget(key: Key): void {
    if (!this.#dirty.has(key) && this.#before?.has(key) !== true) {
      this.#rows.delete(key);
    }
  }

  begin(): void {
    this.#before = new Map();
  }

  release(): void {
    this.#before = undefined;
  }

  rollBack(): void {
    for (const [key, row] of this.#before ?? []) {
      // Stays dirty, even if it was not before: writing an unchanged row is harmless.
      this.#rows.set(key, row);
    }
    this.#before = undefined;
  }

  flush(): void {
    for (const key of this.#dirty) {
      const row = this.#rows.get(key);
      if (row === undefined) {
        this.#backing.remove(key);
        // From now on the table shows that the row is absent.
        this.#rows.delete(key);
      } else {
        this.#backing.save(key, row);
      }
    }
    this.#dirty.clear();
    this.#forgetOldest();
  }

  /** Evicts about a tenth of the rows at once, so that it is rarely needed. */
  #forgetOldest(): void {
    if (this.#rows.size <= this.#maxKept) {
      return;
    }
    const kept = this.#maxKept * KEPT_SHARE;
    for (const key of this.#rows.keys()) {
      if (this.#rows.size <= kept) {
        return;
      }
      this.forget(key);
    }
  }

  #row(key: Key): Row | undefined {
    const row = this.#rows.get(key);
    if (row !== undefined || this.#rows.has(key)) {
      return row;
    }
    const loaded = this.#backing.load(key);
    this.#rows.set(key, loaded);
    return loaded;
  }

  #remember(key: Key, row: Row | undefined): void {
    if (this.#before !== undefined && !this.#before.has(key)) {
      this.#before.set(key, row === undefined ? undefined : this.#backing.copy(row));
    }
  }
}
