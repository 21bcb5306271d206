import { Buffer } from 'node:buffer';
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import bs58 from 'bs58';

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const VERSION_BIT = 0x80;
/** What stands before an ed25519 seed in PKCS 8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs base64 transactions with a secret key (base58 of 64 bytes), each in its owner's slot; other signatures stay. */
export function signAll(transactions: readonly string[], secretKey: string): string[] {
  return transactions.map((transaction) => signOne(transaction, secretKey));
}

function signOne(transaction: string, secretKey: string): string {
  const bytes = Buffer.from(transaction, 'base64');
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, bs58.decode(secretKey).subarray(0, KEY_BYTES)]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
  // Fewer than 128 signatures and keys: every length is one byte.
  const slots = bytes.readUInt8(0);
  const message = bytes.subarray(1 + slots * SIGNATURE_BYTES);
  const firstKey = (message.readUInt8(0) >= VERSION_BIT ? 1 : 0) + 3 + 1;
  const slot = Array.from({ length: slots }, (_, index) =>
    message.subarray(firstKey + index * KEY_BYTES, firstKey + (index + 1) * KEY_BYTES),
  ).findIndex((signer) => signer.equals(publicKey));
  if (slot < 0) {
    throw new Error('The transaction does not ask for this signature');
  }
  sign(null, message, key).copy(bytes, 1 + slot * SIGNATURE_BYTES);
  return bytes.toString('base64');
}
