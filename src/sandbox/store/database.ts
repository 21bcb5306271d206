import { chmodSync, closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import type { Database as Sqlite, Statement } from 'node-sqlite3-wasm';
import * as z from 'zod';

/** The store has data that this version does not write, or it could not be written. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
}

/** A programming error in the use of the store, such as nested transactions. It says nothing about the data. */
export class StoreUseError extends StoreError {
  override readonly name = 'StoreUseError';
}

/** A commit failed, so memory is ahead of the database. The process must end; none of the changes has been answered yet. */
export class CommitError extends Error {
  override readonly name = 'CommitError';
}

/**
 * Version 2 of the store. Times are milliseconds since 1970. Raw amounts are decimal text or, many of them together, blobs of
 * fixed-width little-endian numbers. US dollar and native (SOL) figures are REAL: valuations, never balances.
 */
const SCHEMA = `
-- Single values as JSON: identity, clock, market, chain, settings.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE token (key TEXT PRIMARY KEY, mint TEXT NOT NULL UNIQUE, state TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- state: the trading state, JSON; its form depends on the type of the pool.
CREATE TABLE pool (address TEXT PRIMARY KEY, key TEXT NOT NULL UNIQUE, type TEXT NOT NULL CHECK (type IN ('bins', 'product')), state TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Seventy bins each: amounts, shares, fee counters.
CREATE TABLE bin_array (pool TEXT NOT NULL, number INTEGER NOT NULL, bins BLOB NOT NULL, PRIMARY KEY (pool, number)) STRICT, WITHOUT ROWID;

-- Trading volume, in buckets of several widths.
CREATE TABLE turnover (
  pool TEXT NOT NULL, width_ms INTEGER NOT NULL, starts_at INTEGER NOT NULL,
  volume_usd REAL NOT NULL, fee_usd REAL NOT NULL, price_usd REAL NOT NULL,
  PRIMARY KEY (pool, width_ms, starts_at)
) STRICT, WITHOUT ROWID;

-- The list of discover, computed from the tables above on request, so that filters, order and pages are SQL. search: all names in
-- lower case. Fees over TVL are fractions, by interval. The inputs of the computation: meta, pool_listing.
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

-- Open positions (closed_at is null) and closed ones. holding: shares and fee checkpoints of open positions.
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

-- Indexing lag: the record that lists still show for a position (null: it is not listed yet), and until when.
CREATE TABLE lagging_record (position TEXT PRIMARY KEY, owner TEXT NOT NULL, record TEXT, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX lagging_record_owner ON lagging_record (owner);

-- Simulated liquidity providers: the state of each, and the time of its next decision.
CREATE TABLE provider (owner TEXT PRIMARY KEY, number INTEGER NOT NULL UNIQUE, due_at INTEGER NOT NULL, state TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Accounts of the chain. holder and mint: of token accounts only.
CREATE TABLE account (
  address TEXT PRIMARY KEY, program TEXT NOT NULL, lamports TEXT NOT NULL, data BLOB NOT NULL, holder TEXT, mint TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX account_holder ON account (holder, mint);
CREATE INDEX account_mint ON account (mint);

CREATE TABLE blockhash (blockhash TEXT PRIMARY KEY, last_valid_block_height INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX blockhash_height ON blockhash (last_valid_block_height);

-- Operations that were built and handed out. Only their messages land, and each operation lands once.
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

/** Migrations, each from one version to the next. Version 1 stored JSON documents. */
const STEPS: readonly ((database: Sqlite) => void)[] = [documents, tables];

/** Migrates a file to the present version, in one transaction. @throws StoreError if a newer version wrote it */
function migrate(database: Sqlite): void {
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

/** Worlds of version 1 had no liquidity except the owner's, so only the identity is migrated. */
function tables(database: Sqlite): void {
  database.exec(SCHEMA);
  database.exec(`INSERT INTO meta (key, value) SELECT key, json FROM document WHERE key = 'identity'`);
  database.exec('DROP TABLE document');
}

const FILE_NAME = 'sandbox.sqlite';

/** Path of the store in a data folder. */
export function storeFile(folder: string): string {
  return join(folder, FILE_NAME);
}
const OWNER_ONLY = 0o600;

const PageCheck = z.object({ quick_check: z.string() }).transform(({ quick_check }) => quick_check);

/** Parameter of a statement. Raw amounts are stored as decimal text, because an INTEGER of SQLite has 63 bits for positive numbers. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/**
 * The store: one SQLite file, the single source of truth. A transaction is written as a whole or not at all, even if the process is killed.
 * Only one process may open the file at a time (src/server/instance.ts).
 */
export class Database {
  readonly #statements = new Map<string, Statement>();
  #inside = false;

  readonly #sqlite: Sqlite;

  private constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite;
  }

  /**
   * Opens or creates the file in the folder and migrates it. The caller must be the only process that uses the folder.
   * @throws StoreError if a newer version wrote the file, the file system does not support a write-ahead log, or the last process did not
   * close the file and its pages are damaged
   */
  static open(folder: string): Database {
    const file = storeFile(folder);
    // The library locks by creating a directory, which remains after a kill. This process is the only one in the folder.
    rmSync(`${file}.lock`, { recursive: true, force: true });
    if (!existsSync(file)) {
      closeSync(openSync(file, 'wx', OWNER_ONLY));
    }
    chmodSync(file, OWNER_ONLY);
    // Closing removes the log. A process that did not close the store may have crashed on damaged data.
    const wasLeftOpen = existsSync(`${file}-wal`);
    const database = Database.#prepared(new sqlite.Database(file));
    if (wasLeftOpen) {
      database.#checkPages();
    }
    return database;
  }

  /** A database in memory, for tests. */
  static inMemory(): Database {
    return Database.#prepared(new sqlite.Database(':memory:'));
  }

  static #prepared(opened: Sqlite): Database {
    try {
      // With a rollback journal, this build of SQLite does not roll back a partly written transaction after a crash: it takes its own lock
      // for another process's. A write-ahead log needs no rollback; without shared memory it needs exclusive locking.
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
