import { Buffer } from 'node:buffer';
import { Account, type LiteSvm } from 'litesvm/dist/internal.js';
import { address, addressBytes, addressFromBytes, type Address } from '../../solana/address';
import type { ChainState } from './types';

/** An account as the VM holds it. */
export interface AccountContents {
  readonly lamports: bigint;
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

/** Rent epoch of an account that pays no rent, as the runtime writes it. */
const RENT_EXEMPT = 2n ** 64n - 1n;

/**
 * The VM's accounts. Knows which ones are not the VM's own (so that only these are saved), and takes back what happened
 * to them since `begin`.
 */
export class AccountBook {
  private readonly touched = new Set<Address>();
  private undo: Map<Address, AccountContents | undefined> | undefined;

  constructor(private readonly vm: LiteSvm) {}

  /** Gives the account, or `undefined` where there is none. */
  get(of: Address): AccountContents | undefined {
    const account = this.vm.getAccount(addressBytes(of));
    return account === null
      ? undefined
      : { lamports: account.lamports(), owner: addressFromBytes(account.owner()), data: new Uint8Array(account.data()), executable: account.executable() };
  }

  /** Lamports of the account, 0 where there is none. */
  lamports(of: Address): bigint {
    return this.vm.getBalance(addressBytes(of)) ?? 0n;
  }

  /** Writes the account, or removes it. An account without lamports does not exist, as on the real chain. */
  set(of: Address, contents: AccountContents | undefined): void {
    this.remember(of);
    this.write(of, contents);
  }

  /** From here on changes can be taken back. */
  begin(): void {
    this.undo = new Map();
  }

  /** Takes note of an account that is about to be changed by the VM or by `set`. */
  remember(of: Address): void {
    this.touched.add(of);
    if (this.undo !== undefined && !this.undo.has(of)) {
      this.undo.set(of, this.get(of));
    }
  }

  /** Keeps everything since `begin`. */
  commit(): void {
    this.undo = undefined;
  }

  /** Puts every account back to what it was at `begin`. */
  rollBack(): void {
    for (const [of, before] of this.undo ?? []) {
      // Programs and the VM's own accounts may be listed as writable but never change: they are left alone.
      if (!same(before, this.get(of))) {
        this.write(of, before);
      }
    }
    this.undo = undefined;
  }

  /** Everything that was ever touched and still exists. */
  save(): ChainState['accounts'] {
    const accounts: ChainState['accounts'][number][] = [];
    for (const of of this.touched) {
      const contents = this.get(of);
      if (contents === undefined) {
        this.touched.delete(of);
      } else if (!contents.executable) {
        const { lamports, owner, data, executable } = contents;
        accounts.push({ address: of, lamports: lamports.toString(), owner, dataBase64: Buffer.from(data).toString('base64'), executable });
      }
    }
    return accounts;
  }

  /**
   * Writes what was saved.
   * @throws RangeError or SyntaxError where an entry is not an account.
   */
  restore(accounts: ChainState['accounts']): void {
    for (const account of accounts) {
      this.set(address(account.address), {
        lamports: BigInt(account.lamports),
        owner: address(account.owner),
        data: new Uint8Array(Buffer.from(account.dataBase64, 'base64')),
        executable: account.executable,
      });
    }
  }

  private write(of: Address, contents: AccountContents | undefined): void {
    const { lamports, data, owner, executable } = contents ?? ABSENT;
    this.vm.setAccount(addressBytes(of), new Account(lamports, data, addressBytes(owner), executable, RENT_EXEMPT));
  }
}

const ABSENT: AccountContents = { lamports: 0n, data: new Uint8Array(), owner: address('11111111111111111111111111111111'), executable: false };

function same(one: AccountContents | undefined, other: AccountContents | undefined): boolean {
  if (one === undefined || other === undefined) {
    return one === other;
  }
  return one.lamports === other.lamports && one.owner === other.owner && one.executable === other.executable && Buffer.compare(one.data, other.data) === 0;
}
