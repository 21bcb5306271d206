import { createPublicKey, verify } from 'node:crypto';

/** What precedes the 32 bytes of an Ed25519 public key in its SubjectPublicKeyInfo (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Says whether `signature` (64 bytes) is the Ed25519 signature of `message` by the holder of `publicKey` (32 bytes).
 * Never throws: bytes that are no key or no signature verify nothing.
 */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
    return verify(null, message, key, signature);
  } catch {
    return false;
  }
}
