import type { DataApiError } from './types';

/** Tells the log that the data API does not answer: each reason once, until it changes. */
export class DataLog {
  readonly #log: (line: string) => void;
  #last: string | undefined;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  /** @param consequence what is missing now */
  tell({ message }: DataApiError, consequence: string): void {
    if (this.#last !== message) {
      this.#last = message;
      this.#log(`${message}: ${consequence}.`);
    }
  }

  /** It answers again. */
  answered(): void {
    this.#last = undefined;
  }
}
