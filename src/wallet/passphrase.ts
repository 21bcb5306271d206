import * as l10n from '@vscode/l10n';
import type { Address } from '../base/solana/address';

/**
 * Who gets hold of a protected record can try passphrases on machines of their own, for as long as they like: shorter ones are
 * found even though each try costs a part of a second.
 */
export const SHORTEST_PASSPHRASE = 12;
/** Longer ones are not a passphrase but a mistake of the clipboard. */
const LONGEST_PASSPHRASE = 256;
/** "aaaaaaaaaaaa" is as long as asked for, and no secret. */
const LEAST_DIFFERENT = 5;

/** Says what keeps a text from being a new passphrase, in words for the user; `undefined`: nothing does. The text is not quoted. */
export function problemOfNewPassphrase(text: string): string | undefined {
  const characters = Array.from(text.normalize('NFKC'));
  if (characters.length === 0) {
    return l10n.t('Type a passphrase.');
  }
  if (text.trim() !== text) {
    return l10n.t('It begins or ends with a space, which is easily lost when it is typed or pasted again.');
  }
  if (characters.length < SHORTEST_PASSPHRASE) {
    return l10n.t`At least ${SHORTEST_PASSPHRASE} characters (so far ${characters.length}): whoever gets hold of the stored key can try short ones by the million. Four or five random words are good, and easy to keep.`;
  }
  if (characters.length > LONGEST_PASSPHRASE) {
    return l10n.t`At most ${LONGEST_PASSPHRASE} characters.`;
  }
  if (new Set(characters).size < LEAST_DIFFERENT) {
    return l10n.t('It repeats the same few characters, and is quickly found. Four or five random words are good, and easy to keep.');
  }
  return undefined;
}

/**
 * Gives the bytes that a key is derived from. The same letters typed on another system, or composed in another way, give the same bytes
 * (Unicode NFKC). Who asked for them overwrites them.
 */
export function passphraseBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text.normalize('NFKC'));
}

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
