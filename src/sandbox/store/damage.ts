import { existsSync, renameSync } from 'node:fs';
import * as z from 'zod';
import { StoreError, StoreUseError } from '../../server/store/sqliteStore';

/** The store can't be read: it is damaged, or a newer version wrote it. The file is kept, but this version can't open its world. */
export class DamagedStoreError extends StoreError {
  /** @param file of the store */
  constructor(file: string, cause: unknown) {
    super(`the store ${file} cannot be read (${reasonOf(cause)}). Only pretend money is in it. ${RESET_ADVICE}`, { cause });
  }
}

/** The message of every answer while the store can't be read. The editor recognizes the failure by its beginning (src/ui/shell/commands/errorMessage.ts). */
export function damagedAnswer(cause: unknown): string {
  return `The store of the sandbox cannot be read. Reset its world to make a new one; only pretend money is lost, and the old file is kept (${reasonOf(cause)}).`;
}

/** The end of the message; programs that start the sandbox recognize the failure by it. */
const RESET_ADVICE = 'Start with --reset to make a new world; the old file is kept.';

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

function reasonOf(cause: unknown): string {
  const text = cause instanceof z.ZodError ? 'its rows have another form' : cause instanceof Error ? cause.message : String(cause);
  return (text.split('\n', 1)[0] ?? '').slice(0, 200);
}
