import type { Address } from '../../../../src/base/solana/address';
import type { ChainAccount } from '../../../../src/sandbox/chain/types';

/** For how many slots older versions of an account are stored: no node lags behind by more, and no fork is longer. */
const STORED_SLOTS = 512;

/** An account from a slot on; `undefined`: it does not exist from then on. */
interface Version {
  readonly slot: number;
  readonly account: Readonly<ChainAccount> | undefined;
}

/** Accounts as they were in each of the last slots. Programs and sysvars are not among them. */
export class AccountHistory {
  readonly #versions = new Map<Address, Version[]>();
  /** Accounts that a program owns or has owned. */
  readonly #ofProgram = new Map<Address, Set<Address>>();

  /** Whether the account exists, or has existed. */
  has(of: Address): boolean {
    return this.#versions.has(of);
  }

  /** The account at the end of a slot; `undefined` if there was none. */
  at(of: Address, slot: number): Readonly<ChainAccount> | undefined {
    return this.#versions.get(of)?.findLast((version) => version.slot <= slot)?.account;
  }

  /** Writes the account in a slot, which is not before that of any other version. */
  put(of: Address, slot: number, account: Readonly<ChainAccount> | undefined): void {
    const versions = this.#versions.get(of) ?? [];
    if (versions.at(-1)?.slot === slot) {
      versions.pop();
    }
    versions.push({ slot, account });
    const oldest = versions.findLastIndex((version) => version.slot <= slot - STORED_SLOTS);
    versions.splice(0, Math.max(0, oldest));
    this.#versions.set(of, versions);
    if (account !== undefined) {
      const owned = this.#ofProgram.get(account.program) ?? new Set();
      this.#ofProgram.set(account.program, owned.add(of));
    }
  }

  /** The accounts of a program at the end of a slot. */
  ofProgram(program: Address, slot: number): readonly (readonly [Address, Readonly<ChainAccount>])[] {
    return [...(this.#ofProgram.get(program) ?? [])].flatMap((address) => {
      const account = this.at(address, slot);
      return account?.program === program ? [[address, account] as const] : [];
    });
  }

  /** All accounts at the end of a slot. */
  all(slot: number): readonly (readonly [Address, Readonly<ChainAccount>])[] {
    return [...this.#versions.keys()].flatMap((address) => {
      const account = this.at(address, slot);
      return account === undefined ? [] : [[address, account] as const];
    });
  }

  /** Forgets what happened after a slot. @returns the accounts that changed after it, as they were then */
  rollBack(slot: number): ReadonlyMap<Address, Readonly<ChainAccount> | undefined> {
    const restored = new Map<Address, Readonly<ChainAccount> | undefined>();
    for (const [address, versions] of this.#versions) {
      const kept = versions.filter((version) => version.slot <= slot);
      if (kept.length < versions.length) {
        restored.set(address, kept.at(-1)?.account);
        versions.splice(0, versions.length, ...kept);
        if (kept.length === 0) {
          this.#versions.delete(address);
        }
      }
    }
    return restored;
  }
}
