import { existsSync, renameSync } from 'node:fs';
import * as z from 'zod';
import { StoreError, StoreUseError } from './database';

/** The store cannot be read: it is damaged, or of a version that this one does not know. The world in it is lost to this version; its file is not. */
export class DamagedStoreError extends StoreError {
  /** @param file of the store */
  constructor(file: string, cause: unknown) {
    super(`the store ${file} cannot be read (${reasonOf(cause)}). Only pretend money is in it. ${RESET_ADVICE}`, { cause });
  }
}

/** What is answered while the store cannot be read. How it begins is what the editor knows the failure by (src/ui/shell/commands/errorMessage.ts). */
export function damagedAnswer(cause: unknown): string {
  return `The store of the sandbox cannot be read. Reset its world to make a new one; only pretend money is lost, and the old file is kept (${reasonOf(cause)}).`;
}

/** How the message ends; programs that start the sandbox know the failure by it. */
export const RESET_ADVICE = 'Start with --reset to make a new world; the old file is kept.';

/** What SQLite says of a file that is not one of its own, or not a whole one, or has other tables than it should. Full disks are none of these. */
const DAMAGE =
  /not a database|malformed|corrupt|no such (table|column)|has no column|already exists|file is encrypted|unsupported file format/i;

/** Whether an error shows that the store is damaged. */
export function isDamage(error: unknown): boolean {
  if (error instanceof StoreError || error instanceof z.ZodError) {
    return !(error instanceof StoreUseError);
  }
  return error instanceof Error && (DAMAGE.test(error.message) || (error.cause !== undefined && isDamage(error.cause)));
}

/**
 * Gives the store's files another name, with the date in it, so that a new one can be made. Nothing is deleted.
 * @returns the new name of the store; `undefined` where there is none
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
  // The log of what is not in the file yet first: without it the old file is still a store, only an older one.
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
