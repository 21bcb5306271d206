import { createHash } from 'node:crypto';
import { VersionedTransaction } from '@solana/web3.js';
import type { Address } from '../solana/address';
import { bytesFromBase64, parseBase64Transaction } from '../solana/base64Transaction';
import { isWritable, parseTransaction, WireError, type WireTransaction } from '../solana/wire';
import type { TransactionGroup } from './types';

/** An account as an instruction names it. */
export interface AccountView {
  /** `undefined`: it comes out of a lookup table, which was not resolved (ALT-2). */
  readonly address: Address | undefined;
  readonly signer: boolean;
  readonly writable: boolean;
}

/** One instruction with its accounts looked up in the message. */
export interface InstructionView {
  readonly program: Address;
  readonly accounts: readonly AccountView[];
  readonly data: Uint8Array;
}

/** A transaction whose bytes were understood. */
export interface TransactionView {
  readonly group: TransactionGroup;
  /** Its place in the operation, from 0. */
  readonly index: number;
  readonly bytes: Uint8Array;
  readonly wire: WireTransaction;
  /** What is signed: the bytes from the message to the end. */
  readonly message: Uint8Array;
  /** sha256 of the message, hex. */
  readonly messageHash: string;
  readonly instructions: readonly InstructionView[];
}

/** Why bytes were not understood. */
export interface Unreadable {
  readonly rule: string;
  readonly message: string;
}

/**
 * Reads a transaction from its base64 text (policy §1): strictly, and then once more with @solana/web3.js, which has to
 * see the same. Never throws.
 */
export function decodeTransaction(base64: string, group: TransactionGroup, index: number): TransactionView | Unreadable {
  const text = typeof base64 === 'string' ? parseBase64Transaction(base64) : undefined;
  if (text === undefined) {
    return { rule: 'DEC-1', message: 'The transaction is not canonical base64 text.' };
  }
  const bytes = bytesFromBase64(text);
  let wire: WireTransaction;
  try {
    wire = parseTransaction(bytes);
  } catch (error) {
    const rule = error instanceof WireError ? error.rule : 'DEC-2';
    return { rule, message: `${error instanceof Error ? error.message : 'The transaction cannot be read'}.` };
  }
  const difference = differenceToWeb3(bytes, wire);
  if (difference !== undefined) {
    return { rule: 'DEC-4', message: `Two readers of the transaction disagree about ${difference}.` };
  }
  const message = bytes.subarray(wire.messageOffset);
  return {
    group,
    index,
    bytes,
    wire,
    message,
    messageHash: createHash('sha256').update(message).digest('hex'),
    instructions: instructionViews(wire),
  };
}

function instructionViews(wire: WireTransaction): InstructionView[] {
  const accounts = accountViews(wire);
  return wire.instructions.flatMap(({ programIdIndex, accountIndexes, data }) => {
    const program = wire.staticKeys[programIdIndex];
    return program === undefined
      ? []
      : [{ program, data, accounts: accountIndexes.flatMap((index) => accounts[index] ?? []) }];
  });
}

/** Static keys first, then what the tables give: all writable ones before all read-only ones (v0 message format). */
function accountViews(wire: WireTransaction): AccountView[] {
  const fromTables = (writable: boolean): AccountView[] =>
    wire.tableLookups.flatMap((lookup) =>
      (writable ? lookup.writableIndexes : lookup.readonlyIndexes).map(() => ({ address: undefined, signer: false, writable })),
    );
  return [
    ...wire.staticKeys.map((address, index) => ({
      address,
      signer: index < wire.requiredSignatures,
      writable: isWritable(wire, index),
    })),
    ...fromTables(true),
    ...fromTables(false),
  ];
}

/**
 * Names the first thing that @solana/web3.js reads differently in the bytes, or gives `undefined`. The strict reader takes
 * less than web3.js does, so a difference is a fault in one of the two.
 */
export function differenceToWeb3(bytes: Uint8Array, wire: WireTransaction): string | undefined {
  try {
    const other = VersionedTransaction.deserialize(bytes);
    const { message } = other;
    const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = message.header;
    const views: readonly (readonly [string, unknown, unknown])[] = [
      ['its version', message.version, wire.version],
      ['its signatures', other.signatures.map(hex), wire.signatures.map(hex)],
      [
        'its header',
        [numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts],
        [wire.requiredSignatures, wire.readonlySigned, wire.readonlyUnsigned],
      ],
      ['its accounts', message.staticAccountKeys.map((key) => key.toBase58()), wire.staticKeys],
      ['its blockhash', message.recentBlockhash, wire.recentBlockhash],
      [
        'its instructions',
        message.compiledInstructions.map((instruction) => [instruction.programIdIndex, instruction.accountKeyIndexes, hex(instruction.data)]),
        wire.instructions.map((instruction) => [instruction.programIdIndex, instruction.accountIndexes, hex(instruction.data)]),
      ],
      [
        'its lookup tables',
        message.addressTableLookups.map((lookup) => [lookup.accountKey.toBase58(), lookup.writableIndexes, lookup.readonlyIndexes]),
        wire.tableLookups.map((lookup) => [lookup.table, lookup.writableIndexes, lookup.readonlyIndexes]),
      ],
      ['its bytes', hex(other.serialize()), hex(bytes)],
    ];
    return views.find(([, theirs, ours]) => JSON.stringify(theirs) !== JSON.stringify(ours))?.[0];
  } catch {
    return 'whether it can be read at all';
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
