import { Buffer } from 'node:buffer';
import { address, type Address, addressBytes, addressFromBytes } from '../../base/solana/address';
import { programAddress } from '../../base/solana/pda';
import { isWritable, type WireTransaction } from '../../base/solana/wireTransaction';
import { LandingError, nth } from './preflight';
import type { ChainAccount, LoadedAddresses, LoadedTransaction } from './types';

/** The Address Lookup Table program. */
export const ADDRESS_LOOKUP_TABLE = address('AddressLookupTab1e1111111111111111111111111');

/** Maximum number of entries: an index is one byte. */
const MAX_TABLE_ENTRIES = 256;

// Layout (solana: address-lookup-table-interface, state.rs): kind of state, u32; deactivation slot, u64; slot of the last
// extension, u64; its first entry, u8; authority, Option of a key; two bytes of padding; then 32 bytes an entry.
const STATE_TABLE = 1;

const DEACTIVATION_OFFSET = 4;

const EXTENDED_OFFSET = 12;

const EXTENDED_FROM_OFFSET = 20;

const HAS_AUTHORITY_OFFSET = 21;

const AUTHORITY_OFFSET = 22;

const ENTRIES_OFFSET = 56;

const KEY_BYTES = 32;

const NEVER = 2n ** 64n - 1n;

/** Address of the table that the authority created in the slot. Seeds: authority, slot as u64 little endian (`createLookupTable`). */
export function lookupTableAddress(authority: Address, slot: number): Address {
  const seed = Buffer.alloc(8);
  seed.writeBigUInt64LE(BigInt(slot));
  return programAddress(ADDRESS_LOOKUP_TABLE, [addressBytes(authority), seed]);
}

/** Encodes an active table whose entries were all added in `slot`. */
export function encodeLookupTable({
  authority,
  slot,
  entries,
}: {
  readonly authority: Address;
  readonly slot: number;
  readonly entries: readonly Address[];
}): Uint8Array {
  if (entries.length > MAX_TABLE_ENTRIES) {
    throw new RangeError(`A lookup table has at most ${MAX_TABLE_ENTRIES} entries, not ${entries.length}`);
  }
  const data = Buffer.alloc(ENTRIES_OFFSET + KEY_BYTES * entries.length);
  data.writeUInt32LE(STATE_TABLE, 0);
  data.writeBigUInt64LE(NEVER, DEACTIVATION_OFFSET);
  data.writeBigUInt64LE(BigInt(slot), EXTENDED_OFFSET);
  data.writeUInt8(1, HAS_AUTHORITY_OFFSET);
  data.set(addressBytes(authority), AUTHORITY_OFFSET);
  entries.forEach((entry, place) => data.set(addressBytes(entry), ENTRIES_OFFSET + KEY_BYTES * place));
  return new Uint8Array(data);
}

/**
 * Reads the entries that are usable in a slot: entries added in the same slot are not. `undefined` if the data is malformed, or the table
 * is deactivated.
 */
export function readLookupTable(data: Uint8Array, slot: number): readonly Address[] | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const size = bytes.length - ENTRIES_OFFSET;
  if (size < 0 || size % KEY_BYTES !== 0 || bytes.readUInt32LE(0) !== STATE_TABLE || bytes.readBigUInt64LE(DEACTIVATION_OFFSET) !== NEVER) {
    return undefined;
  }
  const isNew = bytes.readBigUInt64LE(EXTENDED_OFFSET) >= BigInt(slot);
  const count = isNew ? Math.min(bytes.readUInt8(EXTENDED_FROM_OFFSET), size / KEY_BYTES) : size / KEY_BYTES;
  return Array.from({ length: count }, (_, place) =>
    addressFromBytes(bytes.subarray(ENTRIES_OFFSET + KEY_BYTES * place, ENTRIES_OFFSET + KEY_BYTES * (place + 1))),
  );
}

/** All account keys of a transaction in the order of their indexes: static keys, then loaded ones. */
export function keysOf({ staticKeys, loaded }: LoadedTransaction): readonly Address[] {
  return loaded === undefined ? staticKeys : [...staticKeys, ...loaded.writable, ...loaded.readonly];
}

/** Returns true if the account with this index is writable. */
export function isWritableAt(transaction: LoadedTransaction, place: number): boolean {
  const { staticKeys, loaded } = transaction;
  return place < staticKeys.length ? isWritable(transaction, place) : place < staticKeys.length + (loaded?.writable.length ?? 0);
}

/**
 * Resolves the lookup tables of a transaction, like the runtime.
 * @param index of the transaction in its bundle, from 0
 * @throws LandingError if a table or an entry does not exist, or an account is loaded twice
 */
export function withLoaded(
  transaction: WireTransaction,
  index: number,
  slot: number,
  accountAt: (of: Address) => Readonly<ChainAccount> | undefined,
): LoadedTransaction {
  if (transaction.tableLookups.length === 0) {
    return transaction;
  }
  const found = transaction.tableLookups.map(({ table, writableIndexes, readonlyIndexes }) => {
    const entries = entriesOf(table, index, slot, accountAt(table));
    const entry = (place: number): Address =>
      entries[place] ??
      refuse(index, `names entry ${place} of lookup table ${table}, which has ${entries.length}`, 'InvalidAddressLookupTableIndex');
    return { writable: writableIndexes.map(entry), readonly: readonlyIndexes.map(entry) };
  });
  const loaded: LoadedAddresses = {
    writable: found.flatMap(({ writable }) => writable),
    readonly: found.flatMap(({ readonly }) => readonly),
  };
  const keys = keysOf({ ...transaction, loaded });
  const twice = keys.find((key, place) => keys.indexOf(key) !== place);
  return twice === undefined ? { ...transaction, loaded } : refuse(index, `loads account ${twice} twice`, 'AccountLoadedTwice');
}

function entriesOf(table: Address, index: number, slot: number, account: Readonly<ChainAccount> | undefined): readonly Address[] {
  if (account === undefined) {
    return refuse(index, `takes accounts from lookup table ${table}, which does not exist`, 'AddressLookupTableNotFound');
  }
  if (account.program !== ADDRESS_LOOKUP_TABLE) {
    return refuse(index, `takes accounts from ${table}, which is no lookup table`, 'InvalidAddressLookupTableOwner');
  }
  return (
    readLookupTable(account.data, slot) ??
    refuse(index, `takes accounts from lookup table ${table}, which is malformed`, 'InvalidAddressLookupTableData')
  );
}

function refuse(index: number, what: string, error: string): never {
  throw new LandingError(index, `${nth(index)} ${what}`, error);
}
