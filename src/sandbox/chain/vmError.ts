import {
  type FailedTransactionMetadata,
  InstructionErrorBorshIo,
  InstructionErrorCustom,
  TransactionErrorDuplicateInstruction,
  TransactionErrorInstructionError,
  TransactionErrorInsufficientFundsForRent,
  TransactionErrorProgramExecutionTemporarilyRestricted,
} from 'litesvm/dist/internal.js';
import type { Address } from '../../solana/address';
import { PROGRAMS } from '../../solana/programs';
import type { WireTransaction } from '../../solana/wire';

/** The runtime's `TransactionError`s without fields, in words, by the number that LiteSVM gives them (its `TransactionErrorFieldless`). */
const TRANSACTION_ERRORS: readonly string[] = [
  'an account is in use',
  'an account is loaded twice',
  'the fee payer does not exist',
  'a program that it calls does not exist',
  'the fee payer has too little SOL for the fee',
  'the fee payer is not an account that can pay fees',
  'it has landed before',
  'its blockhash is not known',
  'programs call each other too deeply',
  'a fee needs a signature',
  'an instruction names an account that is not listed',
  'a signature does not verify',
  'a program that it calls is not one',
  'its parts do not fit together',
  'the cluster is under maintenance',
  'an account is still borrowed',
  'it does not fit into the block',
  'its version is not supported',
  'an account may not be written',
  'an account costs too much in this block',
  'it does not fit into the block',
  'it locks too many accounts',
  'a lookup table does not exist',
  'a lookup table belongs to another program',
  'a lookup table is malformed',
  'a lookup table has no such entry',
  'an account would be left with less SOL than its rent',
  'it does not fit into the block',
  'it does not fit into the block',
  'it loads too much account data',
  'its parts do not fit together',
  'its limit of loaded account data is not allowed',
  'it would make or destroy SOL',
  'too many programs are loaded',
  'it was cancelled',
];

/** The runtime's `InstructionError`s without fields, likewise (`InstructionErrorFieldless`). */
const INSTRUCTION_ERRORS: readonly string[] = [
  'generic error',
  'invalid argument',
  'invalid instruction data',
  'invalid account data',
  'account data too small',
  'insufficient funds',
  'incorrect program id',
  'a required signature is missing',
  'the account is initialised already',
  'the account is not initialised',
  'lamports before and after differ',
  'the program id was changed',
  "another program's lamports were spent",
  "another program's data was changed",
  'lamports of a read-only account were changed',
  'data of a read-only account was changed',
  'an account is given twice',
  'the executable flag was changed',
  'the rent epoch was changed',
  'not enough accounts',
  'the size of account data was changed',
  'the account is not executable',
  'an account could not be borrowed',
  'an account is still borrowed',
  'copies of an account differ',
  'invalid error',
  'data of an executable account was changed',
  'lamports of an executable account were changed',
  'an executable account has less SOL than its rent',
  'the program is not supported',
  'programs call each other too deeply',
  'an account is missing',
  'a program calls itself through another',
  'a seed is too long',
  'the seeds do not give this address',
  'the account cannot grow that much',
  'out of compute units',
  'a call asks for more rights than it has',
  'the program could not be set up',
  'the program failed to complete',
  'the program failed to compile',
  'the account cannot be changed',
  'incorrect authority',
  'the account has less SOL than its rent',
  'the account belongs to another program',
  'arithmetic overflow',
  'the system variable is not supported',
  'the owner is not allowed',
  'too much account data was made',
  'too many accounts',
  'too many instructions',
  'a builtin program used no compute units',
  'the data could not be read or written',
];

const PROGRAM_NAMES: ReadonlyMap<Address, string> = new Map([
  [PROGRAMS.system, 'System program'],
  [PROGRAMS.computeBudget, 'Compute Budget program'],
  [PROGRAMS.token, 'Token program'],
  [PROGRAMS.token2022, 'Token-2022 program'],
  [PROGRAMS.associatedToken, 'Associated Token program'],
  [PROGRAMS.memo, 'Memo program'],
]);

/** How many of the last log lines are told: enough for what a program said before it gave up. */
const LOG_TAIL_LINES = 3;

/** Says in words why the VM refused a transaction; where an instruction failed, with the end of what its programs logged. */
export function describeFailure(failure: FailedTransactionMetadata, wire: WireTransaction): string {
  const error = failure.err();
  if (error instanceof TransactionErrorInstructionError) {
    const logs = logTail(failure.meta().logs());
    return `${describeInstructionError(error.err())}, in instruction ${error.index + 1} (${programOf(wire, error.index)})${logs === '' ? '' : `; log: ${logs}`}`;
  }
  if (error instanceof TransactionErrorInsufficientFundsForRent) {
    return `account ${wire.staticKeys[error.accountIndex] ?? error.accountIndex} would be left with less SOL than its rent`;
  }
  if (error instanceof TransactionErrorDuplicateInstruction) {
    return `instruction ${error.index + 1} may be there only once`;
  }
  if (error instanceof TransactionErrorProgramExecutionTemporarilyRestricted) {
    return `account ${wire.staticKeys[error.accountIndex] ?? error.accountIndex} cannot be run now`;
  }
  return TRANSACTION_ERRORS[error] ?? `error ${error}`;
}

/** The last lines that a program wrote itself; the runtime's own ("Program … invoke") say nothing new. */
function logTail(lines: readonly string[]): string {
  return lines
    .filter((line) => line.startsWith('Program log:') || !line.startsWith('Program '))
    .slice(-LOG_TAIL_LINES)
    .join(' | ');
}

function describeInstructionError(error: ReturnType<TransactionErrorInstructionError['err']>): string {
  if (error instanceof InstructionErrorCustom) {
    return `the program's error ${error.code}`;
  }
  if (error instanceof InstructionErrorBorshIo) {
    return `the data could not be read or written (${error.msg})`;
  }
  return INSTRUCTION_ERRORS[error] ?? `error ${error}`;
}

function programOf(wire: WireTransaction, instruction: number): string {
  const program = wire.staticKeys[wire.instructions[instruction]?.programIdIndex ?? -1];
  return program === undefined ? 'unknown program' : (PROGRAM_NAMES.get(program) ?? program);
}
