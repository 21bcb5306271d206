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
  notAKey: notAKey(),
  empty: notAKey(),
  wrongLength: notAKey(),
  mismatchedPublicKey: l10n.t('This key is damaged: its two halves do not belong together. Export it again.'),
  seedPhrase: l10n.t('This looks like a recovery phrase, which opens every account. Enter the secret key of one account instead.'),
  looksLikeAddress: l10n.t('This looks like a public address. Enter its secret key.'),
  badRecord: unusableText(),
  newerRecord: l10n.t('The stored key of this wallet is from a newer Binsight. Nothing was signed. Update Binsight.'),
  wrongPassphrase: l10n.t('Wrong passphrase.'),
  tooManyTries: l10n.t('Too many wrong passphrases. Nothing was signed. Wait a minute, then try again.'),
  sealing: l10n.t('VS Code could not encrypt or decrypt the key. The stored key is unchanged. Nothing was signed.'),
  storage: l10n.t(
    "VS Code's secret storage failed, and what it holds now is uncertain. Nothing was signed. Unlock the keyring of this machine, then try again.",
  ),
});

const notAKey = (): string => l10n.t('Not a secret key: it has about 88 characters, or 64 numbers as in id.json.');

/** The stored key is damaged, or of another wallet. */
export function unusableText(): string {
  return l10n.t('The stored key of this wallet cannot be used. Nothing was signed. Import the key again from your backup.');
}

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
