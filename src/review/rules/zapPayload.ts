import { PROGRAMS } from '../../solana/programs';
import type { Address } from '../../solana/address';
import { encodeInstruction, InstructionCodecError, type Arguments, type ArgumentValue, type InstructionLayout } from '../../solana/instructionCodec';
import { integerAt, numberAt, valueAt } from '../argumentValues';
import { accountIn, addressIn, isInstruction, readInstruction, type DecodedCall } from '../reading';
import { isPoolSwap } from './meteora';

/** Programs that a zap-out may swap through (ZAP-1). */
const SWAP_PROGRAMS: readonly Address[] = [PROGRAMS.dlmm, PROGRAMS.dammV2, PROGRAMS.jupiterV6];

/** Accounts of `zap_out` itself; behind them are those of the swap that it carries. */
const OWN_ACCOUNTS = 2;

/** Modes of DAMM v2's `swap2` in which the first amount is what goes in: exactly, or as far as it can be traded (cp-amm IDL, SwapMode). */
const SELLING_MODES: readonly (number | undefined)[] = [0, 1];

const SOURCE_ROLES = ['user_token_in', 'input_token_account', 'user_source_token_account', 'source_token_account'];

/** The swap that a zap-out carries, with the most that it may sell; or why it is not one. */
export type ZapPayload = { readonly swap: DecodedCall } | { readonly problem: string };

/**
 * Reads the instruction that `zap_out` carries (ZAP-1). The program writes the amount to sell into it before it calls it: what the
 * token account has gained, and no more than `max_swap_amount`. So that amount is put in here as the program would, and its
 * place must be that of the amount that goes in: elsewhere it would change what is bought, or what is called.
 */
export function zapPayload(reading: DecodedCall): ZapPayload {
  const { accounts } = reading.view;
  const program = addressIn(reading, 'amm_program');
  const data = valueAt(reading.args, 'params', 'payload_data');
  const most = integerAt(reading.args, 'params', 'max_swap_amount');
  const offset = numberAt(reading.args, 'params', 'offset_amount_in');
  if (program === undefined || !SWAP_PROGRAMS.includes(program)) {
    return { problem: `It would call ${program ?? 'a program that only a lookup table names'}, which is not one that it may swap through.` };
  }
  if (!(data instanceof Uint8Array) || most === undefined || offset === undefined) {
    return { problem: 'What it carries cannot be read.' };
  }
  const carried = readInstruction({ program, accounts: accounts.slice(OWN_ACCOUNTS), data }, reading.index);
  const path = amountInPath(carried);
  if (path === undefined || carried.layout === undefined || carried.args === undefined) {
    return { problem: `What it carries${carried.layout === undefined ? '' : ` (${carried.layout.name})`} is not a swap of a known amount.` };
  }
  const place: AmountPlace = { layout: carried.layout, args: carried.args, path };
  // A number that has no byte in common with the one that is there: what is not at the offset shows.
  const probe = BigInt.asUintN(64, ~(integerAt(carried.args, ...path) ?? 0n));
  const written = withAmount(place, probe);
  if (written === undefined || !isEqual(written, withBytes(data, offset, probe))) {
    return { problem: 'It would write the amount into another place than that of the amount that is sold.' };
  }
  const source = SOURCE_ROLES.map((role) => accountIn(carried, role)).find((account) => account !== undefined);
  if (source?.address === undefined || source.address !== addressIn(reading, 'user_token_in_account')) {
    return { problem: 'It would measure one token account and sell from another.' };
  }
  const effective = withAmount(place, most) ?? data;
  return { swap: readInstruction({ ...carried.view, data: effective }, reading.index) };
}

/** Where in the arguments of a swap the amount is that goes in; `undefined` where that is not fixed beforehand, or it is no swap. */
function amountInPath(carried: DecodedCall): readonly string[] | undefined {
  if (isInstruction(carried, PROGRAMS.dammV2, 'swap2')) {
    return SELLING_MODES.includes(numberAt(carried.args, '_params', 'swap_mode')) ? ['_params', 'amount_0'] : undefined;
  }
  const isSwap = isPoolSwap(carried) || carried.view.program === PROGRAMS.jupiterV6;
  const paths = [['amount_in'], ['_params', 'amount_in'], ['in_amount']];
  return isSwap ? paths.find((path) => typeof valueAt(carried.args, ...path) === 'bigint') : undefined;
}

/** An amount among the arguments of an instruction. */
interface AmountPlace {
  readonly layout: InstructionLayout;
  readonly args: Arguments;
  readonly path: readonly string[];
}

/** Writes the instruction with another amount. */
function withAmount({ layout, args, path }: AmountPlace, amount: bigint): Uint8Array | undefined {
  try {
    return encodeInstruction(layout, replaced(args, path, amount));
  } catch (error) {
    if (error instanceof InstructionCodecError) {
      return undefined;
    }
    throw error;
  }
}

function replaced(args: Arguments, [name = '', ...rest]: readonly string[], amount: bigint): Arguments {
  const inner: ArgumentValue = args[name];
  const isRecord = typeof inner === 'object' && !Array.isArray(inner) && !(inner instanceof Uint8Array);
  return { ...args, [name]: rest.length > 0 && isRecord ? replaced(inner as Arguments, rest, amount) : amount };
}

/** Puts eight bytes, little endian, at an offset; what goes over the end is cut, as it never equals a whole instruction then. */
function withBytes(data: Uint8Array, offset: number, amount: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(amount);
  const patched = Buffer.from(data);
  bytes.copy(patched, Math.min(offset, patched.length));
  return patched;
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
