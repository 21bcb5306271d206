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
import { keysOf } from './loadedTransaction';
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS } from './runtimeErrors';
import type { LoadedTransaction, TransactionErrorJson } from './types';

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
export function describeFailure(failure: FailedTransactionMetadata, wire: LoadedTransaction): string {
  const error = failure.err();
  if (error instanceof TransactionErrorInstructionError) {
    const logs = logTail(failure.meta().logs());
    return `${describeInstructionError(error.err())}, in instruction ${error.index + 1} (${programOf(wire, error.index)})${logs === '' ? '' : `; log: ${logs}`}`;
  }
  if (error instanceof TransactionErrorInsufficientFundsForRent) {
    return `account ${keysOf(wire)[error.accountIndex] ?? error.accountIndex} would be left with less SOL than its rent`;
  }
  if (error instanceof TransactionErrorDuplicateInstruction) {
    return `instruction ${error.index + 1} may be there only once`;
  }
  if (error instanceof TransactionErrorProgramExecutionTemporarilyRestricted) {
    return `account ${keysOf(wire)[error.accountIndex] ?? error.accountIndex} cannot be run now`;
  }
  return TRANSACTION_ERRORS[error]?.[1] ?? `error ${error}`;
}

/** Why the VM refused a transaction, as a node writes it in JSON (serde of the runtime's `TransactionError`). */
export function failureJson(failure: FailedTransactionMetadata): TransactionErrorJson {
  const error = failure.err();
  if (error instanceof TransactionErrorInstructionError) {
    return { InstructionError: [error.index, instructionErrorJson(error.err())] };
  }
  if (error instanceof TransactionErrorInsufficientFundsForRent) {
    return { InsufficientFundsForRent: { account_index: error.accountIndex } };
  }
  if (error instanceof TransactionErrorDuplicateInstruction) {
    return { DuplicateInstruction: error.index };
  }
  if (error instanceof TransactionErrorProgramExecutionTemporarilyRestricted) {
    return { ProgramExecutionTemporarilyRestricted: { account_index: error.accountIndex } };
  }
  return TRANSACTION_ERRORS[error]?.[0] ?? 'SanitizeFailure';
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
  return INSTRUCTION_ERRORS[error]?.[1] ?? `error ${error}`;
}

function instructionErrorJson(error: ReturnType<TransactionErrorInstructionError['err']>): TransactionErrorJson {
  if (error instanceof InstructionErrorCustom) {
    return { Custom: error.code };
  }
  if (error instanceof InstructionErrorBorshIo) {
    return 'BorshIoError';
  }
  return INSTRUCTION_ERRORS[error]?.[0] ?? 'GenericError';
}

function programOf(wire: LoadedTransaction, instruction: number): string {
  const program = wire.staticKeys[wire.instructions[instruction]?.programIdIndex ?? -1];
  return program === undefined ? 'unknown program' : (PROGRAM_NAMES.get(program) ?? program);
}
