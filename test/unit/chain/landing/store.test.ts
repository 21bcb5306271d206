import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { address } from '../../../../src/base/solana/address';
import { LandingStore } from '../../../../src/chain/landing/store';
import { temporaryFolder } from '../../../support/sandbox/process';

const OWNER = address('BUrwCyYfPqeBbqQHH5cJnz8bDCeBgqEsVzPBDsW8EPEX');

/** As version 1 wrote it. */
const VERSION_1 = `
CREATE TABLE operation (
  number INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('decrease', 'add')), owner TEXT NOT NULL,
  last_valid_block_height INTEGER NOT NULL, issued_at INTEGER NOT NULL
) STRICT;
CREATE INDEX operation_issued_at ON operation (issued_at);
CREATE TABLE issued_message (
  operation INTEGER NOT NULL, variant TEXT NOT NULL CHECK (variant IN ('plain', 'tipped')), place INTEGER NOT NULL,
  group_number INTEGER NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (operation, variant, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX issued_message_hash ON issued_message (hash);
CREATE TABLE landing (operation INTEGER PRIMARY KEY, variant TEXT NOT NULL, began_slot INTEGER NOT NULL, outcome TEXT) STRICT;
CREATE TABLE landing_transaction (
  operation INTEGER NOT NULL, place INTEGER NOT NULL, group_number INTEGER NOT NULL, signature TEXT NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (operation, place)
) STRICT, WITHOUT ROWID;
INSERT INTO operation VALUES (7, 'decrease', '${OWNER}', 1000, 1);
INSERT INTO landing VALUES (7, 'plain', 500, NULL);
INSERT INTO landing_transaction VALUES (7, 0, 0, 'signature', x'0102');
PRAGMA user_version = 1;
`;

describe('The store of landings', () => {
  it('One that an older version wrote keeps its open landings, and takes claims and swaps', () => {
    const folder = temporaryFolder();
    try {
      const older = new sqlite.Database(join(folder, 'landing.sqlite'));
      older.exec(VERSION_1);
      older.close();
      const store = new LandingStore(folder);
      const [open] = store.openLandings();
      assert.deepEqual([open?.operation.kind, open?.transactions[0]?.signature], ['decrease', 'signature']);
      store.issue(
        { kind: 'claim', owner: OWNER, lastValidBlockHeight: 2_000 },
        { plain: [{ hash: 'hash', groupNumber: 0 }], tipped: [] },
        2,
      );
      const [place] = store.placesOf('hash');
      assert.deepEqual([place?.operation, store.operation(8)?.kind], [8, 'claim']);
      store.issue(
        { kind: 'swap', owner: OWNER, lastValidBlockHeight: 2_000 },
        { plain: [{ hash: 'swap', groupNumber: 0 }], tipped: [] },
        3,
      );
      assert.equal(store.operation(9)?.kind, 'swap');
      store.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
