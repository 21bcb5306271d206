import { Buffer } from 'node:buffer';
import bs58 from 'bs58';
import { MAX_TRANSACTION_BYTES } from '../../base/solana/programs';
import { parseTransaction, WireError, type WireTransaction } from '../../base/solana/wireTransaction';
import { invalidParams } from './errors';

/** Longest texts of a transaction of 1,232 bytes (agave: `MAX_BASE58_SIZE`, `MAX_BASE64_SIZE`). */
const MOST_TEXT = { base58: 1_683, base64: 1_644 } as const;

const SIGNATURE_BYTES = 64;
const VERSION_BIT = 0x80;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Reads a transaction as it was given. @throws RpcError in the words of a node. */
export function readTransaction(
  text: string,
  encoding: 'base58' | 'base64',
): { readonly bytes: Uint8Array; readonly wire: WireTransaction } {
  const bytes = decode(text, encoding);
  return { bytes, wire: parsed(bytes, 'solana_transaction::versioned::VersionedTransaction') };
}

/** Reads a message, base64, as a transaction that nobody has signed. @throws RpcError in the words of a node. */
export function readMessage(text: string): WireTransaction {
  const message = decode(text, 'base64');
  const [first = 0, second = 0] = message;
  const signatures = first >= VERSION_BIT ? second : first;
  if (signatures >= VERSION_BIT || signatures * SIGNATURE_BYTES > MAX_TRANSACTION_BYTES) {
    throw invalidParams('failed to deserialize solana_message::versioned::VersionedMessage: more signatures than a transaction can hold');
  }
  return parsed(
    Buffer.concat([Uint8Array.of(signatures), new Uint8Array(signatures * SIGNATURE_BYTES), message]),
    'solana_message::versioned::VersionedMessage',
  );
}

function decode(text: string, encoding: 'base58' | 'base64'): Uint8Array {
  const most = MOST_TEXT[encoding];
  if (text.length > most) {
    throw invalidParams(`${encoding} encoded too large: ${text.length} bytes (max: encoded/raw ${most}/${MAX_TRANSACTION_BYTES})`);
  }
  const bytes =
    encoding === 'base58' ? bs58.decodeUnsafe(text) : BASE64.test(text) ? new Uint8Array(Buffer.from(text, 'base64')) : undefined;
  if (bytes === undefined) {
    throw invalidParams(`invalid ${encoding} encoding`);
  }
  return bytes;
}

function parsed(bytes: Uint8Array, type: string): WireTransaction {
  try {
    return parseTransaction(bytes);
  } catch (error) {
    if (error instanceof WireError) {
      throw invalidParams(`failed to deserialize ${type}: ${error.message}`);
    }
    throw error;
  }
}
