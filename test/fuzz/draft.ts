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
  version: 'legacy' | 0;
  signatures: Uint8Array[];
  /** Number of required signatures, of read-only signers, and of other read-only accounts. */
  header: [number, number, number];
  keys: Uint8Array[];
  blockhash: Uint8Array;
  instructions: DraftInstruction[];
  lookups: DraftLookup[];
}

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** PKCS #8 prefix of the seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Splits wire bytes into a draft. @throws the error of web3.js for bytes that it cannot read. */
export function draftOf(bytes: Uint8Array): Draft {
  const { message, signatures } = VersionedTransaction.deserialize(bytes);
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = message.header;
  const { version } = message;
  if (version !== 'legacy' && version !== 0) {
    throw new RangeError(`Version ${version} is not supported here`);
  }
  return {
    version,
    signatures: signatures.map((signature) => signature.slice()),
    header: [numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts],
    keys: message.staticAccountKeys.map((account) => account.toBytes()),
    // The blockhash follows the keys.
    blockhash: blockhashIn(message.serialize(), version, message.staticAccountKeys.length),
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
  };
}

function blockhashIn(message: Uint8Array, version: 'legacy' | 0, keyCount: number): Uint8Array {
  const from = (version === 'legacy' ? 0 : 1) + 3 + shortLength(keyCount).length + KEY_BYTES * keyCount;
  return message.slice(from, from + KEY_BYTES);
}

/** Encodes the message of a draft. */
export function messageOf({ version, header, keys, blockhash, instructions, lookups }: Draft): Uint8Array {
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
  return Buffer.concat([Uint8Array.from(shortLength(draft.signatures.length)), ...draft.signatures, messageOf(draft)]);
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
