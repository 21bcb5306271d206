import type { ParseWarning } from '../records/money';

/** More than this many of one answer tell nothing new. */
const MOST_KEPT = 100;

/** Collects what is odd about one answer of the service. */
export class ParseWarnings {
  readonly #kept: ParseWarning[] = [];
  readonly #redact: (text: string) => string;
  #dropped = 0;

  /** @param redact takes secrets out of what is quoted from the answer */
  constructor(redact: (text: string) => string = (text) => text) {
    this.#redact = redact;
  }

  /** Notes one; `path` says where in the answer: "data[3].pnl". */
  add(path: string, message: string): void {
    if (this.#kept.length < MOST_KEPT) {
      this.#kept.push({ path, message: this.#redact(message) });
    } else {
      this.#dropped += 1;
    }
  }

  /** Everything noted so far; where it was too much, the last entry says how much was left out. */
  all(): readonly ParseWarning[] {
    return this.#dropped === 0 ? [...this.#kept] : [...this.#kept, { path: '', message: `and ${this.#dropped} more of the kind` }];
  }
}
