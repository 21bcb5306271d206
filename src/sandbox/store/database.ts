import { chmodSync, closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sqlite, { type Database as Sqlite, type Statement } from 'node-sqlite3-wasm';
import * as z from 'zod';
import { migrate } from './migrations';
import { StoreError, StoreUseError } from './storeError';

const FILE_NAME = 'sandbox.sqlite';

/** Where the store of a folder is. */
export function storeFile(folder: string): string {
  return join(folder, FILE_NAME);
}
const OWNER_ONLY = 0o600;

const PageCheck = z.object({ quick_check: z.string() }).transform(({ quick_check }) => quick_check);

/** What a statement takes. Raw amounts go in and come out as decimal text: an INTEGER of SQLite has 63 bits. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/**
 * The sandbox's memory: one SQLite file, the single source of truth. What one transaction wrote is there as a whole, or not
 * at all, also when the process is killed meanwhile. One process at a time: see instance.ts.
 */
export class Database {
  private readonly statements = new Map<string, Statement>();
  private inside = false;

  private constructor(private readonly sqlite: Sqlite) {}

  /**
   * Opens the folder's file, makes it where there is none, and brings it up to the present version. The caller must be
   * the only process that uses the folder.
   * @throws StoreError where the file is a newer version's, its last process ended without closing it and its pages are damaged, or the file system does not do.
   */
  static open(folder: string): Database {
    const file = storeFile(folder);
    // The library locks by making a directory, which outlives a killed process. Nobody else uses the folder now.
    rmSync(`${file}.lock`, { recursive: true, force: true });
    if (!existsSync(file)) {
      closeSync(openSync(file, 'wx', OWNER_ONLY));
    }
    chmodSync(file, OWNER_ONLY);
    // It goes when the store is closed: a process that ended without that may have ended because of what is in the store.
    const wasLeftOpen = existsSync(`${file}-wal`);
    const database = Database.prepared(new sqlite.Database(file));
    if (wasLeftOpen) {
      database.checkPages();
    }
    return database;
  }

  /** A database that is gone with the process: for tests of what needs one. */
  static inMemory(): Database {
    return Database.prepared(new sqlite.Database(':memory:'));
  }

  private static prepared(opened: Sqlite): Database {
    try {
      // With a rollback journal this build of SQLite would not undo a half-written transaction after a crash: it takes its
      // own lock for somebody else's. A write-ahead log needs no undoing; without shared memory it needs the file for itself.
      opened.exec('PRAGMA locking_mode = EXCLUSIVE');
      const mode = opened.get('PRAGMA journal_mode = WAL');
      if (mode?.['journal_mode'] !== 'wal' && mode?.['journal_mode'] !== 'memory') {
        throw new StoreError('The file system does not take a write-ahead log');
      }
      opened.exec('PRAGMA synchronous = FULL');
      migrate(opened);
      return new Database(opened);
    } catch (error) {
      opened.close();
      throw error;
    }
  }

  /** Runs all of it, or none: what it wrote is taken back where it throws. Not within another one. */
  transaction<Result>(run: () => Result): Result {
    if (this.inside) {
      throw new StoreUseError('A transaction cannot begin within another one');
    }
    this.sqlite.exec('BEGIN IMMEDIATE');
    this.inside = true;
    try {
      const result = run();
      this.sqlite.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.sqlite.inTransaction) {
        this.sqlite.exec('ROLLBACK');
      }
      throw error;
    } finally {
      this.inside = false;
    }
  }

  /** Runs a statement that gives nothing. Statements are prepared once: the text must not hold values. */
  run(sql: string, ...values: readonly SqlValue[]): void {
    this.statement(sql).run([...values]);
  }

  /** All rows, each read by the schema. @throws z.ZodError where the schema and the statement do not fit together. */
  all<Schema extends z.ZodType>(schema: Schema, sql: string, ...values: readonly SqlValue[]): z.output<Schema>[] {
    return this.statement(sql)
      .all([...values])
      .map((row) => schema.parse(row));
  }

  /** The first row, or `undefined`. */
  get<Schema extends z.ZodType>(schema: Schema, sql: string, ...values: readonly SqlValue[]): z.output<Schema> | undefined {
    // Not the library's `get`: it leaves the statement half read, and nothing is moved out of the write-ahead log meanwhile.
    const [row] = this.statement(sql).all([...values]);
    return row === undefined ? undefined : schema.parse(row);
  }

  close(): void {
    this.statements.forEach((statement) => statement.finalize());
    this.statements.clear();
    this.sqlite.close();
  }

  /** Reads all of the file: a tenth of a second for a world that was played in. Closes it, and @throws StoreError, where pages do not fit together. */
  private checkPages(): void {
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

  private statement(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      statement = this.sqlite.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }
}
