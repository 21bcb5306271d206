import { join } from 'node:path';
import { type Migration, SqliteStore } from '../../engine/store/sqliteStore';

/**
 * Tables of the store. Times are milliseconds since 1970. Raw amounts are decimal text or, many of them together, blobs of
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

-- Open positions (closed_at is null) and closed ones. holding: shares and fee checkpoints of open positions.
CREATE TABLE position (
  address TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL, pool TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('bins', 'product')), strategy TEXT NOT NULL, lower_bin INTEGER, upper_bin INTEGER, nft_mint TEXT,
  opened_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, closed_at INTEGER,
  input_usd REAL NOT NULL, input_native REAL NOT NULL, output_usd REAL NOT NULL, output_native REAL NOT NULL,
  fee_usd REAL NOT NULL, fee_native REAL NOT NULL,
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

/** Migrations, each from one version to the next. Binsight 0.2.0 wrote version 2; version 1 was never published. */
const MIGRATIONS: readonly Migration[] = [
  (database) => database.exec(SCHEMA),
  () => undefined,
  // Version 2 had the list of discover as a table.
  (database) => database.exec(`DROP TABLE IF EXISTS pool_listing; DELETE FROM meta WHERE key = 'pool_listing'`),
  // Version 3 refused claims, and an operation promised one position. A check cannot be changed in place.
  (database) =>
    database.exec(`
      CREATE TABLE operation_of_any_kind (
        number INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('decrease', 'add', 'claim')), owner TEXT NOT NULL,
        promised TEXT NOT NULL, issued_at INTEGER NOT NULL, landed_signatures TEXT
      ) STRICT;
      INSERT INTO operation_of_any_kind SELECT number, kind, owner,
        json_set(json_remove(promised, '$.position'), '$.positions', json_array(json_extract(promised, '$.position'))), issued_at, landed_signatures
      FROM operation;
      DROP TABLE operation;
      ALTER TABLE operation_of_any_kind RENAME TO operation;
    `),
  // Events up to version 4 do not name their transactions.
  (database) => database.exec('ALTER TABLE position_event ADD COLUMN signature TEXT'),
  // Version 5 refused swaps.
  (database) =>
    database.exec(`
      CREATE TABLE operation_of_any_kind (
        number INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('decrease', 'add', 'claim', 'swap')), owner TEXT NOT NULL, promised TEXT NOT NULL, issued_at INTEGER NOT NULL, landed_signatures TEXT
      ) STRICT;
      INSERT INTO operation_of_any_kind SELECT number, kind, owner, promised, issued_at, landed_signatures FROM operation;
      DROP TABLE operation;
      ALTER TABLE operation_of_any_kind RENAME TO operation;
    `),
];

const FILE_NAME = 'sandbox.sqlite';

/** Path of the store in a data folder. */
export function storeFile(folder: string): string {
  return join(folder, FILE_NAME);
}

/** The store of a sandbox, the single source of truth. */
export class Database extends SqliteStore {
  /** Opens or creates the store in the folder and migrates it. @throws StoreError like {@link SqliteStore} */
  static open(folder: string): Database {
    return new Database(storeFile(folder), MIGRATIONS);
  }

  /** A store in memory, for tests. */
  static inMemory(): Database {
    return new Database(undefined, MIGRATIONS);
  }
}
