import { DAMM_INSTRUCTIONS } from '../../base/solana/generated/dammInstructions';
import { DLMM_INSTRUCTIONS } from '../../base/solana/generated/dlmmInstructions';
import { findInstruction, type InstructionLayout } from '../../base/solana/instructionCodec';
import { PROGRAMS } from '../../base/solana/programs';
import { EffectError, type LoadedTransaction } from '../chain/types';
import { instructionsOf, matchInstruction, type Reading, type ReadInstruction } from './instructionReader';
import { JUPITER_ROUTE } from './jupiterRoute';
import { readDamm } from './readDamm';
import { readDlmm } from './readDlmm';
import { readRoute } from './readRoute';
import type { Effect } from './types';

/**
 * Gives what the stand-in programs' instructions of a landed transaction would have done, in order; what the VM has run
 * itself (System, Token, compute budget) is not among it. Strict: an instruction counts only if it is, account for account
 * and byte for byte, what the builders of this room write for the effect that it says it has.
 * @throws EffectError where an instruction is another one, or is not well formed.
 */
export function readEffects(transaction: LoadedTransaction): readonly Effect[] {
  return instructionsOf(transaction).flatMap((instruction) => {
    switch (instruction.program) {
      case PROGRAMS.dlmm:
        return [readOne(instruction, DLMM_INSTRUCTIONS, readDlmm)];
      case PROGRAMS.jupiterV6:
        return [readOne(instruction, [JUPITER_ROUTE], readRoute)];
      case PROGRAMS.dammV2:
        return [readOne(instruction, DAMM_INSTRUCTIONS, readDamm)];
      default:
        return [];
    }
  });
}

type Reader = (instruction: ReadInstruction, layout: InstructionLayout) => Reading | undefined;

function readOne(instruction: ReadInstruction, layouts: readonly InstructionLayout[], read: Reader): Effect {
  const layout = findInstruction(layouts, instruction.data);
  const reading = layout === undefined ? undefined : read(instruction, layout);
  if (layout === undefined || reading === undefined) {
    throw new EffectError(`The sandbox does not carry out ${layout?.name ?? 'this instruction'} of program ${instruction.program}`);
  }
  matchInstruction(instruction, layout, reading);
  return reading.effect;
}
