import { Buffer } from 'node:buffer';
import { LAMPORTS_PER_SIGNATURE, PROGRAMS } from '../../base/solana/programs';
import type { WireTransaction } from '../../base/solana/wireTransaction';

/** Instructions of the Compute Budget program. */
const SET_COMPUTE_UNIT_LIMIT = 2;
const SET_COMPUTE_UNIT_PRICE = 3;

/** Compute units that an instruction may use where the message sets no limit: of a built-in program, of another one, of all. */
const UNITS_OF_BUILT_IN = 3_000n;
const UNITS_OF_PROGRAM = 200_000n;
const MOST_UNITS = 1_400_000n;

const MICRO_LAMPORTS_PER_LAMPORT = 1_000_000n;

/** Programs that are part of the runtime, as far as the sandbox sees any. */
const BUILT_IN: ReadonlySet<string> = new Set([PROGRAMS.system, PROGRAMS.computeBudget]);

/** What landing costs: 5,000 lamports a signature, and the price of the compute units asked for, rounded up. */
export function feeOf({ requiredSignatures, instructions, staticKeys }: WireTransaction): bigint {
  let price = 0n;
  let limit: bigint | undefined;
  let byDefault = 0n;
  for (const { programIdIndex, data } of instructions) {
    const program = staticKeys[programIdIndex] ?? '';
    byDefault += BUILT_IN.has(program) ? UNITS_OF_BUILT_IN : UNITS_OF_PROGRAM;
    if (program === PROGRAMS.computeBudget) {
      const bytes = Buffer.from(data);
      if (bytes[0] === SET_COMPUTE_UNIT_LIMIT && bytes.length >= 5) {
        limit = BigInt(bytes.readUInt32LE(1));
      } else if (bytes[0] === SET_COMPUTE_UNIT_PRICE && bytes.length >= 9) {
        price = bytes.readBigUInt64LE(1);
      }
    }
  }
  const units = least(limit ?? byDefault, MOST_UNITS);
  return (
    BigInt(requiredSignatures) * LAMPORTS_PER_SIGNATURE + (units * price + MICRO_LAMPORTS_PER_LAMPORT - 1n) / MICRO_LAMPORTS_PER_LAMPORT
  );
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
