import * as l10n from '@vscode/l10n';
import bs58 from 'bs58';
import { type Address, addressFromBytes } from './address';
import { MAX_TRANSACTION_BYTES } from './programs';

/** An instruction as encoded in the message, with indexes into the account keys. */
export interface WireInstruction {
  readonly programIdIndex: number;
  readonly accountIndexes: readonly number[];
  readonly data: Uint8Array;
}

/** Accounts that a v0 message takes from a lookup table. */
export interface WireTableLookup {
  readonly table: Address;
  readonly writableIndexes: readonly number[];
  readonly readonlyIndexes: readonly number[];
}

/** A transaction, read strictly from its wire bytes. */
export interface WireTransaction {
  readonly version: 'legacy' | 0;
  /** One slot of 64 bytes for each required signer, in the order of the first static keys; all zero if not signed yet. */
  readonly signatures: readonly Uint8Array[];
  /** Offset of the first signature slot. */
  readonly signaturesOffset: number;
  /** Offset of the message, which extends to the end of the bytes. */
  readonly messageOffset: number;
  readonly requiredSignatures: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
  readonly staticKeys: readonly Address[];
  /** Base58. */
  readonly recentBlockhash: string;
  readonly instructions: readonly WireInstruction[];
  readonly tableLookups: readonly WireTableLookup[];
}

/** Wire bytes are not a transaction. `rule` is the id of the review's rule (DEC-2 to DEC-6, PRG-1, ALT-1); the message is for the user, without a period. */
export class WireError extends Error {
  override readonly name = 'WireError';
  constructor(
    readonly rule: string,
    message: string,
  ) {
    super(message);
  }
}

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const VERSION_BIT = 0x80;
/** Account indexes are single bytes. */
const MAX_ACCOUNTS = 256;

/**
 * Reads a legacy or v0 transaction.
 *
 * Written by hand, because the review must see exactly what the network executes. `VersionedTransaction.deserialize` of @solana/web3.js 1.98 accepts
 * bytes after the message, lengths with padding, indexes beyond the accounts and accounts that are listed twice. This reader accepts a
 * transaction only in its one canonical encoding, and only if it is consistent. The review also compares the result with web3.js, and
 * blocks if the two differ (DEC-4). Layout: Solana documentation, "Transaction format".
 * @throws WireError if the bytes are too long, truncated, not canonical or not consistent
 */
export function parseTransaction(bytes: Uint8Array): WireTransaction {
  if (bytes.length === 0) {
    throw new WireError('DEC-2', l10n.t('The transaction is empty'));
  }
  if (bytes.length > MAX_TRANSACTION_BYTES) {
    throw new WireError('DEC-3', l10n.t`The transaction has ${bytes.length} bytes; the network takes at most ${MAX_TRANSACTION_BYTES}`);
  }
  const reader = new Reader(bytes);
  if (reader.peek() >= VERSION_BIT) {
    throw new WireError('DEC-5', l10n.t('The transaction has a format newer than v0, which Binsight does not read'));
  }

  const signatureCount = reader.length();
  const signaturesOffset = reader.offset;
  const signatures = reader.times(signatureCount, () => reader.take(SIGNATURE_BYTES));
  const messageOffset = reader.offset;

  const version = readVersion(reader);
  const requiredSignatures = reader.byte();
  const readonlySigned = reader.byte();
  const readonlyUnsigned = reader.byte();
  const staticKeys = reader.times(reader.length(), () => addressFromBytes(reader.take(KEY_BYTES)));
  const recentBlockhash = bs58.encode(reader.take(KEY_BYTES));
  const instructions = reader.times(reader.length(), () => ({
    programIdIndex: reader.byte(),
    accountIndexes: [...reader.take(reader.length())],
    data: reader.take(reader.length()),
  }));
  const tableLookups = version === 0 ? reader.times(reader.length(), () => readLookup(reader)) : [];
  if (reader.offset !== bytes.length) {
    throw new WireError('DEC-4', l10n.t`${bytes.length - reader.offset} bytes follow the end of the message`);
  }

  const transaction: WireTransaction = {
    version,
    signatures,
    signaturesOffset,
    messageOffset,
    requiredSignatures,
    readonlySigned,
    readonlyUnsigned,
    staticKeys,
    recentBlockhash,
    instructions,
    tableLookups,
  };
  assertConsistent(transaction);
  return transaction;
}

/** Returns whether a signature slot is still empty (64 zero bytes). */
export function isEmptySignature(signature: Uint8Array): boolean {
  return signature.every((byte) => byte === 0);
}

/** Returns whether the transaction may write the account at `index` of the static keys. */
export function isWritable(transaction: WireTransaction, index: number): boolean {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, staticKeys } = transaction;
  return index < requiredSignatures ? index < requiredSignatures - readonlySigned : index < staticKeys.length - readonlyUnsigned;
}

function readVersion(reader: Reader): 'legacy' | 0 {
  if (reader.peek() < VERSION_BIT) {
    return 'legacy';
  }
  const version = reader.byte() & ~VERSION_BIT;
  if (version !== 0) {
    throw new WireError('DEC-5', l10n.t`The message has version ${version}; Binsight reads legacy and v0 messages`);
  }
  return 0;
}

function readLookup(reader: Reader): WireTableLookup {
  return {
    table: addressFromBytes(reader.take(KEY_BYTES)),
    writableIndexes: [...reader.take(reader.length())],
    readonlyIndexes: [...reader.take(reader.length())],
  };
}

function assertConsistent(transaction: WireTransaction): void {
  const { signatures, requiredSignatures, readonlySigned, readonlyUnsigned, staticKeys, tableLookups } = transaction;
  const inconsistent = (message: string): WireError => new WireError('DEC-6', message);
  if (signatures.length !== requiredSignatures) {
    throw inconsistent(l10n.t`${signatures.length} signature slots for ${requiredSignatures} required signers`);
  }
  if (requiredSignatures < 1 || requiredSignatures > staticKeys.length) {
    throw inconsistent(l10n.t`${requiredSignatures} required signers among ${staticKeys.length} accounts`);
  }
  if (readonlySigned >= requiredSignatures) {
    throw inconsistent(l10n.t('The fee payer is read-only'));
  }
  if (requiredSignatures + readonlyUnsigned > staticKeys.length) {
    throw inconsistent(l10n.t('More read-only accounts than accounts'));
  }
  if (new Set(staticKeys).size !== staticKeys.length) {
    throw inconsistent(l10n.t('An account is listed twice'));
  }

  if (tableLookups.some((lookup) => lookup.writableIndexes.length + lookup.readonlyIndexes.length === 0)) {
    throw inconsistent(l10n.t('A lookup table is named, but nothing is taken from it'));
  }
  const loaded = tableLookups.reduce((sum, lookup) => sum + lookup.writableIndexes.length + lookup.readonlyIndexes.length, 0);
  const accountCount = staticKeys.length + loaded;
  if (accountCount > MAX_ACCOUNTS) {
    throw inconsistent(l10n.t`${accountCount} accounts; an instruction can name only ${MAX_ACCOUNTS}`);
  }
  for (const instruction of transaction.instructions) {
    if (instruction.programIdIndex === 0) {
      throw new WireError('PRG-1', l10n.t('An instruction calls the fee payer as a program'));
    }
    if (instruction.programIdIndex >= staticKeys.length) {
      throw new WireError('ALT-1', l10n.t('An instruction calls a program that only a lookup table names'));
    }
    if (instruction.accountIndexes.some((index) => index >= accountCount)) {
      throw inconsistent(l10n.t('An instruction names an account that is not listed'));
    }
  }
}

/** Reads bytes in order, and never beyond their end. */
class Reader {
  offset = 0;

  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  peek(): number {
    const byte = this.#bytes[this.offset];
    if (byte === undefined) {
      throw new WireError('DEC-2', l10n.t('The transaction is cut short'));
    }
    return byte;
  }

  byte(): number {
    const byte = this.peek();
    this.offset += 1;
    return byte;
  }

  take(count: number): Uint8Array {
    if (this.offset + count > this.#bytes.length) {
      throw new WireError('DEC-2', l10n.t('The transaction is cut short'));
    }
    const taken = this.#bytes.slice(this.offset, this.offset + count);
    this.offset += count;
    return taken;
  }

  /** Reads a "compact-u16" length: at most three bytes, seven bits each, no padding (DEC-4). */
  length(): number {
    let value = 0;
    for (let position = 0; position < 3; position += 1) {
      const byte = this.byte();
      value |= (byte & 0x7f) << (7 * position);
      if (byte < VERSION_BIT) {
        if (byte === 0 && position > 0) {
          throw new WireError('DEC-4', l10n.t('A length is written with more bytes than it needs'));
        }
        if (value > 0xffff) {
          break;
        }
        return value;
      }
    }
    throw new WireError('DEC-4', l10n.t('A length is out of bounds'));
  }

  times<T>(count: number, read: () => T): T[] {
    return Array.from({ length: count }, read);
  }
}

declare const base64TransactionBrand: unique symbol;

/** Wire bytes of a transaction as canonical base64 text. It says nothing about what the transaction does: the review does. */
export type Base64Transaction = string & { readonly [base64TransactionBrand]: true };

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Returns `text` as base64 of a transaction; `undefined` if it is empty or not canonical base64 (DEC-1). */
export function parseBase64Transaction(text: string): Base64Transaction | undefined {
  if (text === '' || !BASE64.test(text) || Buffer.from(text, 'base64').toString('base64') !== text) {
    return undefined;
  }
  return text as Base64Transaction;
}

/** Encodes wire bytes as base64 text. */
export function base64FromBytes(bytes: Uint8Array): Base64Transaction {
  return Buffer.from(bytes).toString('base64') as Base64Transaction;
}

/** Decodes the wire bytes of a transaction into a new array. */
export function bytesFromBase64(of: Base64Transaction): Uint8Array {
  return new Uint8Array(Buffer.from(of, 'base64'));
}
