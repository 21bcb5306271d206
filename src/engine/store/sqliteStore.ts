import { chmodSync, closeSync, existsSync, openSync, rmSync } from 'node:fs';
import sqlite from 'node-sqlite3-wasm';
import type { Database as Sqlite, Statement } from 'node-sqlite3-wasm';
import * as z from 'zod';

/** The store has data that this version does not write, or it could not be written. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
}

/** A programming error in the use of the store, such as nested transactions. The data is not damaged. */
export class StoreUseError extends StoreError {
  override readonly name = 'StoreUseError';
}

/** A commit failed, so memory is ahead of the database. The process must end; none of the changes has been answered yet. */
export class CommitError extends Error {
  override readonly name = 'CommitError';
}

/** Makes the tables of a version from those of the version before. */
export type Migration = (database: Sqlite) => void;

const OWNER_ONLY = 0o600;

const PageCheck = z.object({ quick_check: z.string() }).transform(({ quick_check }) => quick_check);

/** Parameter of a statement. Raw amounts are stored as decimal text, because an INTEGER of SQLite has 63 bits for positive numbers. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/**
 * One SQLite file. A transaction is written completely or not at all, even if the process is killed.
 * Only one process may open the file at a time (src/engine/process/instance.ts).
 */
export class SqliteStore {
  readonly #statements = new Map<string, Statement>();
  #inside = false;

  readonly #sqlite: Sqlite;

  /**
   * Opens or creates the file and migrates it. The caller must be the only process that uses it.
   * @param file `undefined`: a database in memory, for tests
   * @param migrations from the empty file to the present version
   * @throws StoreError if a newer version wrote the file, the file system does not support a write-ahead log, or the last process did not
   * close the file and its pages are damaged
   */
  constructor(file: string | undefined, migrations: readonly Migration[]) {
    // Closing removes the log. A process that did not close the store may have crashed on damaged data.
    const wasLeftOpen = file !== undefined && existsSync(`${file}-wal`);
    if (file !== undefined) {
      // The library locks by creating a directory, which remains after a kill. This process is the only one that uses the file.
      rmSync(`${file}.lock`, { recursive: true, force: true });
      if (!existsSync(file)) {
        closeSync(openSync(file, 'wx', OWNER_ONLY));
      }
      chmodSync(file, OWNER_ONLY);
    }
    this.#sqlite = prepared(new sqlite.Database(file ?? ':memory:'), migrations);
    if (wasLeftOpen) {
      this.#checkPages();
    }
  }

  /** Runs a transaction and commits it, or rolls it back if `run` throws. Transactions can't be nested. */
  transaction<Result>(run: () => Result): Result {
    if (this.#inside) {
      throw new StoreUseError('A transaction cannot begin within another one');
    }
    this.#sqlite.exec('BEGIN IMMEDIATE');
    this.#inside = true;
    try {
      const result = run();
      this.#sqlite.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#sqlite.inTransaction) {
        this.#sqlite.exec('ROLLBACK');
      }
      throw error;
    } finally {
      this.#inside = false;
    }
  }

  /** Runs a statement without results. Statements are cached by their text, so values belong into parameters. */
  run(sql: string, ...values: readonly SqlValue[]): void {
    this.#statement(sql).run([...values]);
  }

  /** All rows, each parsed by the schema. @throws z.ZodError if a row does not match the schema */
  all<Schema extends z.ZodType>(schema: Schema, sql: string, ...values: readonly SqlValue[]): z.output<Schema>[] {
    return this.#statement(sql)
      .all([...values])
      .map((row) => schema.parse(row));
  }

  /** The first row, or `undefined`. */
  get<Schema extends z.ZodType>(schema: Schema, sql: string, ...values: readonly SqlValue[]): z.output<Schema> | undefined {
    // The library's `get` does not reset the statement, which blocks checkpoints of the write-ahead log.
    const [row] = this.#statement(sql).all([...values]);
    return row === undefined ? undefined : schema.parse(row);
  }

  close(): void {
    this.#statements.forEach((statement) => statement.finalize());
    this.#statements.clear();
    this.#sqlite.close();
  }

  /** Checks all pages: about a tenth of a second for a used world. Closes the file if they are damaged. @throws StoreError */
  #checkPages(): void {
    try {
      const [found] = this.all(PageCheck, 'PRAGMA quick_check(1)');
      if (found !== 'ok') {
        throw new StoreError(`its pages do not fit together: ${found ?? 'nothing is known of them'}`);
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#sqlite.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function prepared(opened: Sqlite, migrations: readonly Migration[]): Sqlite {
  try {
    // With a rollback journal, this build of SQLite does not roll back a partly written transaction after a crash: it takes its own lock
    // for another process's. A write-ahead log needs no rollback; without shared memory it needs exclusive locking.
    opened.exec('PRAGMA locking_mode = EXCLUSIVE');
    const mode = opened.get('PRAGMA journal_mode = WAL');
    if (mode?.['journal_mode'] !== 'wal' && mode?.['journal_mode'] !== 'memory') {
      throw new StoreError('The file system does not take a write-ahead log');
    }
    opened.exec('PRAGMA synchronous = FULL');
    migrate(opened, migrations);
    return opened;
  } catch (error) {
    opened.close();
    throw error;
  }
}

/** Migrates a file to the present version, in one transaction. @throws StoreError if a newer version wrote it */
function migrate(database: Sqlite, migrations: readonly Migration[]): void {
  const version = Number(database.get('PRAGMA user_version')?.['user_version']);
  if (version > migrations.length) {
    throw new StoreError('It was written by a newer version of this program');
  }
  if (version === migrations.length) {
    return;
  }
  database.exec('BEGIN IMMEDIATE');
  try {
    migrations.slice(version).forEach((step) => step(database));
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction) {
      database.exec('ROLLBACK');
    }
    throw error;
  }
}
