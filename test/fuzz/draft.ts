import { VersionedTransaction, type Keypair } from '@solana/web3.js';
import { createPrivateKey, sign } from 'node:crypto';

// Splits a transaction into parts that can be changed and put together again, also in ways that no honest encoder produces. Read with
// @solana/web3.js, encoded here.

/** An instruction with account indexes. */
export interface DraftInstruction {
  program: number;
  accounts: number[];
  data: Uint8Array;
}

/** Accounts from a lookup table. */
export interface DraftLookup {
  table: Uint8Array;
  writable: number[];
  readonly: number[];
}

/** The parts of a transaction; all of them may be changed. */
export interface Draft {
  version: 'legacy' | 0 | 1;
  signatures: Uint8Array[];
  /** Number of required signatures, of read-only signers, and of other read-only accounts. */
  header: [number, number, number];
  keys: Uint8Array[];
  blockhash: Uint8Array;
  instructions: DraftInstruction[];
  lookups: DraftLookup[];
  /** Only in v1: the mask of the options and their values. */
  config: { mask: number; values: Uint8Array };
}

/** The first byte of v1. */
const V1_PREFIX = 0x81;
/** Places in a v1 message (SIMD-0385). */
const V1_AT = { mask: 4, blockhash: 8, keys: 42 } as const;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** PKCS #8 prefix of the seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Splits wire bytes into a draft. @throws the error of web3.js for bytes that it cannot read. */
export function draftOf(bytes: Uint8Array): Draft {
  const { message, signatures } = VersionedTransaction.deserialize(bytes);
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = message.header;
  const { version } = message;
  return {
    version,
    signatures: signatures.map((signature) => signature.slice()),
    header: [numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts],
    keys: message.staticAccountKeys.map((account) => account.toBytes()),
    // The blockhash follows the keys.
    blockhash:
      version === 1
        ? bytes.slice(V1_AT.blockhash, V1_AT.blockhash + KEY_BYTES)
        : blockhashIn(message.serialize(), version, message.staticAccountKeys.length),
    instructions: message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
      program: programIdIndex,
      accounts: [...accountKeyIndexes],
      data: data.slice(),
    })),
    lookups: message.addressTableLookups.map(({ accountKey, writableIndexes, readonlyIndexes }) => ({
      table: accountKey.toBytes(),
      writable: [...writableIndexes],
      readonly: [...readonlyIndexes],
    })),
    config: version === 1 ? configIn(bytes, message.staticAccountKeys.length) : { mask: 0, values: new Uint8Array() },
  };
}

/** The fee takes two bits and eight bytes, each limit one bit and four bytes. */
function configIn(bytes: Uint8Array, keyCount: number): Draft['config'] {
  const mask = Buffer.from(bytes).readUInt32LE(V1_AT.mask);
  const from = V1_AT.keys + KEY_BYTES * keyCount;
  const bits = [0, 1, 2, 3, 4].filter((bit) => (mask & (1 << bit)) !== 0).length;
  return { mask, values: bytes.slice(from, from + 4 * bits) };
}

function blockhashIn(message: Uint8Array, version: 'legacy' | 0, keyCount: number): Uint8Array {
  const from = (version === 'legacy' ? 0 : 1) + 3 + shortLength(keyCount).length + KEY_BYTES * keyCount;
  return message.slice(from, from + KEY_BYTES);
}

/** Encodes the message of a draft. */
function messageOf(draft: Draft): Uint8Array {
  return draft.version === 1 ? v1MessageOf(draft) : olderMessageOf(draft);
}

function v1MessageOf({ header, keys, blockhash, instructions, config }: Draft): Uint8Array {
  return Buffer.concat(
    [
      [V1_PREFIX],
      header,
      shortUint(config.mask, 4),
      blockhash,
      [instructions.length & 0xff, keys.length & 0xff],
      ...keys,
      config.values,
      ...instructions.map(({ program, accounts, data }) => [program & 0xff, accounts.length & 0xff, ...shortUint(data.length, 2)]),
      ...instructions.flatMap(({ accounts, data }) => [accounts, data]),
    ].map((part) => Uint8Array.from(part)),
  );
}

function shortUint(value: number, size: 2 | 4): number[] {
  return Array.from({ length: size }, (_, at) => (value >>> (8 * at)) & 0xff);
}

function olderMessageOf({ version, header, keys, blockhash, instructions, lookups }: Draft): Uint8Array {
  const parts: (Uint8Array | readonly number[])[] = [
    version === 'legacy' ? [] : [0x80],
    header,
    shortLength(keys.length),
    ...keys,
    blockhash,
    shortLength(instructions.length),
    ...instructions.flatMap(({ program, accounts, data }) => [
      [program & 0xff],
      shortLength(accounts.length),
      accounts,
      shortLength(data.length),
      data,
    ]),
  ];
  if (version === 0) {
    parts.push(
      shortLength(lookups.length),
      ...lookups.flatMap(({ table, writable, readonly }) => [
        table,
        shortLength(writable.length),
        writable,
        shortLength(readonly.length),
        readonly,
      ]),
    );
  }
  return Buffer.concat(parts.map((part) => Uint8Array.from(part)));
}

/** Encodes a draft as wire bytes, with its signatures unchanged. */
export function bytesOfDraft(draft: Draft): Uint8Array {
  return draft.version === 1
    ? Buffer.concat([messageOf(draft), ...draft.signatures])
    : Buffer.concat([Uint8Array.from(shortLength(draft.signatures.length)), ...draft.signatures, messageOf(draft)]);
}

/** Signs the draft again with those of the keys that must sign it: a hostile service can do this with its own keys. */
export function signDraft(draft: Draft, keys: readonly Keypair[]): void {
  const message = messageOf(draft);
  draft.keys.slice(0, draft.signatures.length).forEach((account, slot) => {
    const key = keys.find(({ publicKey }) => Buffer.from(publicKey.toBytes()).equals(account));
    if (key !== undefined) {
      const der = Buffer.concat([PKCS8_PREFIX, key.secretKey.subarray(0, KEY_BYTES)]);
      draft.signatures[slot] = new Uint8Array(sign(null, message, createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })));
    }
  });
}

/** A v1 config with a fee in lamports, a compute unit limit, and the usual limit of account data. */
export function configOf(fee: bigint, units: number): Draft['config'] {
  const values = Buffer.alloc(16);
  values.writeBigUInt64LE(fee);
  values.writeUInt32LE(units, 8);
  values.writeUInt32LE(64 * 1_024 * 1_024, 12);
  return { mask: 0b1111, values };
}

/** An empty signature slot. */
export function emptySignature(): Uint8Array {
  return new Uint8Array(SIGNATURE_BYTES);
}

/** A compact length as Solana encodes it: seven bits per byte, the lowest first. */
export function shortLength(length: number): number[] {
  const bytes: number[] = [];
  let rest = length;
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>= 7;
  } while (rest > 0);
  return bytes;
}
