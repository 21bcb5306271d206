import * as l10n from '@vscode/l10n';
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import bs58 from 'bs58';
import { type Address, addressFromBytes } from '../base/solana/address';
import { KeyError, SigningError } from './errors';

/** The bytes before the 32-byte seed in PKCS #8 form (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_KEY_BYTES = 32;

/**
 * Derives the public key (32 bytes) of a seed (32 bytes).
 * @throws SigningError `unsupported` if this Node has no Ed25519.
 */
export function publicKeyOf(seed: Uint8Array): Uint8Array {
  return withPrivateKey(seed, (key) => {
    const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
    return new Uint8Array(spki.subarray(spki.length - PUBLIC_KEY_BYTES));
  });
}

/**
 * Signs a message with Ed25519 (64 bytes).
 * @throws SigningError `unsupported` if this Node has no Ed25519.
 */
export function signWithSeed(seed: Uint8Array, message: Uint8Array): Uint8Array {
  return withPrivateKey(seed, (key) => new Uint8Array(sign(null, message, key)));
}

/** Overwrites the intermediate bytes; OpenSSL clears its own copy when the key object is garbage-collected. */
function withPrivateKey<T>(seed: Uint8Array, use: (key: KeyObject) => T): T {
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  try {
    return use(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  } catch {
    // Drop the cause: it may describe the key.
    throw new SigningError(
      'unsupported',
      l10n.t('This version of VS Code does not support Ed25519 signatures. Nothing was signed. Update VS Code.'),
    );
  } finally {
    der.fill(0);
  }
}

/** A wallet key in memory. Its holder overwrites the seed with {@link wipe} as soon as the key is stored or used. */
export interface SecretKeyMaterial {
  readonly address: Address;
  /** The secret, 32 bytes. */
  readonly seed: Uint8Array;
}

/** Length of an Ed25519 seed in bytes. */
export const SEED_BYTES = 32;
/** Seed followed by public key, as wallets export them. */
const SECRET_KEY_BYTES = 64;
const SEED_PHRASE = /^\p{L}+(?:\s+\p{L}+){11,23}$/u;

/**
 * Reads a secret key in the formats of wallets and tools: base58 of 64 bytes, or a JSON list of 64 numbers as in `id.json`. A list of
 * 32 numbers is read as a seed. Surrounding white space is ignored.
 * @throws KeyError with a message for the user, which never contains a part of the text.
 */
export function readSecretKey(text: string): SecretKeyMaterial {
  const trimmed = text.trim();
  if (trimmed === '') {
    throw new KeyError('empty');
  }
  if (SEED_PHRASE.test(trimmed)) {
    throw new KeyError('seedPhrase');
  }
  const isList = trimmed.startsWith('[');
  const bytes = isList ? bytesOfList(trimmed) : bytesOfBase58(trimmed);
  try {
    return keyFromBytes(bytes, isList);
  } finally {
    bytes.fill(0);
  }
}

/** Generates a random key. */
export function generateKey(): SecretKeyMaterial {
  const seed = new Uint8Array(randomBytes(SEED_BYTES));
  return { seed, address: addressFromBytes(publicKeyOf(seed)) };
}

/** Returns the key of a seed. The seed is copied. */
export function keyFromSeed(seed: Uint8Array): SecretKeyMaterial {
  return { seed: seed.slice(), address: addressFromBytes(publicKeyOf(seed)) };
}

/** Overwrites the seed with zeros. */
export function wipe(material: SecretKeyMaterial): void {
  material.seed.fill(0);
}

function keyFromBytes(bytes: Uint8Array, isList: boolean): SecretKeyMaterial {
  if (bytes.length === SEED_BYTES) {
    if (!isList) {
      // 32 bytes in base58 could be a seed, but in practice they are an address that was pasted by mistake.
      throw new KeyError('looksLikeAddress');
    }
    return keyFromSeed(bytes);
  }
  if (bytes.length !== SECRET_KEY_BYTES) {
    throw new KeyError('wrongLength');
  }
  const material = keyFromSeed(bytes.subarray(0, SEED_BYTES));
  if (addressFromBytes(bytes.subarray(SEED_BYTES)) !== material.address) {
    wipe(material);
    throw new KeyError('mismatchedPublicKey');
  }
  return material;
}

function bytesOfBase58(text: string): Uint8Array {
  const bytes = bs58.decodeUnsafe(text);
  if (bytes === undefined) {
    throw new KeyError('notAKey');
  }
  return bytes;
}

function bytesOfList(text: string): Uint8Array {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    // Drop the parser's error: it quotes the text.
    throw new KeyError('notAKey');
  }
  if (!Array.isArray(list) || !list.every(isByte)) {
    throw new KeyError('notAKey');
  }
  const bytes = Uint8Array.from(list);
  list.fill(0);
  return bytes;
}

function isByte(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;
}
