import {
  type FailedTransactionMetadata,
  InstructionErrorBorshIo,
  InstructionErrorCustom,
  TransactionErrorDuplicateInstruction,
  TransactionErrorInstructionError,
  TransactionErrorInsufficientFundsForRent,
  TransactionErrorProgramExecutionTemporarilyRestricted,
} from 'litesvm/dist/internal.js';
import type { Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import { keysOf } from './lookupTables';
import type { LoadedTransaction, TransactionErrorJson } from './types';

/** The name of an error in the JSON of nodes, and its description. */
export type NamedError = readonly [name: string, words: string];

/** The runtime's `TransactionError` variants without fields, by their number in LiteSVM (`TransactionErrorFieldless`). */
const TRANSACTION_ERRORS: readonly NamedError[] = [
  ['AccountInUse', 'an account is in use'],
  ['AccountLoadedTwice', 'an account is loaded twice'],
  ['AccountNotFound', 'the fee payer does not exist'],
  ['ProgramAccountNotFound', 'a program that it calls does not exist'],
  ['InsufficientFundsForFee', 'the fee payer has too little SOL for the fee'],
  ['InvalidAccountForFee', 'the fee payer is not an account that can pay fees'],
  ['AlreadyProcessed', 'it has landed before'],
  ['BlockhashNotFound', 'its blockhash is not known'],
  ['CallChainTooDeep', 'programs call each other too deeply'],
  ['MissingSignatureForFee', 'a fee needs a signature'],
  ['InvalidAccountIndex', 'an instruction names an account that is not listed'],
  ['SignatureFailure', 'a signature does not verify'],
  ['InvalidProgramForExecution', 'a program that it calls is not one'],
  ['SanitizeFailure', 'its parts do not fit together'],
  ['ClusterMaintenance', 'the cluster is under maintenance'],
  ['AccountBorrowOutstanding', 'an account is still borrowed'],
  ['WouldExceedMaxBlockCostLimit', 'it does not fit into the block'],
  ['UnsupportedVersion', 'its version is not supported'],
  ['InvalidWritableAccount', 'an account may not be written'],
  ['WouldExceedMaxAccountCostLimit', 'an account costs too much in this block'],
  ['WouldExceedAccountDataBlockLimit', 'it does not fit into the block'],
  ['TooManyAccountLocks', 'it locks too many accounts'],
  ['AddressLookupTableNotFound', 'a lookup table does not exist'],
  ['InvalidAddressLookupTableOwner', 'a lookup table belongs to another program'],
  ['InvalidAddressLookupTableData', 'a lookup table is malformed'],
  ['InvalidAddressLookupTableIndex', 'a lookup table has no such entry'],
  ['InvalidRentPayingAccount', 'an account would be left with less SOL than its rent'],
  ['WouldExceedMaxVoteCostLimit', 'it does not fit into the block'],
  ['WouldExceedAccountDataTotalLimit', 'it does not fit into the block'],
  ['MaxLoadedAccountsDataSizeExceeded', 'it loads too much account data'],
  ['ResanitizationNeeded', 'its parts do not fit together'],
  ['InvalidLoadedAccountsDataSizeLimit', 'its limit of loaded account data is not allowed'],
  ['UnbalancedTransaction', 'it would make or destroy SOL'],
  ['ProgramCacheHitMaxLimit', 'too many programs are loaded'],
  ['CommitCancelled', 'it was cancelled'],
];

/** The runtime's `InstructionError` variants without fields, by their number in LiteSVM (`InstructionErrorFieldless`). */
const INSTRUCTION_ERRORS: readonly NamedError[] = [
  ['GenericError', 'generic error'],
  ['InvalidArgument', 'invalid argument'],
  ['InvalidInstructionData', 'invalid instruction data'],
  ['InvalidAccountData', 'invalid account data'],
  ['AccountDataTooSmall', 'account data too small'],
  ['InsufficientFunds', 'insufficient funds'],
  ['IncorrectProgramId', 'incorrect program id'],
  ['MissingRequiredSignature', 'a required signature is missing'],
  ['AccountAlreadyInitialized', 'the account is initialized already'],
  ['UninitializedAccount', 'the account is not initialized'],
  ['UnbalancedInstruction', 'lamports before and after differ'],
  ['ModifiedProgramId', 'the program id was changed'],
  ['ExternalAccountLamportSpend', "another program's lamports were spent"],
  ['ExternalAccountDataModified', "another program's data was changed"],
  ['ReadonlyLamportChange', 'lamports of a read-only account were changed'],
  ['ReadonlyDataModified', 'data of a read-only account was changed'],
  ['DuplicateAccountIndex', 'an account is given twice'],
  ['ExecutableModified', 'the executable flag was changed'],
  ['RentEpochModified', 'the rent epoch was changed'],
  ['NotEnoughAccountKeys', 'not enough accounts'],
  ['AccountDataSizeChanged', 'the size of account data was changed'],
  ['AccountNotExecutable', 'the account is not executable'],
  ['AccountBorrowFailed', 'an account could not be borrowed'],
  ['AccountBorrowOutstanding', 'an account is still borrowed'],
  ['DuplicateAccountOutOfSync', 'copies of an account differ'],
  ['InvalidError', 'invalid error'],
  ['ExecutableDataModified', 'data of an executable account was changed'],
  ['ExecutableLamportChange', 'lamports of an executable account were changed'],
  ['ExecutableAccountNotRentExempt', 'an executable account has less SOL than its rent'],
  ['UnsupportedProgramId', 'the program is not supported'],
  ['CallDepth', 'programs call each other too deeply'],
  ['MissingAccount', 'an account is missing'],
  ['ReentrancyNotAllowed', 'a program calls itself through another'],
  ['MaxSeedLengthExceeded', 'a seed is too long'],
  ['InvalidSeeds', 'the seeds do not give this address'],
  ['InvalidRealloc', 'the account cannot grow that much'],
  ['ComputationalBudgetExceeded', 'out of compute units'],
  ['PrivilegeEscalation', 'a call asks for more rights than it has'],
  ['ProgramEnvironmentSetupFailure', 'the program could not be set up'],
  ['ProgramFailedToComplete', 'the program failed to complete'],
  ['ProgramFailedToCompile', 'the program failed to compile'],
  ['Immutable', 'the account cannot be changed'],
  ['IncorrectAuthority', 'incorrect authority'],
  ['AccountNotRentExempt', 'the account has less SOL than its rent'],
  ['InvalidAccountOwner', 'the account belongs to another program'],
  ['ArithmeticOverflow', 'arithmetic overflow'],
  ['UnsupportedSysvar', 'the system variable is not supported'],
  ['IllegalOwner', 'the owner is not allowed'],
  ['MaxAccountsDataAllocationsExceeded', 'too much account data was made'],
  ['MaxAccountsExceeded', 'too many accounts'],
  ['MaxInstructionTraceLengthExceeded', 'too many instructions'],
  ['BuiltinProgramsMustConsumeComputeUnits', 'a builtin program used no compute units'],
  ['BorshIoError', 'the data could not be read or written'],
];

const PROGRAM_NAMES: ReadonlyMap<Address, string> = new Map([
  [PROGRAMS.system, 'System program'],
  [PROGRAMS.computeBudget, 'Compute Budget program'],
  [PROGRAMS.token, 'Token program'],
  [PROGRAMS.token2022, 'Token-2022 program'],
  [PROGRAMS.associatedToken, 'Associated Token program'],
  [PROGRAMS.memo, 'Memo program'],
]);

/** Number of last log lines in a message. */
const LOG_TAIL_LINES = 3;

/**
 * Describes why the VM refused a transaction; for a failed instruction with the last log lines.
 * @param first index of the first instruction of `wire` in the whole transaction
 */
export function describeFailure(failure: FailedTransactionMetadata, wire: LoadedTransaction, first: number): string {
  const error = failure.err();
  if (error instanceof TransactionErrorInstructionError) {
    const logs = logTail(failure.meta().logs());
    return `${describeInstructionError(error.err())}, in instruction ${first + error.index + 1} (${programOf(wire, error.index)})${logs === '' ? '' : `; log: ${logs}`}`;
  }
  if (error instanceof TransactionErrorInsufficientFundsForRent) {
    return `account ${keysOf(wire)[error.accountIndex] ?? error.accountIndex} would be left with less SOL than its rent`;
  }
  if (error instanceof TransactionErrorDuplicateInstruction) {
    return `instruction ${first + error.index + 1} may be there only once`;
  }
  if (error instanceof TransactionErrorProgramExecutionTemporarilyRestricted) {
    return `account ${keysOf(wire)[error.accountIndex] ?? error.accountIndex} cannot be run now`;
  }
  return TRANSACTION_ERRORS[error]?.[1] ?? `error ${error}`;
}

/**
 * The error of a refused transaction in the JSON of a node (serde of the runtime's `TransactionError`).
 * @param first as for {@link describeFailure}
 */
export function failureJson(failure: FailedTransactionMetadata, first: number): TransactionErrorJson {
  const error = failure.err();
  if (error instanceof TransactionErrorInstructionError) {
    return { InstructionError: [first + error.index, instructionErrorJson(error.err())] };
  }
  if (error instanceof TransactionErrorInsufficientFundsForRent) {
    return { InsufficientFundsForRent: { account_index: error.accountIndex } };
  }
  if (error instanceof TransactionErrorDuplicateInstruction) {
    return { DuplicateInstruction: first + error.index };
  }
  if (error instanceof TransactionErrorProgramExecutionTemporarilyRestricted) {
    return { ProgramExecutionTemporarilyRestricted: { account_index: error.accountIndex } };
  }
  return TRANSACTION_ERRORS[error]?.[0] ?? 'SanitizeFailure';
}

/** The last lines that programs logged, without the runtime's own ("Program … invoke"). */
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
