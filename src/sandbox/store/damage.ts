import * as z from 'zod';
import { errorText } from '../../base/thrown';
import { StoreError } from '../../engine/store/sqliteStore';

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

function reasonOf(cause: unknown): string {
  const text = cause instanceof z.ZodError ? 'its rows have another form' : errorText(cause);
  return (text.split('\n', 1)[0] ?? '').slice(0, 200);
}
