/** Why a text is not a key that can be used. The text itself never appears in a message. */
import * as l10n from '@vscode/l10n';
export type KeyErrorKind =
  | 'empty'
  | 'notAKey'
  | 'wrongLength'
  | 'mismatchedPublicKey'
  | 'seedPhrase'
  | 'looksLikeAddress'
  | 'badRecord'
  | 'newerRecord'
  | 'wrongPassphrase'
  | 'tooManyTries'
  | 'sealing'
  | 'storage';

const keyMessages = (): Readonly<Record<KeyErrorKind, string>> => ({
  empty: l10n.t('There is nothing to read. Paste the secret key of your wallet, or the content of its key file.'),
  notAKey: l10n.t(
    'This is not a secret key. Binsight takes the key as base58 text, as most wallets export it, or as the list of 64 numbers that a key file (id.json) holds.',
  ),
  wrongLength: l10n.t('This is not a whole secret key: it has the wrong length. A key has 64 bytes (about 88 characters, or 64 numbers).'),
  mismatchedPublicKey: l10n.t(
    'The two halves of this key do not belong together: it was damaged or put together wrongly. Export it again.',
  ),
  seedPhrase: l10n.t(
    'This looks like a recovery phrase. Binsight does not take one: it opens every account of the wallet, and which of them you mean is not certain. Export the secret key of the one account instead.',
  ),
  looksLikeAddress: l10n.t(
    'This looks like an address, which is public. What is needed is the secret key that belongs to it (about 88 characters).',
  ),
  badRecord: l10n.t(
    'The stored key of this wallet cannot be read any more. It was left as it is, and nothing was signed. Import the key again, from your own copy.',
  ),
  newerRecord: l10n.t(
    'The stored key of this wallet was written by a later version of Binsight. It was left as it is, and nothing was signed. Update Binsight.',
  ),
  wrongPassphrase: l10n.t('This is not the passphrase of this wallet.'),
  tooManyTries: l10n.t('Too many wrong passphrases in a row. Nothing was signed. Wait a minute, and try again.'),
  sealing: l10n.t(
    'VS Code could not encrypt or decrypt the key: it may be short of memory. What is stored was left as it is, and nothing was signed.',
  ),
  storage: l10n.t(
    "VS Code's secret storage did not do what it was asked for, so it is not certain what it keeps. Nothing was signed. See that the keyring of this machine is unlocked, and keep your own copy of the key at hand.",
  ),
});

/** The kinds that are about what is stored: their words say by themselves what was changed. */
const STORED_KINDS: ReadonlySet<KeyErrorKind> = new Set(['badRecord', 'newerRecord', 'tooManyTries', 'sealing', 'storage']);

/** A key that cannot be used. Where it was to be brought in, nothing was stored or changed. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
  /** @param cause never one that may quote the key. */
  constructor(
    readonly kind: KeyErrorKind,
    cause?: unknown,
  ) {
    super(keyMessages()[kind], cause === undefined ? undefined : { cause });
  }

  /** It is about a key that is stored already, not about one that is brought in. */
  get isAboutStored(): boolean {
    return STORED_KINDS.has(this.kind);
  }
}

/** Why nothing was signed. `locked`: the passphrase was asked for and not entered. */
export type SigningErrorKind = 'noKey' | 'otherKey' | 'refused' | 'unsupported' | 'locked';

/** Nothing was signed, and nothing can have been sent. */
export class SigningError extends Error {
  override readonly name = 'SigningError';
  constructor(
    readonly kind: SigningErrorKind,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
