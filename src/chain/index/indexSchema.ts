import type { Migration } from '../../engine/store/sqliteStore';

/** The tables of the index. Raw amounts are decimal text. Everything in it can be read from the chain again. */
const SCHEMA = `
-- Addresses whose signatures are listed. known: all signatures up to it are listed, and it is finalized; before_known: the one listed behind it.
-- began_at_ms, cursor: when the listing under way began, and the oldest row that it has reached; next: what becomes known when it ends;
-- place: rows that it has listed. listed_at_ms: when the last listing that ended had begun; newest_slot: of its newest row.
-- gap: between these slots, the first excluded, transactions may be missing, because a listing did not reach what was known.
-- is_to_end (added later): 1, a listing has reached the end of the list, which only an empty page shows, or the most signatures.
CREATE TABLE subject (
  id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE, kind TEXT NOT NULL CHECK (kind IN ('owner', 'position', 'pool')),
  known_signature TEXT, known_slot INTEGER, before_known TEXT,
  pass INTEGER NOT NULL, began_at_ms INTEGER, cursor TEXT, cursor_slot INTEGER, next_signature TEXT, next_slot INTEGER, before_next TEXT,
  place INTEGER NOT NULL, newest_slot INTEGER, listed_at_ms INTEGER, gap_after_slot INTEGER, gap_to_slot INTEGER, pruned_before_slot INTEGER
) STRICT;

-- pass and place: when and where in a list it was seen; among transactions of a slot, later passes and lower places are newer. What was found
-- below a list that had ended has a negative pass.
-- state: 0 listed, 1 read, 2 failed on the chain, 3 not available from the node, 4 written by a later version.
CREATE TABLE chain_transaction (
  id INTEGER PRIMARY KEY, signature TEXT NOT NULL UNIQUE, slot INTEGER NOT NULL, pass INTEGER NOT NULL, place INTEGER NOT NULL,
  block_time INTEGER, final INTEGER NOT NULL, state INTEGER NOT NULL, attempts INTEGER NOT NULL, retry_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX chain_transaction_slot ON chain_transaction (slot);
CREATE INDEX chain_transaction_state ON chain_transaction (state, slot);
CREATE INDEX chain_transaction_provisional ON chain_transaction (final) WHERE final = 0;

CREATE TABLE subject_transaction (subject INTEGER NOT NULL, tx INTEGER NOT NULL, PRIMARY KEY (subject, tx)) STRICT, WITHOUT ROWID;
CREATE INDEX subject_transaction_tx ON subject_transaction (tx);

-- What a transaction did to positions, in order.
CREATE TABLE fact (
  tx INTEGER NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, program TEXT NOT NULL, position TEXT NOT NULL, pool TEXT, owner TEXT, payer TEXT,
  x TEXT, y TEXT, active_bin INTEGER, liquidity TEXT, curve_x TEXT, curve_y TEXT, lower_bin INTEGER, upper_bin INTEGER, strategy TEXT,
  PRIMARY KEY (tx, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX fact_position ON fact (position);

-- What follows from the facts of a position.
CREATE TABLE position (address TEXT PRIMARY KEY, program TEXT NOT NULL, pool TEXT NOT NULL, owner TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX position_owner ON position (owner);
CREATE INDEX position_pool ON position (pool);

-- What prices depend on and never changes of a pool: the bin step, or the bounds of the square root of its price (Q64.64).
CREATE TABLE pool (address TEXT PRIMARY KEY, bin_step INTEGER, least_root TEXT, most_root TEXT) STRICT, WITHOUT ROWID;
`;

const TABLES = ['subject', 'chain_transaction', 'subject_transaction', 'fact', 'position', 'pool'];

/** From the empty file to the present version. */
export const INDEX_MIGRATIONS: readonly Migration[] = [
  (database) => database.exec(SCHEMA),
  // The first version stored deposits of rebalances without their transfer fees: everything is read again.
  (database) => {
    TABLES.forEach((table) => database.exec(`DROP TABLE IF EXISTS ${table}`));
    database.exec(SCHEMA);
  },
  // Earlier versions took a short page for the end of a list: the lists of owners are continued below. That of a position ends with its creation.
  (database) => {
    database.exec('ALTER TABLE subject ADD COLUMN is_to_end INTEGER NOT NULL DEFAULT 0');
    database.exec("UPDATE subject SET is_to_end = 1 WHERE kind <> 'owner' AND listed_at_ms IS NOT NULL");
  },
  // Finds the owners of earlier positions at addresses that were used again.
  (database) => database.exec("CREATE INDEX fact_closing ON fact (owner) WHERE kind = 'close'"),
];

/** States of a transaction in the index. */
export const STATE = { listed: 0, read: 1, failed: 2, unavailable: 3, unreadable: 4 } as const;
