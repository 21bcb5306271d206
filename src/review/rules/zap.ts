import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import {
  type Arguments,
  type ArgumentValue,
  encodeInstruction,
  InstructionCodecError,
  type InstructionLayout,
} from '../../base/solana/instructionCodec';
import { PROGRAMS } from '../../base/solana/programs';
import type { InstructionRule, TransactionContext } from '../context';
import { integerAt, numberAt, valueAt } from '../decode/arguments';
import { accountIn, addressIn, type DecodedCall, integerIn, isInstruction, readInstruction } from '../decode/instructions';
import { REVIEW_PROGRAMS } from '../decode/programs';
import type { PlaceNotes } from '../notes';
import { reviewDamm } from './damm';
import { isIntendedPosition, reviewNft } from './dammPosition';
import { reviewDlmm } from './dlmm';
import { reviewRange } from './dlmmRange';
import { reviewJupiter } from './jupiter';
import { isPoolSwap, ZAP_DAMM_ROLES, ZAP_FLOWS, ZAP_ROLES, ZAPS_IN } from './meteora';
import { reviewPoolAndPosition, reviewRecipients } from './meteoraAccounts';
import { noteSpend } from './spending';
import { putsInTokens } from './tokensAtHand';

/** The most that a zap-in takes of the pool's tokens, raw units; `undefined`: the ledger was filled before this operation. */
export interface LedgerAmounts {
  readonly a: bigint | undefined;
  readonly b: bigint | undefined;
}

const UNKNOWN: LedgerAmounts = { a: undefined, b: undefined };
const NOTHING: LedgerAmounts = { a: 0n, b: 0n };

/**
 * Gives what the owner's ledger in Meteora Zap holds at most when a zap-in comes to it, by the instructions of the same transaction before
 * it: a new ledger holds nothing; an amount is set, or is what a swap has brought, up to a limit. What a zap-in leaves in it has
 * been counted with that zap-in. Other transactions may not land: the ledger then holds what an earlier operation left in it.
 */
export function ledgerBefore(zapIn: DecodedCall, { transaction }: TransactionContext): LedgerAmounts {
  return transaction.readings.filter(({ index }) => index < zapIn.index).reduce(amountsAfter, UNKNOWN);
}

function amountsAfter(before: LedgerAmounts, reading: DecodedCall): LedgerAmounts {
  const is = (...names: readonly string[]): boolean =>
    isInstruction(reading, REVIEW_PROGRAMS.meteoraZap, ...names) && reading.args !== undefined;
  if (is('initialize_ledger_account', ...ZAPS_IN)) {
    return NOTHING;
  }
  if (is('set_ledger_balance', 'update_ledger_balance_after_swap')) {
    const amount = integerIn(reading.args, 'amount') ?? integerIn(reading.args, 'max_transfer_amount');
    return reading.args?.['is_token_a'] === true ? { ...before, a: amount } : { ...before, b: amount };
  }
  return before;
}

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
    return {
      problem: l10n.t`It would call ${program ?? l10n.t('a program that only a lookup table names')}, which is not one that it may swap through.`,
    };
  }
  if (!(data instanceof Uint8Array) || most === undefined || offset === undefined) {
    return { problem: l10n.t('What it carries cannot be read.') };
  }
  const carried = readInstruction({ program, accounts: accounts.slice(OWN_ACCOUNTS), data }, reading.index);
  const path = amountInPath(carried);
  if (path === undefined || carried.layout === undefined || carried.args === undefined) {
    return {
      problem: l10n.t`What it carries${carried.layout === undefined ? '' : ` (${carried.layout.name})`} is not a swap of a known amount.`,
    };
  }
  const place: AmountPlace = { layout: carried.layout, args: carried.args, path };
  // A number that has no byte in common with the one that is there: what is not at the offset shows.
  const probe = BigInt.asUintN(64, ~(integerAt(carried.args, ...path) ?? 0n));
  const written = withAmount(place, probe);
  if (written === undefined || !isEqual(written, withBytes(data, offset, probe))) {
    return { problem: l10n.t('It would write the amount into another place than that of the amount that is sold.') };
  }
  const source = SOURCE_ROLES.map((role) => accountIn(carried, role)).find((account) => account !== undefined);
  if (source?.address === undefined || source.address !== addressIn(reading, 'user_token_in_account')) {
    return { problem: l10n.t('It would measure one token account and sell from another.') };
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

/** Policy §9: Meteora Zap (ZAP-1, ZAP-2), which swaps what a withdrawal brought, or swaps and deposits what its ledger says. */
export const reviewZap: InstructionRule = (reading, context, notes) => {
  const { layout, args } = reading;
  const { intent } = context;
  if (layout === undefined || args === undefined) {
    notes.block('ZAP-1', l10n.t`An instruction to Meteora Zap cannot be read${layout === undefined ? '' : ` (${layout.name})`}.`);
    return;
  }
  if (ZAP_FLOWS.get(layout.name)?.includes(intent.kind) !== true) {
    notes.block(
      'ZAP-1',
      l10n.t`The Meteora Zap instruction "${layout.name}" has no place in a ${intent.kind === 'zapIn' ? 'zap-in' : 'zap-out'}.`,
    );
    return;
  }
  reviewPlaces(reading, context, notes);
  if (layout.name === 'zap_out') {
    reviewZapOut(reading, context, notes);
  } else if (ZAPS_IN.includes(layout.name)) {
    reviewZapIn(reading, context, notes);
  }
};

/** Pool, position, token accounts, rent and powers, as for the programs that Zap calls. */
function reviewPlaces(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  if (isInstruction(reading, REVIEW_PROGRAMS.meteoraZap, 'zap_in_damm_v2')) {
    reviewPoolAndPosition(reading, ZAP_DAMM_ROLES, (position) => isIntendedPosition(position, context), context, notes);
    reviewRecipients(reading, ZAP_DAMM_ROLES, context, notes);
    reviewNft(reading, 'ZAP-1', context, notes);
  } else {
    reviewPoolAndPosition(reading, ZAP_ROLES, (position) => position === context.position, context, notes);
    reviewRecipients(reading, ZAP_ROLES, context, notes);
  }
}

/** ZAP-1: the swap that a zap-out carries is read as if it stood in the transaction itself, and is always for the user to decide on. */
function reviewZapOut(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  const payload = zapPayload(reading);
  if ('problem' in payload) {
    notes.block('ZAP-1', l10n.t`Meteora Zap would carry out another instruction. ${payload.problem}`);
    return;
  }
  const most = integerAt(reading.args, 'params', 'max_swap_amount') ?? 0n;
  notes.confirm(
    'ZAP-1',
    l10n.t`Meteora Zap swaps what your token account has gained, at most ${String(most)} raw units: how much that is is not known beforehand.`,
    { amountRaw: most },
  );
  SWAP_RULES.get(payload.swap.view.program)?.(payload.swap, context, notes);
}

const SWAP_RULES: ReadonlyMap<string, InstructionRule> = new Map([
  [PROGRAMS.dlmm, reviewDlmm],
  [PROGRAMS.dammV2, reviewDamm],
  [PROGRAMS.jupiterV6, reviewJupiter],
]);

/** ZAP-1: a zap-in swaps and deposits up to what its ledger holds, and the transaction has to say how much that is. */
function reviewZapIn(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  const { intent, policy } = context;
  if (putsInTokens(intent)) {
    notes.block('ZAP-1', l10n.t('Meteora Zap would swap in the pool before it deposits; you asked that your tokens go in as they are.'));
  } else {
    notes.confirm('ZAP-1', l10n.t('Meteora Zap swaps in the pool and deposits in one step, at whatever price the pool has then.'));
  }
  if (intent.kind === 'zapIn') {
    reviewRange(reading, intent, policy, notes);
  }
  const { a, b } = ledgerBefore(reading, context);
  if (a === undefined || b === undefined) {
    notes.block(
      'ZAP-1',
      l10n.t('How much Meteora Zap would take is not in the transaction: it goes by a ledger that was filled before it.'),
    );
    return;
  }
  const isProduct = isInstruction(reading, REVIEW_PROGRAMS.meteoraZap, 'zap_in_damm_v2');
  const sides = isProduct ? (['token_a_account', 'token_b_account'] as const) : (['user_token_x', 'user_token_y'] as const);
  const mints = isProduct ? (['token_a_mint', 'token_b_mint'] as const) : (['token_x_mint', 'token_y_mint'] as const);
  noteSpend(addressIn(reading, sides[0]), a, 'position', context, notes, addressIn(reading, mints[0]));
  noteSpend(addressIn(reading, sides[1]), b, 'position', context, notes, addressIn(reading, mints[1]));
}
