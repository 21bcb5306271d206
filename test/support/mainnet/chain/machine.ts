import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Account, Clock, FailedTransactionMetadata, LiteSvm, type TransactionMetadata } from 'litesvm/dist/internal.js';
import { type Address, addressBytes, addressFromBytes } from '../../../../src/base/solana/address';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import { isWritableAt, keysOf } from '../../../../src/sandbox/chain/lookupTables';
import { RENT_EXEMPT_EPOCH, SLOTS_PER_EPOCH } from '../../../../src/sandbox/chain/machine';
import type { ChainAccount, ExecutedInnerInstruction, LoadedTransaction, TransactionErrorJson } from '../../../../src/sandbox/chain/types';
import { failureJson } from '../../../../src/sandbox/chain/vmError';
import { PROGRAMS_BUILT } from '../../programs';

const ABSENT = new Account(0n, new Uint8Array(), addressBytes(PROGRAMS.system), false, RENT_EXEMPT_EPOCH);

/** The result of a transaction in the VM. */
export interface Run {
  readonly error: TransactionErrorJson | null;
  readonly computeUnits: bigint;
  readonly logs: readonly string[];
  readonly inner: readonly ExecutedInnerInstruction[];
  /** The accounts that it may have changed, as they are after it; `undefined`: it does not exist. */
  readonly after: ReadonlyMap<Address, Readonly<ChainAccount> | undefined>;
}

/** What runs the transactions of a little chain, with all accounts. */
export interface Machine {
  /** Sets the clock sysvar. */
  setClock(slot: number, unixSeconds: number, slotMs: number): void;
  /** The least lamports of an account with so many bytes. */
  minimumBalance(bytes: number): bigint;
  read(of: Address): ChainAccount | undefined;
  write(of: Address, account: Readonly<ChainAccount> | undefined): void;
  /** Runs a transaction, whose bytes must be well-formed. Its changes stay in the machine. */
  run(bytes: Uint8Array, wire: LoadedTransaction, checkSignatures: boolean): Run;
}

/** The Solana VM with the real programs. */
export class ProgramMachine implements Machine {
  readonly #vm = new LiteSvm();

  /** @param programFolder builds of the real programs */
  constructor(programFolder: string) {
    this.#vm.withNativeMints();
    // The chain checks blockhashes and duplicates itself: LiteSVM knows one blockhash.
    this.#vm.setBlockhashCheck(false);
    this.#vm.setTransactionHistory(0n);
    for (const { program, file } of PROGRAMS_BUILT) {
      this.#vm.addProgram(addressBytes(program), readFileSync(join(programFolder, file)));
    }
  }

  setClock(slot: number, unixSeconds: number, slotMs: number): void {
    const epoch = Math.floor(slot / SLOTS_PER_EPOCH);
    const epochStart = unixSeconds - Math.floor(((slot % SLOTS_PER_EPOCH) * slotMs) / 1_000);
    this.#vm.setClock(new Clock(BigInt(slot), BigInt(epochStart), BigInt(epoch), BigInt(epoch + 1), BigInt(unixSeconds)));
  }

  minimumBalance(bytes: number): bigint {
    return this.#vm.minimumBalanceForRentExemption(BigInt(bytes));
  }

  read(of: Address): ChainAccount | undefined {
    const account = this.#vm.getAccount(addressBytes(of));
    return account === null || account.lamports() === 0n
      ? undefined
      : {
          lamports: account.lamports(),
          program: addressFromBytes(account.owner()),
          data: new Uint8Array(account.data()),
          executable: account.executable(),
        };
  }

  write(of: Address, account: Readonly<ChainAccount> | undefined): void {
    this.#vm.setAccount(
      addressBytes(of),
      account === undefined
        ? ABSENT
        : new Account(account.lamports, account.data, addressBytes(account.program), account.executable, RENT_EXEMPT_EPOCH),
    );
  }

  run(bytes: Uint8Array, wire: LoadedTransaction, checkSignatures: boolean): Run {
    this.#vm.setSigverify(checkSignatures);
    const outcome = this.#vm.sendVersionedTransaction(bytes);
    const failed = outcome instanceof FailedTransactionMetadata;
    const meta = failed ? outcome.meta() : outcome;
    const writable = keysOf(wire).filter((_, place) => isWritableAt(wire, place));
    return {
      error: failed ? failureJson(outcome, 0) : null,
      computeUnits: meta.computeUnitsConsumed(),
      logs: meta.logs(),
      inner: innerInstructions(meta),
      after: new Map(writable.map((key) => [key, this.read(key)])),
    };
  }
}

function innerInstructions(meta: TransactionMetadata): readonly ExecutedInnerInstruction[] {
  return meta.innerInstructions().flatMap((called, within) =>
    called.map((inner) => {
      const instruction = inner.instruction();
      return {
        within,
        programIdIndex: instruction.programIdIndex(),
        accountIndexes: [...instruction.accounts()],
        data: new Uint8Array(instruction.data()),
        stackHeight: inner.stackHeight(),
      };
    }),
  );
}

/** Whether two accounts are the same. */
export function sameAccount(one: Readonly<ChainAccount> | undefined, other: Readonly<ChainAccount> | undefined): boolean {
  if (one === undefined || other === undefined) {
    return one === other;
  }
  return one.lamports === other.lamports && one.program === other.program && Buffer.compare(one.data, other.data) === 0;
}
