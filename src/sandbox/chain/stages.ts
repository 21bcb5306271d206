import { Buffer } from 'node:buffer';
import { PROGRAMS } from '../../base/solana/programs';
import { parseTransaction } from '../../base/solana/wireTransaction';
import { STAND_IN_PROGRAMS } from './standIns';
import type { LoadedTransaction } from './types';

// Effects of stand-in programs are applied when the virtual machine has executed a transaction. In v1, one transaction has room for a whole
// operation, whose last instructions need what the pool gave: to unwrap SOL, for instance. So a v1 transaction is executed in two parts, with
// the effects between them: the instructions up to the last one of a stand-in program, and the others.

/** Instructions of a transaction that are executed together, as a transaction with the same accounts. Its signatures are not valid. */
export interface Stage {
  readonly bytes: Uint8Array;
  readonly wire: LoadedTransaction;
  /** Index in the whole transaction of its first instruction. */
  readonly firstInstruction: number;
}

/** Layout of v1 (SIMD-0385): instruction count behind version, header, mask and blockhash; values of the config behind the addresses. */
const COUNT_OFFSET = 40;
const ADDRESSES_OFFSET = 42;
const ADDRESS_BYTES = 32;
const FEE_BYTES = 8;
const LIMIT_BYTES = 4;

/** The network lowers a higher limit to this. */
const MAX_COMPUTE_UNITS = 1_400_000;

/** Splits a v1 transaction behind its last instruction of a stand-in program; `undefined` if it is executed as a whole. */
export function stagesOf(bytes: Uint8Array, wire: LoadedTransaction): { readonly first: Stage; readonly rest: Stage } | undefined {
  const { instructions, staticKeys, version } = wire;
  const programs = instructions.map(({ programIdIndex }) => staticKeys[programIdIndex]);
  const last = programs.findLastIndex((program) => STAND_IN_PROGRAMS.some((one) => one === program));
  const from = last + 1;
  if (version !== 1 || last < 0 || programs.slice(from).every((program) => program === PROGRAMS.computeBudget)) {
    return undefined;
  }
  return { first: stage(bytes, wire, 0, from), rest: stage(bytes, wire, from, instructions.length) };
}

/** The second stage without a priority fee, which the first paid, and with the compute units that the first left. */
export function continued({ bytes, wire, firstInstruction }: Stage, computeUnits: bigint): Stage {
  const config = wire.config;
  const limit = config?.computeUnitLimit;
  const hasFee = config?.priorityFeeLamports !== undefined;
  const copy = Buffer.from(bytes);
  const feeOffset = ADDRESSES_OFFSET + ADDRESS_BYTES * wire.staticKeys.length;
  if (hasFee) {
    copy.writeBigUInt64LE(0n, feeOffset);
  }
  if (limit !== undefined) {
    copy.writeUInt32LE(Math.max(0, Math.min(limit, MAX_COMPUTE_UNITS) - Number(computeUnits)), feeOffset + (hasFee ? FEE_BYTES : 0));
  }
  return read(copy, firstInstruction);
}

function stage(bytes: Uint8Array, wire: LoadedTransaction, from: number, to: number): Stage {
  const instructions = wire.instructions.slice(from, to);
  const { priorityFeeLamports, ...limits } = wire.config ?? {};
  const headsOffset =
    ADDRESSES_OFFSET +
    ADDRESS_BYTES * wire.staticKeys.length +
    (priorityFeeLamports === undefined ? 0 : FEE_BYTES) +
    LIMIT_BYTES * Object.values(limits).filter((limit) => limit !== undefined).length;
  const start = bytes.slice(0, headsOffset);
  start[COUNT_OFFSET] = instructions.length;
  const parts = [
    start,
    ...instructions.map(({ programIdIndex, accountIndexes, data }) =>
      Uint8Array.of(programIdIndex, accountIndexes.length, data.length & 0xff, data.length >> 8),
    ),
    ...instructions.flatMap(({ accountIndexes, data }) => [Uint8Array.from(accountIndexes), data]),
    bytes.subarray(wire.messageEnd),
  ];
  return read(Buffer.concat(parts), from);
}

/** The strict reader is in front of the virtual machine here, too. */
function read(written: Uint8Array, firstInstruction: number): Stage {
  const bytes = new Uint8Array(written);
  return { bytes, wire: parseTransaction(bytes), firstInstruction };
}
