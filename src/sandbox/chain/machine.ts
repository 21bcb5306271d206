import { Buffer } from 'node:buffer';
import { Account, Clock, FailedTransactionMetadata, LiteSvm, Rent, type TransactionMetadata } from 'litesvm/dist/internal.js';
import { type Address, addressBytes, addressFromBytes } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import type { RentRate } from '../../base/solana/rent';
import type { WorkingSet } from '../store/workingSet';
import { keysOf, isWritableAt } from './lookupTables';
import type { TransactionFailure } from './preflight';
import type { ChainAccount, ExecutedInnerInstruction, TransactionErrorJson } from './types';
import { standInProgram, STAND_IN_PROGRAMS, STRANGERS_PROGRAM } from './standIns';
import type { Stage } from './stages';
import { describeFailure, failureJson } from './vmError';

/** Length of a slot, unless the chain is given another one. */
export const SLOT_MS = 400;

/** As on mainnet. */
export const SLOTS_PER_EPOCH = 432_000;

/** Fields of the rent sysvar that no longer have a meaning: the rate counts as it is (SIMD-0194). */
const EXEMPTION_THRESHOLD = 1;
const BURNT_PERCENT = 50;

/** Rent epoch of a rent-exempt account. */
export const RENT_EXEMPT_EPOCH = 2n ** 64n - 1n;

const ABSENT = new Account(0n, new Uint8Array(), addressBytes(PROGRAMS.system), false, RENT_EXEMPT_EPOCH);

/** Result of executing a transaction on the VM. */
export type Outcome =
  | {
      readonly kind: 'executed';
      readonly feeLamports: bigint;
      readonly computeUnits: bigint;
      readonly logs: readonly string[];
      readonly inner: readonly ExecutedInnerInstruction[];
    }
  | { readonly kind: 'refused'; readonly reason: string; readonly verdict: TransactionFailure };

/**
 * Executes transactions on the accounts of the working set. Between executions the VM holds only its built-in accounts: programs, sysvars,
 * the mint of wrapped SOL.
 */
export class VirtualMachine {
  readonly #vm: LiteSvm;

  readonly #accounts: WorkingSet<Address, ChainAccount>;

  constructor(accounts: WorkingSet<Address, ChainAccount>, rent: RentRate) {
    this.#vm = makeVm(rent);
    this.#accounts = accounts;
  }

  /** A built-in account of the VM; `undefined` for other accounts. */
  builtInAccount(of: Address): ChainAccount | undefined {
    return this.#read(addressBytes(of));
  }

  /** Lamports of a built-in account. Does not read the data: programs are large. */
  builtInLamports(of: Address): bigint {
    return this.#vm.getBalance(addressBytes(of)) ?? 0n;
  }

  /** Sets the clock sysvar. @param slotMs length of a slot, for the estimated start of the epoch */
  setClock(slot: number, unixSeconds: number, slotMs: number): void {
    const epoch = Math.floor(slot / SLOTS_PER_EPOCH);
    const epochStart = unixSeconds - Math.floor(((slot % SLOTS_PER_EPOCH) * slotMs) / 1_000);
    this.#vm.setClock(new Clock(BigInt(slot), BigInt(epochStart), BigInt(epoch), BigInt(epoch + 1), BigInt(unixSeconds)));
  }

  /**
   * Executes a transaction and writes the changed accounts to the working set; a refused transaction changes nothing. The bytes must be
   * well-formed (preflight.ts).
   */
  execute({ bytes, wire, firstInstruction }: Stage, checkSignatures: boolean): Outcome {
    const accounts = keysOf(wire);
    // The VM resolves lookup tables itself, so it needs the tables, too.
    const tables = new Set(wire.tableLookups.map(({ table }) => table).filter((table) => !accounts.includes(table)));
    const named = [
      ...accounts.map((key, place) => this.#place(key, isWritableAt(wire, place))),
      ...[...tables].map((table) => this.#place(table, false)),
    ];
    try {
      this.#vm.setSigverify(checkSignatures);
      const outcome = this.#vm.sendVersionedTransaction(bytes);
      return outcome instanceof FailedTransactionMetadata
        ? {
            kind: 'refused',
            reason: describeFailure(outcome, wire, firstInstruction),
            verdict: failureOf(failureJson(outcome, firstInstruction), outcome.meta()),
          }
        : this.#readBack(named, outcome, firstInstruction);
    } finally {
      named.forEach((one) => this.#clear(one));
    }
  }

  /** Copies an account of a transaction into the VM. */
  #place(key: Address, writable: boolean): Named {
    const bytes = addressBytes(key);
    const before = this.#accounts.get(key);
    if (before !== undefined) {
      this.#write(bytes, before);
      return { key, bytes, writable, before, isOwn: false };
    }
    // Read-only accounts can't change, and programs are large to read.
    const own = writable ? this.#read(bytes) : undefined;
    return { key, bytes, writable, before: own, isOwn: own !== undefined };
  }

  /** Removes the account from the VM, or restores a built-in one. */
  #clear({ bytes, writable, before, isOwn }: Named): void {
    if (!isOwn && (writable || before !== undefined)) {
      this.#vm.setAccount(bytes, ABSENT);
    } else if (isOwn && before !== undefined && !same(before, this.#read(bytes))) {
      this.#write(bytes, before);
    }
  }

  #readBack(named: readonly Named[], outcome: TransactionMetadata, firstInstruction: number): Outcome {
    const changed = named
      .filter(({ writable }) => writable)
      .map((one) => ({ ...one, after: this.#read(one.bytes) }))
      .filter(({ before, after }) => !same(before, after));
    // Built-in accounts and programs are not in the table, so they can't be changed.
    const kept = changed.find(({ isOwn, after }) => isOwn || after?.executable === true);
    if (kept !== undefined) {
      const reason = `account ${kept.key} may not be written: it is ${kept.isOwn ? "the chain's own" : 'a program'}`;
      return { kind: 'refused', reason, verdict: failureOf('InvalidWritableAccount', outcome) };
    }
    for (const { key, after } of changed) {
      if (after === undefined) {
        this.#accounts.delete(key);
      } else {
        this.#accounts.put(key, after);
      }
    }
    // Only the fee destroys lamports in the VM.
    const feeLamports = changed.reduce((sum, { before, after }) => sum + (before?.lamports ?? 0n) - (after?.lamports ?? 0n), 0n);
    return {
      kind: 'executed',
      feeLamports,
      computeUnits: outcome.computeUnitsConsumed(),
      logs: outcome.logs(),
      inner: innerInstructions(outcome, firstInstruction),
    };
  }

  #read(of: Uint8Array): ChainAccount | undefined {
    const account = this.#vm.getAccount(of);
    return account === null
      ? undefined
      : {
          lamports: account.lamports(),
          program: addressFromBytes(account.owner()),
          data: new Uint8Array(account.data()),
          executable: account.executable(),
        };
  }

  #write(of: Uint8Array, { lamports, data, program, executable }: Readonly<ChainAccount>): void {
    this.#vm.setAccount(of, new Account(lamports, data, addressBytes(program), executable, RENT_EXEMPT_EPOCH));
  }
}

/** An account of a transaction. */
interface Named {
  readonly key: Address;
  readonly bytes: Uint8Array;
  readonly writable: boolean;
  readonly before: Readonly<ChainAccount> | undefined;
  /** A built-in account of the VM. */
  readonly isOwn: boolean;
}

/** Creates the VM. The chain checks blockhashes and duplicates: LiteSVM knows one blockhash and 32 transactions. */
function makeVm({ lamportsPerByte }: RentRate): LiteSvm {
  const vm = new LiteSvm();
  vm.setRent(new Rent(lamportsPerByte, EXEMPTION_THRESHOLD, BURNT_PERCENT));
  vm.withNativeMints();
  vm.setBlockhashCheck(false);
  vm.setTransactionHistory(0n);
  const program = standInProgram();
  for (const programId of [...STAND_IN_PROGRAMS, STRANGERS_PROGRAM]) {
    vm.addProgram(addressBytes(programId), program);
  }
  return vm;
}

function failureOf(error: TransactionErrorJson, meta: TransactionMetadata): TransactionFailure {
  return { error, computeUnits: meta.computeUnitsConsumed(), logs: meta.logs() };
}

function innerInstructions(outcome: TransactionMetadata, firstInstruction: number): readonly ExecutedInnerInstruction[] {
  return outcome.innerInstructions().flatMap((called, place) =>
    called.map((inner) => {
      const instruction = inner.instruction();
      return {
        within: firstInstruction + place,
        programIdIndex: instruction.programIdIndex(),
        accountIndexes: [...instruction.accounts()],
        data: new Uint8Array(instruction.data()),
        stackHeight: inner.stackHeight(),
      };
    }),
  );
}

function same(one: Readonly<ChainAccount> | undefined, other: Readonly<ChainAccount> | undefined): boolean {
  if (one === undefined || other === undefined) {
    return one === other;
  }
  return (
    one.lamports === other.lamports &&
    one.program === other.program &&
    one.executable === other.executable &&
    Buffer.compare(one.data, other.data) === 0
  );
}
