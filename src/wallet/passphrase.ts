import * as l10n from '@vscode/l10n';
import type { Address } from '../base/solana/address';

/**
 * Characters (code points after NFKC). An attacker who has copied a protected record can try passphrases offline without a limit: shorter
 * ones are found although each try takes a fraction of a second.
 */
export const SHORTEST_PASSPHRASE = 12;
/** Longer texts are most likely pasted by mistake. */
const LONGEST_PASSPHRASE = 256;
/** Minimum number of distinct characters: "aaaaaaaaaaaa" is long enough but no secret. */
const LEAST_DIFFERENT = 5;

/** Validates a new passphrase. Returns a message for the user, which never quotes the text, or `undefined` if the passphrase is valid. */
export function problemOfNewPassphrase(text: string): string | undefined {
  const characters = Array.from(text.normalize('NFKC'));
  if (characters.length === 0) {
    return l10n.t('Enter a passphrase.');
  }
  if (text.trim() !== text) {
    return l10n.t('A passphrase cannot start or end with a space.');
  }
  if (characters.length < SHORTEST_PASSPHRASE) {
    return l10n.t`At least ${SHORTEST_PASSPHRASE} characters (now ${characters.length}).`;
  }
  if (characters.length > LONGEST_PASSPHRASE) {
    return l10n.t`At most ${LONGEST_PASSPHRASE} characters.`;
  }
  if (new Set(characters).size < LEAST_DIFFERENT) {
    return l10n.t('It is easy to guess.');
  }
  return undefined;
}

/**
 * Returns the bytes that a key is derived from, which the caller overwrites. NFKC normalization gives the same bytes for the same letters
 * on every system and however they are composed.
 */
export function passphraseBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text.normalize('NFKC'));
}

/** Failed attempts before throttling starts. */
const FREE_TRIES = 3;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;

/** Counts consecutive wrong passphrases per wallet. From the third on there is a wait before the next try, which doubles each time. */
export class WrongTries {
  readonly #tries = new Map<Address, { readonly count: number; readonly waitsUntilMs: number }>();

  readonly #nowMs: () => number;

  /** @param nowMs milliseconds since 1970 */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Milliseconds until the next try is allowed; 0: now. */
  waitMs(address: Address): number {
    const left = (this.#tries.get(address)?.waitsUntilMs ?? 0) - this.#nowMs();
    // A clock that was set back must not lock the user out for longer than the maximum wait.
    return Math.min(Math.max(left, 0), LONGEST_WAIT_MS);
  }

  /** Records a wrong passphrase. */
  wrong(address: Address): void {
    const count = (this.#tries.get(address)?.count ?? 0) + 1;
    const beyond = count - FREE_TRIES;
    const waitMs = beyond < 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** Math.min(beyond, 16), LONGEST_WAIT_MS);
    this.#tries.set(address, { count, waitsUntilMs: this.#nowMs() + waitMs });
  }

  /** Records a right passphrase, which resets the count. */
  right(address: Address): void {
    this.#tries.delete(address);
  }
}
