import { type Address, addressFromBytes } from '../../base/solana/address';
import { DAMM_INSTRUCTIONS } from '../../base/solana/generated/dammInstructions';
import { DLMM_INSTRUCTIONS } from '../../base/solana/generated/dlmmInstructions';
import {
  type Arguments,
  type ArgumentValue,
  decodeInstruction,
  findInstruction,
  InstructionCodecError,
  type InstructionLayout,
} from '../../base/solana/instructionCodec';
import { JUPITER_INSTRUCTIONS, JUPITER_OTHER_INSTRUCTIONS, RFQ_INSTRUCTIONS } from '../../base/solana/jupiterInstructions';
import {
  ASSOCIATED_TOKEN_INSTRUCTIONS,
  COMPUTE_BUDGET_INSTRUCTIONS,
  MEMO_INSTRUCTIONS,
  SYSTEM_INSTRUCTIONS,
  TOKEN_2022_INSTRUCTIONS,
  TOKEN_INSTRUCTIONS,
} from '../../base/solana/nativeInstructions';
import { OKX_INSTRUCTIONS, OKX_OTHER_INSTRUCTIONS } from '../../base/solana/okxInstructions';
import { PROGRAMS } from '../../base/solana/programs';
import { ZAP_INSTRUCTIONS } from '../../base/solana/zapInstructions';
import { REVIEW_PROGRAMS } from './programs';
import type { AccountView, InstructionView, TransactionView } from './transaction';

/** A decoded instruction, before any rule. */
export interface DecodedCall {
  readonly view: InstructionView;
  /** Its index in the transaction, from 0. */
  readonly index: number;
  /** `undefined`: the program or the instruction is unknown. */
  readonly layout: InstructionLayout | undefined;
  /** `undefined`: unknown, or the data or the accounts do not match the layout. */
  readonly args: Arguments | undefined;
  /** The reason for missing arguments. */
  readonly problem: InstructionCodecError | undefined;
}

/** A transaction and its decoded instructions. */
export interface ReadTransaction {
  readonly view: TransactionView;
  readonly readings: readonly DecodedCall[];
}

const LAYOUTS: ReadonlyMap<Address, readonly InstructionLayout[]> = new Map([
  [PROGRAMS.system, SYSTEM_INSTRUCTIONS],
  [PROGRAMS.computeBudget, COMPUTE_BUDGET_INSTRUCTIONS],
  [PROGRAMS.token, TOKEN_INSTRUCTIONS],
  [PROGRAMS.token2022, TOKEN_2022_INSTRUCTIONS],
  [PROGRAMS.associatedToken, ASSOCIATED_TOKEN_INSTRUCTIONS],
  [PROGRAMS.memo, MEMO_INSTRUCTIONS],
  [PROGRAMS.memoV1, MEMO_INSTRUCTIONS],
  [PROGRAMS.dlmm, DLMM_INSTRUCTIONS],
  [PROGRAMS.dammV2, DAMM_INSTRUCTIONS],
  [REVIEW_PROGRAMS.meteoraZap, ZAP_INSTRUCTIONS],
  [PROGRAMS.jupiterV6, [...JUPITER_INSTRUCTIONS, ...JUPITER_OTHER_INSTRUCTIONS]],
  [REVIEW_PROGRAMS.jupiterRfq, RFQ_INSTRUCTIONS],
  [REVIEW_PROGRAMS.okxRouter, [...OKX_INSTRUCTIONS, ...OKX_OTHER_INSTRUCTIONS]],
  [REVIEW_PROGRAMS.okxRouterV1, [...OKX_INSTRUCTIONS, ...OKX_OTHER_INSTRUCTIONS]],
]);

/** Decodes the instructions of a transaction. Never throws. */
export function readInstructions(view: TransactionView): ReadTransaction {
  return { view, readings: view.instructions.map((instruction, index) => readInstruction(instruction, index)) };
}

/** Decodes one instruction, also one that another instruction carries. Never throws. */
export function readInstruction(view: InstructionView, index: number): DecodedCall {
  const layout = findInstruction(LAYOUTS.get(view.program) ?? [], view.data);
  if (layout === undefined) {
    return { view, index, layout, args: undefined, problem: undefined };
  }
  if (view.accounts.length < layout.accounts.length) {
    const missing = `it has ${view.accounts.length} accounts, but ${layout.name} needs ${layout.accounts.length}`;
    return { view, index, layout, args: undefined, problem: new InstructionCodecError(missing) };
  }
  try {
    return { view, index, layout, args: decodeInstruction(layout, view.data), problem: undefined };
  } catch (error) {
    const problem = error instanceof InstructionCodecError ? error : new InstructionCodecError('the data is unreadable', false, error);
    return { view, index, layout, args: undefined, problem };
  }
}

/** Returns whether the instruction has one of the names in that program. */
export function isInstruction(reading: DecodedCall, program: Address, ...names: readonly string[]): boolean {
  return reading.view.program === program && reading.layout !== undefined && names.includes(reading.layout.name);
}

/** Returns the account in a role of the layout; `undefined` if the layout has no such role, or the account is missing. */
export function accountIn(reading: DecodedCall, role: string): AccountView | undefined {
  const place = reading.layout?.accounts.findIndex((account) => account.name === role) ?? -1;
  return place < 0 ? undefined : reading.view.accounts[place];
}

/** Returns the address in a role; also `undefined` if it is in an unread lookup table. */
export function addressIn(reading: DecodedCall, role: string): Address | undefined {
  return accountIn(reading, role)?.address;
}

/** Returns the address in a role, where the signed bytes themselves name it; `undefined` for any account from a lookup table. */
export function staticAddressIn(reading: DecodedCall, role: string): Address | undefined {
  const account = accountIn(reading, role);
  return account?.fromTable === false ? account.address : undefined;
}

/** Returns an address argument. */
export function addressArgument(args: Arguments | undefined, name: string): Address | undefined {
  const value = args?.[name];
  return value instanceof Uint8Array ? addressFromBytes(value) : undefined;
}

/** Returns the value at a path of names in decoded arguments; `undefined` if there is none. */
export function valueAt(args: Arguments | undefined, ...path: readonly string[]): ArgumentValue {
  return path.reduce<ArgumentValue>((value, name) => (isRecord(value) ? value[name] : undefined), args);
}

/** Returns the whole number of up to 32 bits at a path. */
export function numberAt(args: Arguments | undefined, ...path: readonly string[]): number | undefined {
  const value = valueAt(args, ...path);
  return typeof value === 'number' ? value : undefined;
}

/** Returns the integer of any width at a path. */
export function integerAt(args: Arguments | undefined, ...path: readonly string[]): bigint | undefined {
  const value = valueAt(args, ...path);
  return typeof value === 'bigint' || typeof value === 'number' ? BigInt(value) : undefined;
}

/** Returns the records of the list at a path; none without a list. */
export function recordsAt(args: Arguments | undefined, ...path: readonly string[]): Arguments[] {
  const value = valueAt(args, ...path);
  return isList(value) ? value.filter(isRecord) : [];
}

/** Returns the name of the enum variant at a path. */
export function choiceAt(args: Arguments | undefined, ...path: readonly string[]): string | undefined {
  const kind = valueAt(args, ...path, 'kind');
  return typeof kind === 'string' ? kind : undefined;
}

function isList(value: ArgumentValue): value is readonly ArgumentValue[] {
  return Array.isArray(value);
}

function isRecord(value: ArgumentValue): value is Arguments {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Uint8Array);
}
