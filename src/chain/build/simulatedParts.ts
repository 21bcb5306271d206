import { DLMM_INSTRUCTIONS } from '../../base/solana/generated/dlmmInstructions';
import { findInstruction } from '../../base/solana/instructionCodec';
import { PROGRAMS } from '../../base/solana/programs';
import type { V1Instruction } from '../../base/solana/writeV1Transaction';

/** Instruction of the Token programs that closes an account. */
const CLOSE_ACCOUNT = 9;

/** Place of the new bin array among the accounts of `initialize_bin_array`. */
const BIN_ARRAY_AT = 1;

/** Returns whether an instruction deposits into bins. A deposit into other bins does not change whether it succeeds. */
export function isBinDeposit(instruction: V1Instruction): boolean {
  return nameOf(instruction).startsWith('add_liquidity');
}

/**
 * What instructions need of those before them: accounts, tokens, an open position and their own bin arrays, but neither deposits nor
 * withdrawals. Repetitions are left out: they do nothing.
 */
export function preparationOf(instructions: readonly V1Instruction[], before: readonly V1Instruction[]): readonly V1Instruction[] {
  const used = new Set<string | undefined>(instructions.flatMap(({ accounts }) => accounts.map(({ address }) => address)));
  const needed = before.filter((earlier) => {
    const name = nameOf(earlier);
    const isToken = earlier.program === PROGRAMS.token || earlier.program === PROGRAMS.token2022;
    return (
      !/^(?:add_liquidity|remove_liquidity|claim_|close_position)/.test(name) &&
      !(isToken && earlier.data[0] === CLOSE_ACCOUNT) &&
      (name !== 'initialize_bin_array' || used.has(earlier.accounts[BIN_ARRAY_AT]?.address))
    );
  });
  return [...new Map(needed.map((of) => [nameOf(of) === '' ? of : keyOf(of), of])).values()];
}

/** Name of an instruction of DLMM; empty for other programs. */
function nameOf({ program, data }: V1Instruction): string {
  return program === PROGRAMS.dlmm ? (findInstruction(DLMM_INSTRUCTIONS, data)?.name ?? '') : '';
}

function keyOf({ data, accounts }: V1Instruction): string {
  return `${Buffer.from(data).toString('hex')} ${accounts.map(({ address }) => address).join(' ')}`;
}
