import * as z from 'zod';
import type { Address } from '../../base/solana/address';
import { AddressRow, StoredAddress, Whole } from '../store/meta';
import type { Database } from '../store/database';
import { WorkingSet, type Backing } from '../store/workingSet';
import { isTokenAccount, readHolding } from './tokenAccount';
import type { ChainAccount } from './types';

const AccountRow = z.object({ program: StoredAddress, lamports: Whole, data: z.instanceof(Uint8Array) });

const LOAD = 'SELECT program, lamports, data FROM account WHERE address = ?';
const SAVE = `
  INSERT INTO account (address, program, lamports, data, holder, mint) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (address) DO UPDATE SET program = excluded.program, lamports = excluded.lamports, data = excluded.data, holder = excluded.holder, mint = excluded.mint`;
const REMOVE = 'DELETE FROM account WHERE address = ?';

/** How many accounts stay in memory: more than a world has that nobody plays in, and some megabytes at most. */
const MOST_IN_MEMORY = 20_000;

/** The table `account` as a working set. Programs are not in it: they are the VM's own. */
export function openAccounts(database: Database): WorkingSet<Address, ChainAccount> {
  const backing: Backing<Address, ChainAccount> = {
    load: (of) => {
      const row = database.get(AccountRow, LOAD, of);
      // The library's bytes may be a view into memory that it uses again.
      return row === undefined ? undefined : { ...row, data: row.data.slice(), executable: false };
    },
    save: (of, account) => {
      const { program, lamports, data } = account;
      const { holder, mint } = isTokenAccount(account) ? readHolding(data) : { holder: null, mint: null };
      database.run(SAVE, of, program, lamports.toString(), data, holder, mint);
    },
    remove: (of) => database.run(REMOVE, of),
    copy: (account) => ({ ...account, data: account.data.slice() }),
  };
  return new WorkingSet(backing, MOST_IN_MEMORY);
}

/** Addresses of a holder's token accounts in the table, of one mint or of all, in order. */
export function tokenAccountsIn(database: Database, holder: Address, mint: Address | undefined): readonly Address[] {
  return mint === undefined
    ? database.all(AddressRow, 'SELECT address FROM account WHERE holder = ? ORDER BY address', holder)
    : database.all(AddressRow, 'SELECT address FROM account WHERE holder = ? AND mint = ? ORDER BY address', holder, mint);
}
