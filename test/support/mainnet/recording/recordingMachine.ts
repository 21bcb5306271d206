import type { Address } from '../../../../src/base/solana/address';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { keysOf } from '../../../../src/sandbox/chain/lookupTables';
import type { ChainAccount, LoadedTransaction } from '../../../../src/sandbox/chain/types';
import type { Machine, Run } from '../chain/machine';
import { patchOf } from './accountPatch';
import { CLOCK, clockText, type RecordedRun, RENT, runKey, type Tape } from './tape';

/** Accounts of the machine itself that are read without a transaction. */
const OWN_ACCOUNTS = [CLOCK, RENT, WRAPPED_SOL_MINT];
const NO_CODE = new Uint8Array();

/** A machine that records what another one gives. */
export class RecordingMachine implements Machine {
  readonly #machine: Machine;
  readonly #written = new Set<Address>();
  readonly #accounts = new Map<Address, Readonly<ChainAccount>>();
  readonly #runs = new Map<string, RecordedRun>();
  #clock = '';

  constructor(machine: Machine) {
    this.#machine = machine;
    OWN_ACCOUNTS.forEach((of) => this.read(of));
  }

  /** What was recorded so far. */
  get tape(): Tape {
    return { accounts: this.#accounts, runs: this.#runs };
  }

  setClock(...time: Parameters<Machine['setClock']>): void {
    this.#clock = clockText(...time);
    this.#machine.setClock(...time);
  }

  minimumBalance(bytes: number): bigint {
    return this.#machine.minimumBalance(bytes);
  }

  read(of: Address): Readonly<ChainAccount> | undefined {
    const known = this.#accounts.get(of);
    if (known?.executable === true) {
      return known;
    }
    const account = this.#machine.read(of);
    if (account !== undefined && known === undefined && !this.#written.has(of)) {
      this.#accounts.set(of, account.executable ? { ...account, data: NO_CODE } : account);
    }
    return account?.executable === true ? this.#accounts.get(of) : account;
  }

  write(of: Address, account: Readonly<ChainAccount> | undefined): void {
    this.#written.add(of);
    this.#machine.write(of, account);
  }

  run(bytes: Uint8Array, wire: LoadedTransaction, checkSignatures: boolean): Run {
    const before = new Map(keysOf(wire).map((of) => [of, this.read(of)]));
    const key = runKey(bytes, wire, checkSignatures, this.#clock, (of) => before.get(of));
    const { after, ...result } = this.#machine.run(bytes, wire, checkSignatures);
    const changes = [...after].map(([of, account]) => [of, patchOf(before.get(of), account)] as const);
    changes.forEach(([of]) => this.#written.add(of));
    this.#runs.set(key, { ...result, after: changes });
    return { ...result, after };
  }
}
