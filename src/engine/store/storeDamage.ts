import { existsSync, renameSync } from 'node:fs';
import * as z from 'zod';
import { errorText } from '../../base/thrown';
import { type Migration, SqliteStore, StoreError, StoreUseError } from './sqliteStore';

/** SQLite's messages about files that are not databases, are truncated, or have unexpected tables. A full disk is not among them. */
const DAMAGE =
  /not a database|malformed|corrupt|no such (table|column)|has no column|already exists|file is encrypted|unsupported file format/i;

/** Returns true if the error, or its cause, shows that the store is damaged. */
export function isDamage(error: unknown): boolean {
  if (error instanceof StoreError || error instanceof z.ZodError) {
    return !(error instanceof StoreUseError);
  }
  return error instanceof Error && (DAMAGE.test(error.message) || (error.cause !== undefined && isDamage(error.cause)));
}

/**
 * Renames the files of the store to a name with the date, so that a new store can be created. Nothing is deleted.
 * @returns the new name of the store; `undefined` if there is no store
 */
export function setStoreAside(file: string, now: Date): string | undefined {
  if (!existsSync(file)) {
    return undefined;
  }
  const stamp = now.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
  let aside = `${file}.${stamp}`;
  for (let number = 2; existsSync(aside); number += 1) {
    aside = `${file}.${stamp}-${number}`;
  }
  // The write-ahead log first: without it the old file is still a valid store, only an older one.
  for (const ending of ['-wal', '']) {
    if (existsSync(`${file}${ending}`)) {
      renameSync(`${file}${ending}`, `${aside}${ending}`);
    }
  }
  return aside;
}

/**
 * Opens a store that can be made again; one that can't be read is set aside for a new one.
 * @param file in a folder that no other process uses
 * @param loss what that means, for the log: a sentence without its period
 */
export function openOrBegin(file: string, migrations: readonly Migration[], loss: string, log: (line: string) => void): SqliteStore {
  try {
    return new SqliteStore(file, migrations);
  } catch (error) {
    if (!isDamage(error)) {
      throw error;
    }
    const aside = setStoreAside(file, new Date());
    log(`${loss}. The old file is now ${aside ?? file}: ${errorText(error)}`);
    return new SqliteStore(file, migrations);
  }
}
