import * as l10n from '@vscode/l10n';
import bs58 from 'bs58';
import { type Address, addressFromBytes } from './address';
import { MAX_TRANSACTION_BYTES, MAX_V1_TRANSACTION_BYTES } from './programs';
import { readConfig, type TransactionConfig } from './wireConfig';
import { WireError, WireReader } from './wireReader';

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

/** The format of a transaction: legacy, version 0 (lookup tables) or version 1 (SIMD-0385). */
export type TransactionVersion = 'legacy' | 0 | 1;

/** A transaction, read strictly from its wire bytes. */
export interface WireTransaction {
  readonly version: TransactionVersion;
  /** One slot of 64 bytes for each required signer, in the order of the first static keys; all zero if not signed yet. */
  readonly signatures: readonly Uint8Array[];
  /** Offset of the first signature slot. */
  readonly signaturesOffset: number;
  readonly messageOffset: number;
  /** Offset behind the last byte of the message: in v1 the signatures follow, otherwise it is the end of the bytes. */
  readonly messageEnd: number;
  readonly requiredSignatures: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
  readonly staticKeys: readonly Address[];
  /** Base58. */
  readonly recentBlockhash: string;
  /** Offset of the 32 bytes of the blockhash. */
  readonly blockhashOffset: number;
  readonly instructions: readonly WireInstruction[];
  readonly tableLookups: readonly WireTableLookup[];
  /** `undefined` in legacy and v0, which use ComputeBudget instructions. */
  readonly config: TransactionConfig | undefined;
}

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const VERSION_BIT = 0x80;
/** The first byte of a v1 transaction. */
const V1_PREFIX = VERSION_BIT | 1;
/** Account indexes are single bytes. */
const MAX_ACCOUNTS = 256;
/** SIMD-0385. */
const V1_LIMITS = { signatures: 12, instructions: 64, accounts: 64 } as const;
/**
 * Reads a transaction in any format that the network executes: legacy, v0 or v1.
 *
 * Written by hand, because the review must see exactly what the network executes. `VersionedTransaction.deserialize` of @solana/web3.js 1.99 accepts
 * bytes after the message, lengths with padding, indexes beyond the accounts, accounts that are listed twice, a v1 message in the envelope of
 * older versions, and v1 messages beyond the limits. This reader accepts a transaction only in its one canonical encoding, and only if it is
 * consistent. The review also compares the result with web3.js, and blocks if the two differ (DEC-4). Layout: Solana documentation,
 * "Transaction format", and SIMD-0385.
 * @throws WireError if the bytes are too long, truncated, not canonical or not consistent
 */
export function parseTransaction(bytes: Uint8Array): WireTransaction {
  const [first] = bytes;
  if (first === undefined) {
    throw new WireError('DEC-2', 'The transaction is empty');
  }
  const maxBytes = first === V1_PREFIX ? MAX_V1_TRANSACTION_BYTES : MAX_TRANSACTION_BYTES;
  if (bytes.length > maxBytes) {
    throw new WireError('DEC-3', l10n.t`The transaction has ${bytes.length} bytes; the network takes at most ${maxBytes}`);
  }
  const reader = new WireReader(bytes);
  if (first === VERSION_BIT) {
    throw new WireError('DEC-5', 'A v0 message has no signatures in front of it');
  }
  if (first > VERSION_BIT && first !== V1_PREFIX) {
    throw new WireError('DEC-5', l10n.t`The transaction has version ${first & ~VERSION_BIT}; Binsight reads legacy, v0 and v1`);
  }
  const transaction = first === V1_PREFIX ? readV1(reader) : readWithEnvelope(reader);
  if (reader.offset !== bytes.length) {
    throw new WireError('DEC-4', `${bytes.length - reader.offset} bytes follow the end of the transaction`);
  }
  assertConsistent(transaction);
  return transaction;
}

/** Returns the signed part of a transaction: for v1 without the signatures at the end, and with the version byte. A view of `bytes`. */
export function messageOf(bytes: Uint8Array, { messageOffset, messageEnd }: WireTransaction): Uint8Array {
  return bytes.subarray(messageOffset, messageEnd);
}

/** Reads a legacy or v0 transaction: signatures, then the message. */
function readWithEnvelope(reader: WireReader): WireTransaction {
  const signatureCount = reader.length();
  const signaturesOffset = reader.offset;
  const signatures = reader.times(signatureCount, () => reader.take(SIGNATURE_BYTES));
  const messageOffset = reader.offset;
  const version = readVersion(reader);
  const header = readHeader(reader);
  const staticKeys = reader.times(reader.length(), () => addressFromBytes(reader.take(KEY_BYTES)));
  const blockhashOffset = reader.offset;
  const recentBlockhash = bs58.encode(reader.take(KEY_BYTES));
  const instructions = reader.times(reader.length(), () => ({
    programIdIndex: reader.byte(),
    accountIndexes: [...reader.take(reader.length())],
    data: reader.take(reader.length()),
  }));
  const tableLookups = version === 0 ? reader.times(reader.length(), () => readLookup(reader)) : [];
  const offsets = { signaturesOffset, messageOffset, blockhashOffset, messageEnd: reader.offset };
  return { ...header, ...offsets, version, signatures, staticKeys, recentBlockhash, instructions, tableLookups, config: undefined };
}

/** Reads a v1 transaction: the message, then one signature for each required signer (SIMD-0385). */
function readV1(reader: WireReader): WireTransaction {
  const messageOffset = reader.offset;
  reader.byte();
  const header = readHeader(reader);
  // Checked first: without such a number of signers the bytes only begin like v1, for example an older transaction with a padded length.
  if (header.requiredSignatures < 1 || header.requiredSignatures > V1_LIMITS.signatures) {
    throw new WireError(
      'DEC-5',
      `The transaction begins like v1, but with ${header.requiredSignatures} signers; a v1 transaction has 1 to ${V1_LIMITS.signatures}`,
    );
  }
  const mask = reader.uint(4);
  const blockhashOffset = reader.offset;
  const recentBlockhash = bs58.encode(reader.take(KEY_BYTES));
  const instructionCount = reader.byte();
  const accountCount = reader.byte();
  assertWithinV1(instructionCount, V1_LIMITS.instructions, 'instructions');
  assertWithinV1(accountCount, V1_LIMITS.accounts, 'accounts');
  const staticKeys = reader.times(accountCount, () => addressFromBytes(reader.take(KEY_BYTES)));
  const config = readConfig(reader, mask);
  const heads = reader.times(instructionCount, () => ({
    programIdIndex: reader.byte(),
    accountCount: reader.byte(),
    dataLength: reader.uint(2),
  }));
  const instructions = heads.map(({ programIdIndex, accountCount: count, dataLength }) => ({
    programIdIndex,
    accountIndexes: [...reader.take(count)],
    data: reader.take(dataLength),
  }));
  const messageEnd = reader.offset;
  const signatures = reader.times(header.requiredSignatures, () => reader.take(SIGNATURE_BYTES));
  const offsets = { signaturesOffset: messageEnd, messageOffset, blockhashOffset, messageEnd };
  return { ...header, ...offsets, version: 1, signatures, staticKeys, recentBlockhash, instructions, tableLookups: [], config };
}

function assertWithinV1(count: number, limit: number, what: string): void {
  if (count > limit) {
    throw new WireError('DEC-6', `${count} ${what}; a v1 transaction has at most ${limit}`);
  }
}

function readHeader(reader: WireReader): Pick<WireTransaction, 'requiredSignatures' | 'readonlySigned' | 'readonlyUnsigned'> {
  return { requiredSignatures: reader.byte(), readonlySigned: reader.byte(), readonlyUnsigned: reader.byte() };
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

function readVersion(reader: WireReader): 'legacy' | 0 {
  if (reader.peek() < VERSION_BIT) {
    return 'legacy';
  }
  const version = reader.byte() & ~VERSION_BIT;
  if (version !== 0) {
    throw new WireError(
      'DEC-5',
      version === 1
        ? 'A v1 message is in the envelope of an older version'
        : `The message has version ${version}; Binsight reads legacy, v0 and v1`,
    );
  }
  return 0;
}

function readLookup(reader: WireReader): WireTableLookup {
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
    if (transaction.version === 1 && instruction.programIdIndex >= staticKeys.length) {
      throw inconsistent('An instruction calls a program that is not listed');
    }
    if (transaction.version === 1 && isWritable(transaction, instruction.programIdIndex)) {
      throw inconsistent('A program is listed as writable');
    }
    if (instruction.programIdIndex >= staticKeys.length) {
      throw new WireError('ALT-1', 'An instruction calls a program that only a lookup table names');
    }
    if (instruction.accountIndexes.some((index) => index >= accountCount)) {
      throw inconsistent('An instruction names an account that is not listed');
    }
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
