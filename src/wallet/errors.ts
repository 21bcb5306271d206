import * as l10n from '@vscode/l10n';

/** Why a text or a stored record is not a usable key. Messages never contain the text itself. */
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
  empty: l10n.t('No key found. Enter the secret key of your wallet, or the content of its key file.'),
  notAKey: l10n.t(
    'This is not a secret key. Enter the key as base58 text, as most wallets export it, or as the list of 64 numbers in a key file (id.json).',
  ),
  wrongLength: l10n.t('This secret key has the wrong length. A key has 64 bytes (about 88 characters, or 64 numbers).'),
  mismatchedPublicKey: l10n.t('This key is damaged: its two halves do not belong together. Export it again.'),
  seedPhrase: l10n.t(
    'This looks like a recovery phrase. Binsight does not accept one: it opens every account of the wallet. Export the secret key of a single account instead.',
  ),
  looksLikeAddress: l10n.t('This looks like an address, which is public. Enter the secret key of that address (about 88 characters).'),
  badRecord: l10n.t(
    'The stored key of this wallet cannot be read. It was left unchanged, and nothing was signed. Import the key again from your backup.',
  ),
  newerRecord: l10n.t(
    'The stored key of this wallet was written by a newer version of Binsight. It was left unchanged, and nothing was signed. Update Binsight.',
  ),
  wrongPassphrase: l10n.t('Wrong passphrase.'),
  tooManyTries: l10n.t('Too many wrong passphrases. Nothing was signed. Wait a minute, then try again.'),
  sealing: l10n.t(
    'VS Code could not encrypt or decrypt the key. It may be short of memory. The stored key was left unchanged, and nothing was signed.',
  ),
  storage: l10n.t(
    "VS Code's secret storage failed, and it is not certain what it holds now. Nothing was signed. Make sure that the keyring of this machine is unlocked, and keep your backup of the key at hand.",
  ),
});

/** Kinds about a stored key, whose messages say by themselves that nothing was changed. */
const STORED_KINDS: ReadonlySet<KeyErrorKind> = new Set(['badRecord', 'newerRecord', 'tooManyTries', 'sealing', 'storage']);

/** A key that cannot be used. If it was to be imported, nothing was stored or changed. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
  /** @param cause must not quote the key */
  constructor(
    readonly kind: KeyErrorKind,
    cause?: unknown,
  ) {
    super(keyMessages()[kind], cause === undefined ? undefined : { cause });
  }

  /** True for errors about a key that is already stored, false for errors about a key to be imported. */
  get isAboutStored(): boolean {
    return STORED_KINDS.has(this.kind);
  }
}

/** Why nothing was signed. `locked`: the user did not enter the passphrase. */
export type SigningErrorKind = 'noKey' | 'otherKey' | 'refused' | 'unsupported' | 'locked';

/** Nothing was signed, so nothing can have been sent. */
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
