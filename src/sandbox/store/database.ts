import { chmodSync, closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import type { Database as Sqlite, Statement } from 'node-sqlite3-wasm';
import * as z from 'zod';

/** The data in the folder is not what this version of the sandbox writes, or could not be written. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
}

/** The program used the store in a way that cannot be right. What is in the store has nothing to do with it. */
export class StoreUseError extends StoreError {
  override readonly name = 'StoreUseError';
}

/** What had to be kept could not be written. Memory is ahead of the database, so that the process has to end: nothing of it has been answered yet. */
export class CommitError extends Error {
  override readonly name = 'CommitError';
}

/**
 * Version 2 of the store. Times are milliseconds since 1970. Raw amounts are decimal text or, many of them together, blobs of
 * fixed-width little-endian numbers. US dollar and native (SOL) figures are REAL: valuations, never balances.
 */
export const SCHEMA = `
-- Single values as JSON, by name: identity, clock, market, chain, settings.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE token (key TEXT PRIMARY KEY, mint TEXT NOT NULL UNIQUE, state TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- state: what trading goes on from, JSON by type of pool.
CREATE TABLE pool (address TEXT PRIMARY KEY, key TEXT NOT NULL UNIQUE, type TEXT NOT NULL CHECK (type IN ('bins', 'product')), state TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Seventy bins each: amounts, shares, fee counters.
CREATE TABLE bin_array (pool TEXT NOT NULL, number INTEGER NOT NULL, bins BLOB NOT NULL, PRIMARY KEY (pool, number)) STRICT, WITHOUT ROWID;

-- What was traded, in buckets of several widths.
CREATE TABLE turnover (
  pool TEXT NOT NULL, width_ms INTEGER NOT NULL, starts_at INTEGER NOT NULL,
  volume_usd REAL NOT NULL, fee_usd REAL NOT NULL, price_usd REAL NOT NULL,
  PRIMARY KEY (pool, width_ms, starts_at)
) STRICT, WITHOUT ROWID;

-- Discover's list: computed from the above when it is asked for, so that filters, order and pages are SQL. search: all names in
-- lower case. Fees over TVL are fractions, by interval. What it was computed from: meta, pool_listing.
CREATE TABLE pool_listing (
  pool TEXT PRIMARY KEY, type TEXT NOT NULL, token_x TEXT NOT NULL, token_y TEXT NOT NULL, search TEXT NOT NULL, created_at INTEGER NOT NULL,
  market_cap REAL NOT NULL, tvl REAL NOT NULL, bin_step REAL NOT NULL, organic_score REAL NOT NULL, base_fee REAL NOT NULL, volatility REAL NOT NULL,
  vol_1h REAL NOT NULL, vol_24h REAL NOT NULL, fees_24h REAL NOT NULL,
  fee_tvl_5m REAL NOT NULL, fee_tvl_1h REAL NOT NULL, fee_tvl_6h REAL NOT NULL, fee_tvl_24h REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pool_listing_market_cap ON pool_listing (market_cap);
CREATE INDEX pool_listing_created_at ON pool_listing (created_at);
CREATE INDEX pool_listing_vol_24h ON pool_listing (vol_24h);
CREATE INDEX pool_listing_tvl ON pool_listing (tvl);
CREATE INDEX pool_listing_fee_tvl_5m ON pool_listing (fee_tvl_5m);
CREATE INDEX pool_listing_fee_tvl_1h ON pool_listing (fee_tvl_1h);
CREATE INDEX pool_listing_fee_tvl_6h ON pool_listing (fee_tvl_6h);
CREATE INDEX pool_listing_fee_tvl_24h ON pool_listing (fee_tvl_24h);
CREATE INDEX pool_listing_volatility ON pool_listing (volatility);

-- Positions, open (closed_at is null) and closed. holding: shares and fee checkpoints, while open.
CREATE TABLE position (
  address TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL, pool TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('bins', 'product')), strategy TEXT NOT NULL, lower_bin INTEGER, upper_bin INTEGER, nft_mint TEXT,
  opened_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, closed_at INTEGER,
  input_usd REAL NOT NULL, input_native REAL NOT NULL, output_usd REAL NOT NULL, output_native REAL NOT NULL,
  fee_usd REAL NOT NULL, fee_native REAL NOT NULL,
  pnl_usd REAL GENERATED ALWAYS AS (output_usd + fee_usd - input_usd) VIRTUAL,
  pnl_native REAL GENERATED ALWAYS AS (output_native + fee_native - input_native) VIRTUAL,
  event_count INTEGER NOT NULL, closing TEXT, holding BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX position_owner ON position (owner, closed_at);
CREATE INDEX position_pool ON position (pool, closed_at);
CREATE INDEX position_pool_owner ON position (pool, owner);
CREATE INDEX position_pool_opened ON position (pool, opened_at);

CREATE TABLE position_event (
  position TEXT NOT NULL, number INTEGER NOT NULL, owner TEXT NOT NULL, pool TEXT NOT NULL, action TEXT NOT NULL, at INTEGER NOT NULL,
  amount_x TEXT NOT NULL, amount_y TEXT NOT NULL, usd_x REAL NOT NULL, usd_y REAL NOT NULL, usd_sol REAL NOT NULL, bps INTEGER,
  PRIMARY KEY (position, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX position_event_owner ON position_event (owner, at);

-- While the index lags: the record under which a position is still listed (null: it is not listed yet), and until when.
CREATE TABLE lagging_record (position TEXT PRIMARY KEY, owner TEXT NOT NULL, record TEXT, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX lagging_record_owner ON lagging_record (owner);

-- Simulated liquidity providers: what they are like and when each looks next.
CREATE TABLE provider (owner TEXT PRIMARY KEY, number INTEGER NOT NULL UNIQUE, due_at INTEGER NOT NULL, state TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Accounts of the chain. holder and mint: of token accounts.
CREATE TABLE account (
  address TEXT PRIMARY KEY, program TEXT NOT NULL, lamports TEXT NOT NULL, data BLOB NOT NULL, holder TEXT, mint TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX account_holder ON account (holder, mint);
CREATE INDEX account_mint ON account (mint);

CREATE TABLE blockhash (blockhash TEXT PRIMARY KEY, last_valid_block_height INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX blockhash_height ON blockhash (last_valid_block_height);

-- Operations that were built and handed out; only their messages land, each operation once.
CREATE TABLE operation (
  number INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('decrease', 'add')), owner TEXT NOT NULL, promised TEXT NOT NULL,
  issued_at INTEGER NOT NULL, landed_signatures TEXT
) STRICT;
CREATE TABLE issued_message (hash TEXT PRIMARY KEY, operation INTEGER NOT NULL, variant TEXT NOT NULL, place INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX issued_message_operation ON issued_message (operation);

CREATE TABLE landed_transaction (
  signature TEXT PRIMARY KEY, message_hash TEXT NOT NULL UNIQUE, bundle TEXT NOT NULL, place INTEGER NOT NULL, slot INTEGER NOT NULL, block_time INTEGER NOT NULL,
  bytes BLOB NOT NULL, meta TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX landed_transaction_bundle ON landed_transaction (bundle, place);
CREATE INDEX landed_transaction_slot ON landed_transaction (slot);
`;

/** What brings a file from the version before to the next one, in order; version 1 kept JSON documents. */
const STEPS: readonly ((database: Sqlite) => void)[] = [documents, tables];

/** Brings a file up to the present version, in one transaction. @throws StoreError where it is a newer one's. */
export function migrate(database: Sqlite): void {
  const version = Number(database.get('PRAGMA user_version')?.['user_version']);
  if (version > STEPS.length) {
    throw new StoreError('It was written by a newer version of the sandbox');
  }
  if (version === STEPS.length) {
    return;
  }
  database.exec('BEGIN IMMEDIATE');
  try {
    STEPS.slice(version).forEach((step) => step(database));
    database.exec(`PRAGMA user_version = ${STEPS.length}`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction) {
      database.exec('ROLLBACK');
    }
    throw error;
  }
}

function documents(database: Sqlite): void {
  database.exec('CREATE TABLE document (key TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT');
}

/** Worlds of version 1 had no liquidity but the owner's, so that nothing but who the sandbox is can be taken over. */
function tables(database: Sqlite): void {
  database.exec(SCHEMA);
  database.exec(`INSERT INTO meta (key, value) SELECT key, json FROM document WHERE key = 'identity'`);
  database.exec('DROP TABLE document');
}

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
  readonly #statements = new Map<string, Statement>();
  #inside = false;

  readonly #sqlite: Sqlite;

  private constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite;
  }

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
    const database = Database.#prepared(new sqlite.Database(file));
    if (wasLeftOpen) {
      database.#checkPages();
    }
    return database;
  }

  /** A database that is gone with the process: for tests of what needs one. */
  static inMemory(): Database {
    return Database.#prepared(new sqlite.Database(':memory:'));
  }

  static #prepared(opened: Sqlite): Database {
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

  /** Runs a statement that gives nothing. Statements are prepared once: the text must not hold values. */
  run(sql: string, ...values: readonly SqlValue[]): void {
    this.#statement(sql).run([...values]);
  }

  /** All rows, each read by the schema. @throws z.ZodError where the schema and the statement do not fit together. */
  all<Schema extends z.ZodType>(schema: Schema, sql: string, ...values: readonly SqlValue[]): z.output<Schema>[] {
    return this.#statement(sql)
      .all([...values])
      .map((row) => schema.parse(row));
  }

  /** The first row, or `undefined`. */
  get<Schema extends z.ZodType>(schema: Schema, sql: string, ...values: readonly SqlValue[]): z.output<Schema> | undefined {
    // Not the library's `get`: it leaves the statement half read, and nothing is moved out of the write-ahead log meanwhile.
    const [row] = this.#statement(sql).all([...values]);
    return row === undefined ? undefined : schema.parse(row);
  }

  close(): void {
    this.#statements.forEach((statement) => statement.finalize());
    this.#statements.clear();
    this.#sqlite.close();
  }

  /** Reads all of the file: a tenth of a second for a world that was played in. Closes it, and @throws StoreError, where pages do not fit together. */
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
