import { chmodSync, closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sqlite, { type Database } from 'node-sqlite3-wasm';
import * as z from 'zod';

const FILE_NAME = 'sandbox.sqlite';
const FORMAT_VERSION = 1;
const OWNER_ONLY = 0o600;

const Rows = z.array(z.object({ key: z.string(), json: z.string() }));

/** The data in the folder is not what this version of the sandbox writes. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/**
 * The sandbox's memory: named JSON documents in one SQLite file. What was written together is there together, or not at
 * all, also when the process is killed meanwhile. One process at a time: see instance.ts.
 */
export class Store {
  private readonly written: Map<string, string>;

  private constructor(private readonly database: Database) {
    this.written = new Map(Rows.parse(database.all('SELECT key, json FROM document')).map(({ key, json }) => [key, json]));
  }

  /**
   * Opens the folder's file, and makes it where there is none. The caller must be the only process that uses the folder.
   * @throws StoreError where the file is another version's.
   */
  static open(folder: string): Store {
    const file = join(folder, FILE_NAME);
    // The library locks by making a directory, which outlives a killed process. Nobody else uses the folder now.
    rmSync(`${file}.lock`, { recursive: true, force: true });
    if (!existsSync(file)) {
      closeSync(openSync(file, 'wx', OWNER_ONLY));
    }
    chmodSync(file, OWNER_ONLY);
    const database = new sqlite.Database(file);
    try {
      prepare(database);
      return new Store(database);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** All documents by name. */
  documents(): ReadonlyMap<string, string> {
    return this.written;
  }

  /** Writes documents in one transaction; those that are as they were are left alone. */
  write(documents: ReadonlyMap<string, string>): void {
    const changed = [...documents].filter(([key, json]) => this.written.get(key) !== json);
    if (changed.length === 0) {
      return;
    }
    this.database.exec('BEGIN IMMEDIATE');
    try {
      for (const [key, json] of changed) {
        this.database.run('INSERT INTO document (key, json) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET json = excluded.json', [key, json]);
      }
      this.database.exec('COMMIT');
    } catch (error) {
      if (this.database.inTransaction) {
        this.database.exec('ROLLBACK');
      }
      throw error;
    }
    changed.forEach(([key, json]) => this.written.set(key, json));
  }

  close(): void {
    this.database.close();
  }
}

function prepare(database: Database): void {
  // With a rollback journal this build of SQLite would not undo a half-written transaction after a crash: it takes its own
  // lock for somebody else's. A write-ahead log needs no undoing; without shared memory it needs the file for itself.
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  const mode = database.get('PRAGMA journal_mode = WAL');
  if (mode?.['journal_mode'] !== 'wal') {
    throw new StoreError('The file system does not take a write-ahead log');
  }
  database.exec('PRAGMA synchronous = FULL');
  const version = Number(database.get('PRAGMA user_version')?.['user_version']);
  if (version > FORMAT_VERSION) {
    throw new StoreError('It was written by a newer version of the sandbox');
  }
  database.exec(`
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS document (key TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
    PRAGMA user_version = ${FORMAT_VERSION};
    COMMIT;
  `);
}
