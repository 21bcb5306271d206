import { createPublicKey, verify } from 'node:crypto';

/** The bytes before the 32 bytes of an Ed25519 public key in its SubjectPublicKeyInfo (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

const POINT_BYTES = 32;
/** The highest bit of a point is the sign of x. */
const WITHOUT_SIGN = 0x7f;

/**
 * The y coordinates of the eight points of small order (a divisor of 8), without the sign of x: 1, -1, 0 and the two of order 8; then 0 and 1
 * in the non-canonical forms p and p + 1. A signature of such a key is valid for more than one message.
 */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '00'.repeat(32),
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
]);

/**
 * Returns whether `signature` (64 bytes) is the Ed25519 signature of `message` by `publicKey` (32 bytes).
 *
 * Validators verify with `verify_strict` of ed25519-dalek, which rejects keys and commitments (R) of small order. Node's OpenSSL and the
 * @noble/curves inside @solana/web3.js accept some of them: with such a co-signer, a signature that the review verified would fit another
 * message, or the network would reject it. So those points are rejected here, before OpenSSL verifies the rest.
 * Never throws: bytes that are not a key or a signature verify nothing.
 */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (isOfSmallOrder(publicKey) || isOfSmallOrder(signature.subarray(0, POINT_BYTES))) {
    return false;
  }
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
    return verify(null, message, key, signature);
  } catch {
    return false;
  }
}

function isOfSmallOrder(point: Uint8Array): boolean {
  const bytes = Buffer.from(point);
  const last = bytes[POINT_BYTES - 1];
  if (last !== undefined) {
    bytes[POINT_BYTES - 1] = last & WITHOUT_SIGN;
  }
  return SMALL_ORDER.has(bytes.toString('hex'));
}
