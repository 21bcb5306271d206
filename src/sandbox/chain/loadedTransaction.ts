import type { Address } from '../../base/solana/address';
import { isWritable, type WireTransaction } from '../../base/solana/wireTransaction';
import { ADDRESS_LOOKUP_TABLE, readLookupTable } from './lookupTable';
import { LandingError, nth } from './preflight';
import type { ChainAccount, LoadedAddresses, LoadedTransaction } from './types';

/** All accounts of a transaction in the order in which instructions number them: its own, then those from tables. */
export function keysOf({ staticKeys, loaded }: LoadedTransaction): readonly Address[] {
  return loaded === undefined ? staticKeys : [...staticKeys, ...loaded.writable, ...loaded.readonly];
}

/** Says whether the account in that place may be written. */
export function mayWrite(transaction: LoadedTransaction, place: number): boolean {
  const { staticKeys, loaded } = transaction;
  return place < staticKeys.length ? isWritable(transaction, place) : place < staticKeys.length + (loaded?.writable.length ?? 0);
}

/**
 * Looks up what a transaction takes from tables, as the runtime does it. `index`: which of a bundle it is, from 0.
 * @throws LandingError where a table or an entry of it is not there, or an account comes up twice.
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
