import type { Address } from '../solana/address';

/** So many wrong passphrases in a row are mistakes of the fingers. */
const FREE_TRIES = 3;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;

/** Counts the wrong passphrases of each wallet in a row: from the third on, each doubles how long the next has to wait. */
export class WrongTries {
  readonly #tries = new Map<Address, { readonly count: number; readonly waitsUntilMs: number }>();

  /** @param nowMs milliseconds since 1970 */
  constructor(private readonly nowMs: () => number) {}

  /** How many milliseconds the next try has to wait; 0: none. */
  waitMs(address: Address): number {
    const left = (this.#tries.get(address)?.waitsUntilMs ?? 0) - this.nowMs();
    // A clock that was set back must not lock the user out for longer than the longest wait.
    return Math.min(Math.max(left, 0), LONGEST_WAIT_MS);
  }

  /** A passphrase was wrong. */
  wrong(address: Address): void {
    const count = (this.#tries.get(address)?.count ?? 0) + 1;
    const beyond = count - FREE_TRIES;
    const waitMs = beyond < 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** Math.min(beyond, 16), LONGEST_WAIT_MS);
    this.#tries.set(address, { count, waitsUntilMs: this.nowMs() + waitMs });
  }

  /** One was right: the count begins anew. */
  right(address: Address): void {
    this.#tries.delete(address);
  }
}
