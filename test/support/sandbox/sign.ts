import { Buffer } from 'node:buffer';
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import bs58 from 'bs58';
import { addressFromBytes } from '../../../src/base/solana/address';
import { messageOf, parseTransaction } from '../../../src/base/solana/wireTransaction';

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
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
  const wire = parseTransaction(new Uint8Array(bytes));
  const slot = wire.staticKeys.slice(0, wire.requiredSignatures).indexOf(addressFromBytes(publicKey));
  if (slot < 0) {
    throw new Error('The transaction does not ask for this signature');
  }
  sign(null, messageOf(bytes, wire), key).copy(bytes, wire.signaturesOffset + slot * SIGNATURE_BYTES);
  return bytes.toString('base64');
}
