import { Buffer } from 'node:buffer';
import { Account, Clock, FailedTransactionMetadata, LiteSvm, type TransactionMetadata } from 'litesvm/dist/internal.js';
import { type Address, addressBytes, addressFromBytes } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import type { WorkingSet } from '../store/workingSet';
import { keysOf, isWritableAt } from './lookupTables';
import type { TransactionFailure } from './preflight';
import type { ChainAccount, ExecutedInnerInstruction, LoadedTransaction, TransactionErrorJson } from './types';
import { describeFailure, failureJson } from './vmError';

/** Length of a slot, unless the chain is given another one. */
export const SLOT_MS = 400;

/** As on mainnet. */
export const SLOTS_PER_EPOCH = 432_000;

/** Programs whose binaries may not be shipped; {@link standInProgram} replaces them. */
export const STAND_IN_PROGRAMS: readonly Address[] = [PROGRAMS.dlmm, PROGRAMS.dammV2, PROGRAMS.jupiterV6];

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
  readonly #vm = makeVm();

  readonly #accounts: WorkingSet<Address, ChainAccount>;

  constructor(accounts: WorkingSet<Address, ChainAccount>) {
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
  execute(bytes: Uint8Array, wire: LoadedTransaction, checkSignatures: boolean): Outcome {
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
        ? { kind: 'refused', reason: describeFailure(outcome, wire), verdict: failureOf(failureJson(outcome), outcome.meta()) }
        : this.#readBack(named, outcome);
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

  #readBack(named: readonly Named[], outcome: TransactionMetadata): Outcome {
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
      inner: innerInstructions(outcome),
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
function makeVm(): LiteSvm {
  const vm = new LiteSvm();
  vm.withNativeMints();
  vm.setBlockhashCheck(false);
  vm.setTransactionHistory(0n);
  const program = standInProgram();
  for (const programId of STAND_IN_PROGRAMS) {
    vm.addProgram(addressBytes(programId), program);
  }
  return vm;
}

function failureOf(error: TransactionErrorJson, meta: TransactionMetadata): TransactionFailure {
  return { error, computeUnits: meta.computeUnitsConsumed(), logs: meta.logs() };
}

function innerInstructions(outcome: TransactionMetadata): readonly ExecutedInnerInstruction[] {
  return outcome.innerInstructions().flatMap((called, within) =>
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

const FILE_HEADER_BYTES = 64;

const PROGRAM_HEADER_BYTES = 56;

const SECTION_HEADER_BYTES = 64;

const SHARED_OBJECT = 3;

const MACHINE_SBF = 247;

const SEGMENT_LOAD = 1;

const SEGMENT_READ_EXECUTE = 5;

const SECTION_PROGRAM_BITS = 1;

const SECTION_STRING_TABLE = 3;

const SECTION_ALLOCATED_EXECUTABLE = 6;

/** `mov64 r0, 0` and `exit`: the program returns success. */
const CODE = Buffer.from('b7000000000000009500000000000000', 'hex');

const SECTION_NAMES = Buffer.from('\0.text\0.shstrtab\0', 'latin1');

/**
 * Builds a program that accepts every instruction and does nothing: a minimal ELF file of 64-bit SBF code (headers, one segment, `.text`,
 * `.shstrtab`). It replaces programs whose binaries may not be shipped.
 */
function standInProgram(): Uint8Array {
  const codeOffset = FILE_HEADER_BYTES + PROGRAM_HEADER_BYTES;
  const namesOffset = codeOffset + CODE.length;
  const sectionsOffset = aligned(namesOffset + SECTION_NAMES.length);
  return new Uint8Array(
    Buffer.concat([
      fileHeader(codeOffset, sectionsOffset),
      programHeader(codeOffset),
      CODE,
      SECTION_NAMES,
      Buffer.alloc(sectionsOffset - namesOffset - SECTION_NAMES.length),
      Buffer.alloc(SECTION_HEADER_BYTES),
      sectionHeader({
        name: SECTION_NAMES.indexOf('.text'),
        type: SECTION_PROGRAM_BITS,
        flags: SECTION_ALLOCATED_EXECUTABLE,
        offset: codeOffset,
        size: CODE.length,
      }),
      sectionHeader({
        name: SECTION_NAMES.indexOf('.shstrtab'),
        type: SECTION_STRING_TABLE,
        flags: 0,
        offset: namesOffset,
        size: SECTION_NAMES.length,
      }),
    ]),
  );
}

function fileHeader(entry: number, sectionsOffset: number): Buffer {
  const header = Buffer.alloc(FILE_HEADER_BYTES);
  Buffer.from('7f454c46020101', 'hex').copy(header); // magic, 64 bits, little endian, version 1
  header.writeUInt16LE(SHARED_OBJECT, 16);
  header.writeUInt16LE(MACHINE_SBF, 18);
  header.writeUInt32LE(1, 20); // version
  header.writeBigUInt64LE(BigInt(entry), 24);
  header.writeBigUInt64LE(BigInt(FILE_HEADER_BYTES), 32); // offset of the program header
  header.writeBigUInt64LE(BigInt(sectionsOffset), 40);
  header.writeUInt16LE(FILE_HEADER_BYTES, 52);
  header.writeUInt16LE(PROGRAM_HEADER_BYTES, 54);
  header.writeUInt16LE(1, 56); // segments
  header.writeUInt16LE(SECTION_HEADER_BYTES, 58);
  header.writeUInt16LE(3, 60); // sections: null, .text, .shstrtab
  header.writeUInt16LE(2, 62); // index of .shstrtab
  return header;
}

function programHeader(codeOffset: number): Buffer {
  const header = Buffer.alloc(PROGRAM_HEADER_BYTES);
  header.writeUInt32LE(SEGMENT_LOAD, 0);
  header.writeUInt32LE(SEGMENT_READ_EXECUTE, 4);
  for (const [place, value] of [codeOffset, codeOffset, codeOffset, CODE.length, CODE.length, 8].entries()) {
    header.writeBigUInt64LE(BigInt(value), 8 + 8 * place); // offset, two addresses, two sizes, alignment
  }
  return header;
}

function sectionHeader(section: { name: number; type: number; flags: number; offset: number; size: number }): Buffer {
  const header = Buffer.alloc(SECTION_HEADER_BYTES);
  header.writeUInt32LE(section.name, 0);
  header.writeUInt32LE(section.type, 4);
  header.writeBigUInt64LE(BigInt(section.flags), 8);
  header.writeBigUInt64LE(BigInt(section.flags === 0 ? 0 : section.offset), 16); // address, only of loaded sections
  header.writeBigUInt64LE(BigInt(section.offset), 24);
  header.writeBigUInt64LE(BigInt(section.size), 32);
  header.writeBigUInt64LE(1n, 48); // alignment
  return header;
}

function aligned(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
