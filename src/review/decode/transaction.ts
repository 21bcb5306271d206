import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { WireError } from '../../base/solana/wireReader';
import {
  bytesFromBase64,
  isWritable,
  messageOf,
  parseBase64Transaction,
  parseTransaction,
  type WireTableLookup,
  type WireTransaction,
} from '../../base/solana/wireTransaction';
import type { LookupTable } from '../facts/facts';
import type { TransactionGroup } from '../types';
import { differenceToWeb3 } from './web3Comparison';

/** An account of an instruction. */
export interface AccountView {
  /** `undefined`: it comes from a lookup table that was not read, or that has no such entry yet (ALT-2, ALT-3). */
  readonly address: Address | undefined;
  readonly signer: boolean;
  readonly writable: boolean;
  /** It comes from a lookup table: the signed bytes do not name it, and its address is only what an RPC says. */
  readonly fromTable: boolean;
}

/** A lookup table that a transaction uses. */
export interface TableView {
  readonly address: Address;
  /** The number of accounts that the transaction takes from it. */
  readonly accountCount: number;
  /** `undefined`: the table was not read. */
  readonly content: LookupTable | undefined;
  /** Used entries that the table does not have yet: its authority can fill them later (ALT-3). */
  readonly placesBeyondEnd: readonly number[];
}

/** An instruction with its accounts resolved. */
export interface InstructionView {
  readonly program: Address;
  readonly accounts: readonly AccountView[];
  readonly data: Uint8Array;
}

/** A decoded transaction. */
export interface TransactionView {
  readonly group: TransactionGroup;
  /** Its index in the operation, from 0. */
  readonly index: number;
  readonly bytes: Uint8Array;
  readonly wire: WireTransaction;
  /** The signed bytes: the message with its version byte. */
  readonly message: Uint8Array;
  /** sha256 of the message, hex. */
  readonly messageHash: string;
  /** In the message's order: static keys, then the writable accounts of all tables, then the read-only ones. */
  readonly accounts: readonly AccountView[];
  readonly tables: readonly TableView[];
  readonly instructions: readonly InstructionView[];
}

/** Why a transaction could not be decoded. */
export interface Unreadable {
  readonly rule: string;
  readonly message: string;
}

/** The maximum length of the base64 text in any format (v1, SIMD-0385: 4,096 bytes). Longer text is not decoded. */
const LONGEST_TEXT = 5_464;

/**
 * Decodes a transaction from its base64 text: with the strict reader, and again with @solana/web3.js, which must agree (DEC-1 to DEC-6, DEC-8).
 * Accounts from `tables` get their addresses (ALT-2). Never throws.
 */
export function decodeTransaction(
  base64: string,
  group: TransactionGroup,
  index: number,
  tables: ReadonlyMap<Address, LookupTable> = new Map(),
): TransactionView | Unreadable {
  const isText = typeof base64 === 'string';
  if (isText && base64.length > LONGEST_TEXT) {
    return { rule: 'DEC-3', message: l10n.t`The transaction has ${base64.length} characters. The maximum is ${LONGEST_TEXT}.` };
  }
  const text = isText ? parseBase64Transaction(base64) : undefined;
  if (text === undefined) {
    return { rule: 'DEC-1', message: l10n.t('The transaction is not valid base64 text.') };
  }
  const bytes = bytesFromBase64(text);
  let wire: WireTransaction;
  try {
    wire = parseTransaction(bytes);
  } catch (error) {
    const rule = error instanceof WireError ? error.rule : 'DEC-2';
    return { rule, message: `${error instanceof Error ? error.message : String(error)}.` };
  }
  const difference = differenceToWeb3(bytes, wire);
  if (difference !== undefined) {
    return { rule: 'DEC-4', message: l10n.t`Binsight and @solana/web3.js read the transaction differently: ${difference}.` };
  }
  const accounts = accountViews(wire, tables);
  if (namesAnAccountTwice(wire, accounts)) {
    return { rule: 'DEC-6', message: l10n.t('The transaction lists an account twice, at least once in a lookup table.') };
  }
  const message = messageOf(bytes, wire);
  return {
    group,
    index,
    bytes,
    wire,
    message,
    messageHash: createHash('sha256').update(message).digest('hex'),
    accounts,
    tables: wire.tableLookups.map((lookup) => tableView(lookup, tables.get(lookup.table))),
    instructions: instructionViews(wire, accounts),
  };
}

function instructionViews(wire: WireTransaction, accounts: readonly AccountView[]): InstructionView[] {
  return wire.instructions.flatMap(({ programIdIndex, accountIndexes, data }) => {
    const program = wire.staticKeys[programIdIndex];
    return program === undefined ? [] : [{ program, data, accounts: accountIndexes.flatMap((index) => accounts[index] ?? []) }];
  });
}

/** Static keys first, then the writable accounts of all tables, then the read-only ones (v0 message format). */
function accountViews(wire: WireTransaction, tables: ReadonlyMap<Address, LookupTable>): AccountView[] {
  const fromTables = (writable: boolean): AccountView[] =>
    wire.tableLookups.flatMap(({ table, writableIndexes, readonlyIndexes }) =>
      (writable ? writableIndexes : readonlyIndexes).map((place) => ({
        address: tables.get(table)?.addresses[place],
        signer: false,
        writable,
        fromTable: true,
      })),
    );
  return [
    ...wire.staticKeys.map((address, index) => ({
      address,
      signer: index < wire.requiredSignatures,
      writable: isWritable(wire, index),
      fromTable: false,
    })),
    ...fromTables(true),
    ...fromTables(false),
  ];
}

function tableView({ table, writableIndexes, readonlyIndexes }: WireTableLookup, content: LookupTable | undefined): TableView {
  const places = [...writableIndexes, ...readonlyIndexes];
  return {
    address: table,
    accountCount: places.length,
    content,
    placesBeyondEnd: content === undefined ? [] : places.filter((place) => place >= content.addresses.length),
  };
}

/** DEC-6: the same entry of the same table, or the same address twice. The wire parser has compared the static keys. */
function namesAnAccountTwice(wire: WireTransaction, accounts: readonly AccountView[]): boolean {
  const places = wire.tableLookups.flatMap(({ table, writableIndexes, readonlyIndexes }) =>
    [...writableIndexes, ...readonlyIndexes].map((place) => `${table} ${place}`),
  );
  const addresses = accounts.flatMap(({ address }) => address ?? []);
  return new Set(places).size !== places.length || new Set(addresses).size !== addresses.length;
}
