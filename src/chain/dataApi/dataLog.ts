import type { PoolProgram } from '../index/types';
import type { DataApiError } from './types';

/** The programs as messages name them. */
export const PROGRAM_NAMES: Readonly<Record<PoolProgram, string>> = { dlmm: 'DLMM', damm: 'DAMM v2' };

/** Logs failures of the data API: the same message once, until an answer comes. */
export class DataLog {
  readonly #log: (line: string) => void;
  #last: string | undefined;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  /** @param consequence what is missing now */
  failed({ message }: DataApiError, consequence: string): void {
    if (this.#last !== message) {
      this.#last = message;
      this.#log(`${message}: ${consequence}.`);
    }
  }

  /** An answer came. */
  succeeded(): void {
    this.#last = undefined;
  }
}
