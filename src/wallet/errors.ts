/** Why a text is not a key that can be used. The text itself never appears in a message. */
export type KeyErrorKind =
  | 'empty'
  | 'notAKey'
  | 'wrongLength'
  | 'mismatchedPublicKey'
  | 'seedPhrase'
  | 'looksLikeAddress'
  | 'badRecord';

const KEY_MESSAGES: Readonly<Record<KeyErrorKind, string>> = {
  empty: 'There is nothing to read. Paste the secret key of your wallet, or the content of its key file.',
  notAKey:
    'This is not a secret key. Binsight takes the key as base58 text, as most wallets export it, or as the list of 64 numbers that a key file (id.json) holds.',
  wrongLength: 'This is not a whole secret key: it has the wrong length. A key has 64 bytes (about 88 characters, or 64 numbers).',
  mismatchedPublicKey: 'The two halves of this key do not belong together: it was damaged or put together wrongly. Export it again.',
  seedPhrase:
    'This looks like a recovery phrase. Binsight does not take one: it opens every account of the wallet, and which of them you mean is not certain. Export the secret key of the one account instead.',
  looksLikeAddress: 'This looks like an address, which is public. What is needed is the secret key that belongs to it (about 88 characters).',
  badRecord: 'The stored key cannot be read any more. Nothing was signed. Import the key again.',
};

/** A key that cannot be used; nothing was stored or changed. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
  constructor(readonly kind: KeyErrorKind) {
    super(KEY_MESSAGES[kind]);
  }
}

/** Why nothing was signed. */
export type SigningErrorKind = 'noKey' | 'otherKey' | 'refused' | 'unsupported';

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
