/** Where a set's rows come from and go to. */
export interface Backing<Key, Row> {
  /** Reads a row; `undefined` where there is none. */
  load(key: Key): Row | undefined;
  /** Writes a row, within a transaction. */
  save(key: Key, row: Row): void;
  /** Removes a row, within a transaction. */
  remove(key: Key): void;
  /** An independent copy, deep as far as {@link WorkingSet.edit} lets callers change it. */
  copy(row: Row): Row;
}

/** Rows kept in memory when there were too many. */
const KEPT_SHARE = 0.9;

/** What a {@link UnitOfWork} commits and takes back. */
export interface Participant {
  /** From here on changes can be taken back. */
  begin(): void;
  /** Keeps what happened since `begin`. */
  release(): void;
  /** Takes back what happened since `begin`. */
  rollBack(): void;
  /** Writes everything that changed since the last time, within a transaction. */
  flush(): void;
}

/**
 * Rows of a table that are being worked with: read when they are first asked for, changed in memory, written together.
 * Knows what changed since it was last written, and takes back what changed since a checkpoint.
 */
export class WorkingSet<Key extends string | number, Row extends object> implements Participant {
  readonly #rows = new Map<Key, Row | undefined>();
  readonly #dirty = new Set<Key>();
  #before: Map<Key, Row | undefined> | undefined;

  readonly #backing: Backing<Key, Row>;
  readonly #maxKept: number;

  /** @param maxKept how many rows stay in memory, about; those that were read first go first. Without it all of them stay. */
  constructor(backing: Backing<Key, Row>, maxKept = Number.POSITIVE_INFINITY) {
    this.#backing = backing;
    this.#maxKept = maxKept;
  }

  /** How many rows are in memory, those in it that are not in the table. */
  get size(): number {
    return this.#rows.size;
  }

  /** The row as it is now; not to be changed. `undefined` where there is none. */
  get(key: Key): Readonly<Row> | undefined {
    return this.#row(key);
  }

  /** The row, to be changed in place; `undefined` where there is none. */
  edit(key: Key): Row | undefined {
    const row = this.#row(key);
    if (row !== undefined) {
      this.#remember(key, row);
      this.#dirty.add(key);
    }
    return row;
  }

  /** Puts a row in, or in the place of another one. The set owns it from now on. */
  put(key: Key, row: Row): void {
    if (this.#before !== undefined) {
      // Else what was there before need not be known, nor read.
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

  /** Forgets a row that need not stay in memory; it is read again when it is asked for. Does nothing while it has changes. */
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
      // Stays dirty: whether it was so before is not worth knowing, and writing it again does no harm.
      this.#rows.set(key, row);
    }
    this.#before = undefined;
  }

  flush(): void {
    for (const key of this.#dirty) {
      const row = this.#rows.get(key);
      if (row === undefined) {
        this.#backing.remove(key);
        // The table says from now on that there is none.
        this.#rows.delete(key);
      } else {
        this.#backing.save(key, row);
      }
    }
    this.#dirty.clear();
    this.#forgetOldest();
  }

  /** Makes room for as many rows again as a tenth of those that stay, so that it has to be done rarely. */
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
