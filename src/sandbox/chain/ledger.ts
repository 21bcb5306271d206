import * as z from 'zod';
import { type Address, addressBytes } from '../../base/solana/address';
import { programAddress } from '../../base/solana/pda';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { RentRate } from '../../base/solana/rent';
import { MINT, isTokenAccount, readHolding, tokenAmount } from '../../base/solana/tokenAccount';
import type { Database } from '../store/database';
import { AddressRow, StoredAddress, Whole } from '../store/meta';
import { type Backing, WorkingSet } from '../store/workingSet';
import { encodeMint, encodeTokenAccount, isHeldBy, setTokenAmount } from './tokenAccount';
import { type ChainAccount, EffectError, type Ledger } from './types';

const U64_MAX = 2n ** 64n - 1n;

const MAX_DECIMALS = 255;

/** Moves lamports and tokens between accounts. Only `setLamports` and `setProgramAccount` can create or destroy lamports. */
export class AccountLedger implements Ledger {
  readonly #tokenAddresses = new TokenAddresses();

  constructor(
    protected readonly accounts: WorkingSet<Address, ChainAccount>,
    readonly rent: RentRate,
  ) {}

  lamports(of: Address): bigint {
    return this.accounts.get(of)?.lamports ?? 0n;
  }

  setLamports(of: Address, lamports: bigint): void {
    if (lamports < 0n) {
      throw new EffectError(`${of} has ${this.lamports(of)} lamports, which is not enough`);
    }
    if (lamports > U64_MAX) {
      throw new EffectError(`${of} would have ${lamports} lamports, more than an account can hold`);
    }
    const account = lamports === 0n ? undefined : this.accounts.edit(of);
    if (account !== undefined) {
      account.lamports = lamports;
    } else if (lamports === 0n) {
      this.accounts.delete(of);
    } else {
      this.accounts.put(of, ownedBy(PROGRAMS.system, lamports, new Uint8Array()));
    }
  }

  tokenBalance(owner: Address, mint: Address): bigint {
    return this.#spendable(owner, this.#tokenAccount(this.#tokenAddresses.of(owner, mint)));
  }

  credit(owner: Address, mint: Address, amountRaw: bigint): void {
    const at = this.#tokenAddresses.of(owner, mint);
    const before = this.#tokenAccount(at);
    const held = before === undefined ? 0n : tokenAmount(before.data);
    const amount = held + amountRaw;
    const spendable = amountRaw < 0n ? this.#spendable(owner, before) : 0n;
    if (spendable < -amountRaw) {
      throw new EffectError(`${owner} holds ${spendable} of ${mint} (raw), which is not enough for ${-amountRaw}`);
    }
    if (amount > U64_MAX) {
      throw new EffectError(`${owner} would hold ${amount} of ${mint} (raw), more than an account can hold`);
    }
    const account = before === undefined ? this.#newTokenAccount(at, { holder: owner, mint, payer: owner }) : this.accounts.edit(at);
    if (account !== undefined) {
      this.#addTokens(account, mint, amountRaw);
    }
  }

  setTokenAccount(at: Address, of: { readonly holder: Address; readonly mint: Address; readonly payer: Address }, amountRaw: bigint): void {
    if (amountRaw < 0n || amountRaw > U64_MAX) {
      throw new EffectError(`${at} cannot hold ${amountRaw} of ${of.mint} (raw)`);
    }
    const account = this.#tokenAccount(at) === undefined ? this.#newTokenAccount(at, of) : this.accounts.edit(at);
    if (account !== undefined) {
      this.#addTokens(account, of.mint, amountRaw - tokenAmount(account.data));
    }
  }

  hasAccount(of: Address): boolean {
    return this.accounts.get(of) !== undefined;
  }

  isInUse(of: Address): boolean {
    const account = this.accounts.get(of);
    return account !== undefined && (account.program !== PROGRAMS.system || account.data.length > 0);
  }

  setProgramAccount(
    of: Address,
    account: { readonly owner: Address; readonly lamports: bigint; readonly data: Uint8Array } | undefined,
  ): void {
    if (account === undefined || account.lamports === 0n) {
      this.accounts.delete(of);
    } else {
      this.accounts.put(of, ownedBy(account.owner, account.lamports, account.data.slice()));
    }
  }

  /** See `Chain.createMint`. */
  createMint(mint: Address, decimals: number, supplyRaw: bigint, payer: Address): void {
    if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) {
      throw new RangeError(`A mint has 0 to ${MAX_DECIMALS} decimals, not ${decimals}`);
    }
    if (supplyRaw < 0n || supplyRaw > U64_MAX) {
      throw new RangeError(`A mint cannot have a supply of ${supplyRaw} (raw)`);
    }
    if (!this.hasAccount(mint)) {
      const rent = this.rent.minimumBalance(MINT.bytes);
      this.#pay(payer, rent, 'the rent of a mint');
      this.accounts.put(mint, ownedBy(PROGRAMS.token, rent, encodeMint(decimals, supplyRaw)));
    }
  }

  /** Amount that the owner can spend from the associated token account; 0 if another holder owns the account now. */
  #spendable(owner: Address, account: Readonly<ChainAccount> | undefined): bigint {
    return account === undefined || !isHeldBy(account.data, this.#tokenAddresses.bytesOf(owner)) ? 0n : tokenAmount(account.data);
  }

  /** An initialized account of the Token program, read-only. */
  #tokenAccount(at: Address): Readonly<ChainAccount> | undefined {
    const account = this.accounts.get(at);
    return account !== undefined && account.program === PROGRAMS.token && isTokenAccount(account) ? account : undefined;
  }

  /**
   * Creates a token account. As with the Associated Token program, lamports at the address count towards its rent; in an account of wrapped
   * SOL, any more of them become tokens.
   */
  #newTokenAccount(
    at: Address,
    { holder, mint, payer }: { readonly holder: Address; readonly mint: Address; readonly payer: Address },
  ): ChainAccount {
    const rent = this.rent.tokenAccount;
    const there = this.lamports(at);
    if (there < rent) {
      this.#pay(payer, rent - there, 'the rent of a token account');
    }
    const lamports = there < rent ? rent : there;
    const account = ownedBy(
      PROGRAMS.token,
      lamports,
      encodeTokenAccount({ mint, holder, amountRaw: mint === WRAPPED_SOL_MINT ? lamports - rent : 0n }, rent),
    );
    this.accounts.put(at, account);
    return account;
  }

  #addTokens(account: ChainAccount, mint: Address, amountRaw: bigint): void {
    setTokenAmount(account.data, tokenAmount(account.data) + amountRaw);
    if (mint === WRAPPED_SOL_MINT) {
      account.lamports += amountRaw;
    }
  }

  #pay(payer: Address, lamports: bigint, what: string): void {
    const has = this.lamports(payer);
    if (has < lamports) {
      throw new EffectError(`${payer} has ${has} lamports, which is not enough for ${what}: ${lamports}`);
    }
    this.setLamports(payer, has - lamports);
  }
}

function ownedBy(program: Address, lamports: bigint, data: Uint8Array): ChainAccount {
  return { lamports, program, data, executable: false };
}

const AccountRow = z.object({ program: StoredAddress, lamports: Whole, data: z.instanceof(Uint8Array) });

const LOAD = 'SELECT program, lamports, data FROM account WHERE address = ?';

const SAVE = `
  INSERT INTO account (address, program, lamports, data, holder, mint) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (address) DO UPDATE SET program = excluded.program, lamports = excluded.lamports, data = excluded.data, holder = excluded.holder, mint = excluded.mint`;

const REMOVE = 'DELETE FROM account WHERE address = ?';

/** Accounts kept in memory: more than an unused world has, and a few megabytes at most. */
const MAX_IN_MEMORY = 20_000;

/** The table `account` as a working set. Programs are not in it: the VM has them. */
export function openAccounts(database: Database): WorkingSet<Address, ChainAccount> {
  const backing: Backing<Address, ChainAccount> = {
    load: (of) => {
      const row = database.get(AccountRow, LOAD, of);
      // The bytes may be a view of memory that the library reuses.
      return row === undefined ? undefined : { ...row, data: row.data.slice(), executable: false };
    },
    save: (of, account) => {
      const { program, lamports, data } = account;
      const { owner, mint } = isTokenAccount(account) ? readHolding(data) : { owner: null, mint: null };
      database.run(SAVE, of, program, lamports.toString(), data, owner, mint);
    },
    remove: (of) => database.run(REMOVE, of),
    copy: (account) => ({ ...account, data: account.data.slice() }),
  };
  return new WorkingSet(backing, MAX_IN_MEMORY);
}

/** Addresses of a holder's token accounts in the table, sorted. @param mint `undefined` for all mints */
export function tokenAccountsIn(database: Database, holder: Address, mint: Address | undefined): readonly Address[] {
  return mint === undefined
    ? database.all(AddressRow, 'SELECT address FROM account WHERE holder = ? ORDER BY address', holder)
    : database.all(AddressRow, 'SELECT address FROM account WHERE holder = ? AND mint = ? ORDER BY address', holder, mint);
}

/** Deriving an address takes a hundred times as long as crediting tokens, so addresses are cached; when full, the cache is cleared. */
const MAX_CACHED = 50_000;

const TOKEN_PROGRAM = addressBytes(PROGRAMS.token);

/** A cache of associated token addresses of the Token program. Seeds: owner, token program, mint. */
export class TokenAddresses {
  readonly #byOwner = new Map<Address, OfOwner>();
  #remembered = 0;

  of(owner: Address, mint: Address): Address {
    const known = this.#byOwner.get(owner)?.byMint.get(mint);
    return known ?? this.#derive(owner, mint);
  }

  /** The 32 bytes of the owner's address. */
  bytesOf(owner: Address): Uint8Array {
    return this.#byOwner.get(owner)?.bytes ?? addressBytes(owner);
  }

  #derive(owner: Address, mint: Address): Address {
    const bytes = this.bytesOf(owner);
    const derived = programAddress(PROGRAMS.associatedToken, [bytes, TOKEN_PROGRAM, addressBytes(mint)]);
    if (this.#remembered >= MAX_CACHED) {
      this.#byOwner.clear();
      this.#remembered = 0;
    }
    let ofOwner = this.#byOwner.get(owner);
    if (ofOwner === undefined) {
      ofOwner = { bytes, byMint: new Map() };
      this.#byOwner.set(owner, ofOwner);
    }
    ofOwner.byMint.set(mint, derived);
    this.#remembered += 1;
    return derived;
  }
}

interface OfOwner {
  readonly bytes: Uint8Array;
  readonly byMint: Map<Address, Address>;
}
