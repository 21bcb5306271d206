import { IDL } from '@meteora-ag/dlmm';
import { CpAmmIdl } from '@meteora-ag/cp-amm-sdk';
import * as z from 'zod';
import { PROGRAMS } from '../../base/solana/programs';
import { rpcLine } from '../../base/solana/rpcEndpoint';

/** What a node says of a transaction that fails. */
export interface SimulatedFailure {
  readonly err: unknown;
  readonly logs: readonly string[];
}

const MOVED = 'the price has moved by more than the slippage tolerance';
const TOO_LITTLE = 'there are too few tokens or too little SOL';

/** The usual reasons in plain words, by program and error code. */
const USUAL: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  [PROGRAMS.dlmm]: { 6003: MOVED, 6004: MOVED, 6062: MOVED },
  [PROGRAMS.dammV2]: { 6002: MOVED },
  [PROGRAMS.jupiterV6]: { 6001: MOVED, 6024: TOO_LITTLE },
  [PROGRAMS.token]: { 1: TOO_LITTLE, 17: 'a token account is frozen' },
  [PROGRAMS.token2022]: { 1: TOO_LITTLE, 17: 'a token account is frozen' },
  [PROGRAMS.system]: { 1: TOO_LITTLE },
};

const NAMES: Readonly<Record<string, string>> = {
  [PROGRAMS.dlmm]: 'Meteora DLMM',
  [PROGRAMS.dammV2]: 'Meteora DAMM v2',
  [PROGRAMS.jupiterV6]: 'Jupiter',
  [PROGRAMS.token]: 'the Token program',
  [PROGRAMS.token2022]: 'the Token-2022 program',
  [PROGRAMS.system]: 'the System program',
  [PROGRAMS.associatedToken]: 'the Associated Token program',
};

/** Errors of the whole transaction, by their name. */
const WHOLE: Readonly<Record<string, string>> = {
  InsufficientFundsForFee: 'the wallet has too little SOL for the fee',
  InsufficientFundsForRent: 'the wallet has too little SOL for the rent of the accounts',
  AccountNotFound: 'the wallet has no SOL',
};

const InstructionFailure = z.object({ InstructionError: z.tuple([z.int(), z.union([z.string(), z.object({ Custom: z.int() })])]) });

/** The reason of a failure in plain words, without a full stop. */
export function failureText({ err, logs }: SimulatedFailure): string {
  if (typeof err === 'string') {
    return WHOLE[err] ?? `the chain says ${rpcLine(err)}`;
  }
  const whole = Object.keys(WHOLE).find((name) => typeof err === 'object' && err !== null && name in err);
  const failure = InstructionFailure.safeParse(err);
  if (whole !== undefined || !failure.success) {
    return WHOLE[whole ?? ''] ?? `the chain says ${rpcLine(JSON.stringify(err))}`;
  }
  const [, reason] = failure.data.InstructionError;
  const program = failedProgram(logs);
  const name = program === undefined ? 'a program' : (NAMES[program] ?? `the program ${program}`);
  if (typeof reason === 'string') {
    return `${name} refuses it (${rpcLine(reason)})`;
  }
  const usual = program === undefined ? undefined : USUAL[program]?.[reason.Custom];
  return usual ?? `${name} refuses it: ${messageOf(program, reason.Custom, logs)}`;
}

/** Whether the limits of a transaction may be exceeded: if it is put together from several, that says nothing about them one by one. */
export function isBeyondLimits({ err }: SimulatedFailure): boolean {
  // A program that runs out of compute units fails to complete.
  return /ComputationalBudgetExceeded|MaxInstructionTraceLengthExceeded|MaxLoadedAccountsDataSizeExceeded|ProgramFailedToComplete/.test(
    JSON.stringify(err),
  );
}

/** The program that failed first: the innermost one. */
function failedProgram(logs: readonly string[]): string | undefined {
  return logs.map((line) => /^Program (\w{32,44}) failed/.exec(line)?.[1]).find((program) => program !== undefined);
}

function messageOf(program: string | undefined, code: number, logs: readonly string[]): string {
  const errors = program === PROGRAMS.dlmm ? IDL.errors : program === PROGRAMS.dammV2 ? CpAmmIdl.errors : [];
  const known = errors.find((one) => one.code === code);
  if (known !== undefined) {
    return `${known.msg} (${code})`;
  }
  const said = logs.map((line) => /Error Message: (.+?)\.?$/.exec(line)?.[1]).find((text) => text !== undefined);
  return said === undefined ? `error ${code}` : `${rpcLine(said)} (${code})`;
}
