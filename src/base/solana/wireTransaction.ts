import bs58 from 'bs58';
import { type Address, addressFromBytes } from './address';
import { MAX_TRANSACTION_BYTES } from './programs';

/** One instruction as the message writes it: indexes into the account keys. */
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
  /** One slot of 64 bytes a required signer, in the order of the first static keys; all zero where not signed yet. */
  readonly signatures: readonly Uint8Array[];
  /** Where the first signature slot begins in the bytes. */
  readonly signaturesOffset: number;
  /** Where the message begins in the bytes; it goes to their end. */
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

/** Why wire bytes are not a transaction; `rule` is the policy's name for it (DEC-2 … DEC-6, PRG-1, ALT-1). */
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
 * Reads a legacy or v0 transaction. Stricter than @solana/web3.js 1.98, which takes trailing bytes and padded lengths:
 * what this accepts has exactly one encoding. Layout: docs of the Solana runtime, "Transaction format".
 * @throws WireError where the bytes are too long, cut short, not canonical or not consistent.
 */
export function parseTransaction(bytes: Uint8Array): WireTransaction {
  if (bytes.length === 0) {
    throw new WireError('DEC-2', 'The transaction is empty');
  }
  if (bytes.length > MAX_TRANSACTION_BYTES) {
    throw new WireError('DEC-3', `The transaction has ${bytes.length} bytes; the network takes at most ${MAX_TRANSACTION_BYTES}`);
  }
  const reader = new Reader(bytes);
  if (reader.peek() >= VERSION_BIT) {
    throw new WireError('DEC-5', 'The transaction has a format newer than v0, which Binsight does not read');
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
    throw new WireError('DEC-4', `${bytes.length - reader.offset} bytes follow the end of the message`);
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

/** Says whether a signature slot is still empty (64 zero bytes). */
export function isEmptySignature(signature: Uint8Array): boolean {
  return signature.every((byte) => byte === 0);
}

/** Says whether the account at `index` of the static keys may be written by the transaction. */
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
    throw new WireError('DEC-5', `The message has version ${version}; Binsight reads legacy and v0 messages`);
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
    throw inconsistent(`${signatures.length} signature slots for ${requiredSignatures} required signers`);
  }
  if (requiredSignatures < 1 || requiredSignatures > staticKeys.length) {
    throw inconsistent(`${requiredSignatures} required signers among ${staticKeys.length} accounts`);
  }
  if (readonlySigned >= requiredSignatures) {
    throw inconsistent('The fee payer is read-only');
  }
  if (requiredSignatures + readonlyUnsigned > staticKeys.length) {
    throw inconsistent('More read-only accounts than accounts');
  }
  if (new Set(staticKeys).size !== staticKeys.length) {
    throw inconsistent('An account is listed twice');
  }

  if (tableLookups.some((lookup) => lookup.writableIndexes.length + lookup.readonlyIndexes.length === 0)) {
    throw inconsistent('A lookup table is named, but nothing is taken from it');
  }
  const loaded = tableLookups.reduce((sum, lookup) => sum + lookup.writableIndexes.length + lookup.readonlyIndexes.length, 0);
  const accountCount = staticKeys.length + loaded;
  if (accountCount > MAX_ACCOUNTS) {
    throw inconsistent(`${accountCount} accounts; an instruction can name only ${MAX_ACCOUNTS}`);
  }
  for (const instruction of transaction.instructions) {
    if (instruction.programIdIndex === 0) {
      throw new WireError('PRG-1', 'An instruction calls the fee payer as a program');
    }
    if (instruction.programIdIndex >= staticKeys.length) {
      throw new WireError('ALT-1', 'An instruction calls a program that only a lookup table names');
    }
    if (instruction.accountIndexes.some((index) => index >= accountCount)) {
      throw inconsistent('An instruction names an account that is not listed');
    }
  }
}

/** Reads forward through bytes and never past their end. */
class Reader {
  offset = 0;

  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  peek(): number {
    const byte = this.#bytes[this.offset];
    if (byte === undefined) {
      throw new WireError('DEC-2', 'The transaction is cut short');
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
      throw new WireError('DEC-2', 'The transaction is cut short');
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
          throw new WireError('DEC-4', 'A length is written with more bytes than it needs');
        }
        if (value > 0xffff) {
          break;
        }
        return value;
      }
    }
    throw new WireError('DEC-4', 'A length is out of bounds');
  }

  times<T>(count: number, read: () => T): T[] {
    return Array.from({ length: count }, read);
  }
}

declare const base64TransactionBrand: unique symbol;

/** Wire bytes of a transaction as canonical base64 text. What it does is not known yet: only `review` says that. */
export type Base64Transaction = string & { readonly [base64TransactionBrand]: true };

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Gives `text` as base64 of a transaction, or `undefined` where it is empty or not canonical base64 (policy DEC-1). */
export function parseBase64Transaction(text: string): Base64Transaction | undefined {
  if (text === '' || !BASE64.test(text) || Buffer.from(text, 'base64').toString('base64') !== text) {
    return undefined;
  }
  return text as Base64Transaction;
}

/** Gives wire bytes as base64 text. */
export function base64FromBytes(bytes: Uint8Array): Base64Transaction {
  return Buffer.from(bytes).toString('base64') as Base64Transaction;
}

/** Gives the wire bytes of a transaction, as a copy that nobody else holds. */
export function bytesFromBase64(of: Base64Transaction): Uint8Array {
  return new Uint8Array(Buffer.from(of, 'base64'));
}
