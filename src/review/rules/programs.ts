import type { Address } from '../../solana/address';
import { PROGRAMS } from '../../solana/programs';
import { isOwned } from '../context';
import { FORBIDDEN_PROGRAMS, PRECOMPILES, REVIEW_PROGRAMS, UNREADABLE_PROGRAMS } from '../knownPrograms';
import { reviewAssociatedToken } from './associatedToken';
import { reviewBudgetInstruction } from './budget';
import { reviewDlmm } from './dlmm';
import { reviewJupiter } from './jupiter';
import { reviewLighthouse, reviewMemo } from './notesAndAssertions';
import type { InstructionRule } from './rule';
import { reviewSystem } from './system';
import { reviewToken } from './token';

/** The rules of each program that the review reads. */
const RULES: ReadonlyMap<Address, InstructionRule> = new Map([
  [PROGRAMS.system, reviewSystem],
  [PROGRAMS.computeBudget, reviewBudgetInstruction],
  [PROGRAMS.token, reviewToken],
  [PROGRAMS.token2022, reviewToken],
  [PROGRAMS.associatedToken, reviewAssociatedToken],
  [PROGRAMS.memo, reviewMemo],
  [PROGRAMS.memoV1, reviewMemo],
  [PROGRAMS.dlmm, reviewDlmm],
  [PROGRAMS.jupiterV6, reviewJupiter],
  [REVIEW_PROGRAMS.lighthouse, reviewLighthouse],
]);

/** Policy §4 (PRG): hands an instruction to the rules of its program; without any, it is refused (default deny). */
export const reviewInstruction: InstructionRule = (reading, context, notes) => {
  const { program } = reading.view;
  const rule = RULES.get(program);
  if (rule === undefined) {
    reviewStranger(reading, context, notes);
  } else {
    rule(reading, context, notes);
  }
};

/** PRG-2 to PRG-4: programs without rules. */
const reviewStranger: InstructionRule = (reading, context, notes) => {
  const { program, accounts } = reading.view;
  const forbidden = FORBIDDEN_PROGRAMS.get(program);
  const unreadable = UNREADABLE_PROGRAMS.get(program);
  const precompile = PRECOMPILES.get(program);
  if (forbidden !== undefined) {
    notes.block('PRG-3', `The transaction calls the program "${forbidden}", which is never part of a liquidity operation.`, { address: program });
  } else if (unreadable !== undefined) {
    notes.block('PRG-2', `The transaction calls ${unreadable}, whose instructions Binsight cannot read. What cannot be read is not signed.`, { address: program });
  } else if (precompile !== undefined) {
    notes.confirm('PRG-4', `The transaction checks signatures over other data (${precompile}), which this operation does not need.`, { address: program });
  } else if (accounts.some(({ address }) => address === undefined || address === context.intent.owner || isOwned(context, address))) {
    notes.block('PRG-2', `The unknown program ${program} would act with your signature or your accounts.`, { address: program });
  } else {
    notes.confirm('PRG-2', `The transaction calls the unknown program ${program}; none of your accounts is given to it.`, { address: program });
  }
};
