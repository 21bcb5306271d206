import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '../../base/thrown';

/** The files that windows share. They are small, local and rarely used, and a turn must be taken in one step, so calls are synchronous. */
export interface RequestFiles {
  /** Appends a text in one piece, and creates the file and its folder if necessary. */
  append(path: string, text: string): void;
  /** Returns what follows `offset`; an `offset` past the end returns the whole file. `undefined`: there is no such file. */
  readFrom(path: string, offset: number): { readonly bytes: Buffer; readonly offset: number } | undefined;
  list(folder: string): readonly string[];
  remove(path: string): void;
}

/** What a window reads at most in one go. A larger file is not one that windows wrote. */
const LONGEST_FILE = 4 * 1024 * 1024;

/** The system's files. */
export const systemFiles: RequestFiles = {
  append: (path, text) => {
    try {
      appendFileSync(path, text, { mode: 0o600 });
    } catch (error) {
      if (!isMissing(error)) {
        throw error;
      }
      mkdirSync(dirname(path), { recursive: true });
      appendFileSync(path, text, { mode: 0o600 });
    }
  },
  readFrom: (path, offset) => {
    let file: number;
    try {
      file = openSync(path, 'r');
    } catch (error) {
      if (isMissing(error)) {
        return undefined;
      }
      throw error;
    }
    try {
      const { size } = fstatSync(file);
      const start = size < offset ? 0 : offset;
      if (size - start > LONGEST_FILE) {
        throw new RangeError(`${path} has ${size} bytes, which is more than windows write.`);
      }
      const bytes = Buffer.alloc(size - start);
      const read = readSync(file, bytes, 0, bytes.length, start);
      return { bytes: bytes.subarray(0, read), offset: start };
    } finally {
      closeSync(file);
    }
  },
  list: (folder) => readdirSync(folder),
  remove: (path) => rmSync(path, { force: true }),
};

function isMissing(error: unknown): boolean {
  return systemCode(error) === 'ENOENT';
}
