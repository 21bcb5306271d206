import type { DataApiError } from './types';

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
