import type { Database as Sqlite } from 'node-sqlite3-wasm';
import { SCHEMA } from './schema';
import { StoreError } from './storeError';

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
