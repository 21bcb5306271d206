import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { SigningError } from './errors';

/** What precedes the 32 bytes of a seed in its PKCS #8 form (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_KEY_BYTES = 32;

/**
 * Gives the public key (32 bytes) of a seed (32 bytes).
 * @throws SigningError where this Node has no Ed25519.
 */
export function publicKeyOf(seed: Uint8Array): Uint8Array {
  return withPrivateKey(seed, (key) => {
    const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
    return new Uint8Array(spki.subarray(spki.length - PUBLIC_KEY_BYTES));
  });
}

/**
 * Gives the signature (64 bytes) of a message.
 * @throws SigningError where this Node has no Ed25519.
 */
export function signWithSeed(seed: Uint8Array, message: Uint8Array): Uint8Array {
  return withPrivateKey(seed, (key) => new Uint8Array(sign(null, message, key)));
}

/** The bytes in between are overwritten; OpenSSL clears its own when the key object is collected. */
function withPrivateKey<T>(seed: Uint8Array, use: (key: KeyObject) => T): T {
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  try {
    return use(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  } catch {
    // The cause is left out: it may describe the key.
    throw new SigningError('unsupported', 'This version of VS Code cannot make Ed25519 signatures. Nothing was signed; update VS Code.');
  } finally {
    der.fill(0);
  }
}
