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
import { allowsStep, deposits } from '../intents';
import type { InstructionRule, TransactionContext } from '../context';
import {
  accountIn,
  addressIn,
  type DecodedCall,
  integerAt,
  isInstruction,
  numberAt,
  readInstruction,
  valueAt,
} from '../decode/instructions';
import { REVIEW_PROGRAMS } from '../decode/programs';
import type { PlaceNotes } from '../notes';
import { reviewDamm, reviewNft } from './damm';
import { reviewDlmm } from './dlmm';
import { reviewDepositPrice } from './depositPrice';
import { reviewRange } from './dlmmRange';
import { reviewJupiter } from './jupiter';
import { isPoolSwap, ZAPS_IN } from '../decode/meteora';
import { ZAP_DAMM_ROLES, ZAP_STEPS, ZAP_ROLES } from './meteoraRoles';
import { noteSpend, reviewPoolAndPosition, reviewRecipients } from './meteoraAccounts';
import { putsInTokens } from './tokensAtHand';
import { foreignWords, inPoolWords, noSwapWords, unfixedAmountWords, unknownAccount, unreadWords } from './words';

/** The most that a zap-in takes of the pool's tokens, raw units; `undefined`: the ledger was filled outside this transaction. */
interface LedgerAmounts {
  readonly a: bigint | undefined;
  readonly b: bigint | undefined;
}

const UNKNOWN: LedgerAmounts = { a: undefined, b: undefined };
const NOTHING: LedgerAmounts = { a: 0n, b: 0n };

/**
 * Returns the most that the owner's ledger in Meteora Zap holds when a zap-in reads it, by the earlier instructions of the same transaction:
 * a new ledger is empty; an amount is set, or is the result of a swap up to a limit. What a zap-in leaves there was counted with that
 * zap-in. Other transactions may not land: the ledger would then hold what an earlier operation left.
 */
function ledgerBefore(zapIn: DecodedCall, { transaction }: TransactionContext): LedgerAmounts {
  return transaction.readings.filter(({ index }) => index < zapIn.index).reduce(amountsAfter, UNKNOWN);
}

function amountsAfter(before: LedgerAmounts, reading: DecodedCall): LedgerAmounts {
  const is = (...names: readonly string[]): boolean =>
    isInstruction(reading, REVIEW_PROGRAMS.meteoraZap, ...names) && reading.args !== undefined;
  if (is('initialize_ledger_account', ...ZAPS_IN)) {
    return NOTHING;
  }
  if (is('set_ledger_balance', 'update_ledger_balance_after_swap')) {
    const amount = integerAt(reading.args, 'amount') ?? integerAt(reading.args, 'max_transfer_amount');
    return reading.args?.['is_token_a'] === true ? { ...before, a: amount } : { ...before, b: amount };
  }
  return before;
}

/** Programs that a zap-out may swap through (ZAP-1). */
const SWAP_PROGRAMS: readonly Address[] = [PROGRAMS.dlmm, PROGRAMS.dammV2, PROGRAMS.jupiterV6];

/** The number of accounts of `zap_out` itself. Those of the swap that it carries follow. */
const OWN_ACCOUNTS = 2;

/** Modes of DAMM v2's `swap2` in which the first amount is the sold one: exact in, or partial fill (cp-amm IDL, SwapMode). */
const SELLING_MODES: readonly (number | undefined)[] = [0, 1];

const SOURCE_ROLES = ['user_token_in', 'input_token_account', 'user_source_token_account', 'source_token_account'];

/** The swap that a zap-out carries, with the most that it may sell, or why it is not a swap. */
type ZapPayload = { readonly swap: DecodedCall } | { readonly problem: string };

/**
 * Reads the instruction that `zap_out` carries (ZAP-1). Before calling it, the program overwrites the amount to sell with the amount that
 * the token account has gained, at most `max_swap_amount`. This function writes that maximum in the same way. The offset must be that of
 * the sold amount: anywhere else it would change the bought amount, or the called instruction.
 */
function zapPayload(reading: DecodedCall): ZapPayload {
  const { accounts } = reading.view;
  const program = addressIn(reading, 'amm_program');
  const data = valueAt(reading.args, 'params', 'payload_data');
  const most = integerAt(reading.args, 'params', 'max_swap_amount');
  const offset = numberAt(reading.args, 'params', 'offset_amount_in');
  if (program === undefined || !SWAP_PROGRAMS.includes(program)) {
    return { problem: l10n.t`It would call ${program ?? unknownAccount()}.` };
  }
  if (!(data instanceof Uint8Array) || most === undefined || offset === undefined) {
    return { problem: noKnownSwapWords() };
  }
  const carried = readInstruction({ program, accounts: accounts.slice(OWN_ACCOUNTS), data }, reading.index);
  const path = amountInPath(carried);
  if (path === undefined || carried.layout === undefined || carried.args === undefined) {
    return { problem: noKnownSwapWords() };
  }
  const place: AmountPlace = { layout: carried.layout, args: carried.args, path };
  // Every byte differs from the current amount, so a wrong offset shows.
  const probe = BigInt.asUintN(64, ~(integerAt(carried.args, ...path) ?? 0n));
  const written = withAmount(place, probe);
  if (written === undefined || !isEqual(written, withBytes(data, offset, probe))) {
    return { problem: l10n.t('It would overwrite something other than the sold amount.') };
  }
  const source = SOURCE_ROLES.map((role) => accountIn(carried, role)).find((account) => account !== undefined);
  if (source?.address === undefined || source.address !== addressIn(reading, 'user_token_in_account')) {
    return { problem: l10n.t('It would measure one token account and sell from another.') };
  }
  const effective = withAmount(place, most) ?? data;
  return { swap: readInstruction({ ...carried.view, data: effective }, reading.index) };
}

const noKnownSwapWords = (): string => l10n.t('It is not a swap of a known amount.');

/** The path of the sold amount in the arguments of a swap; `undefined` if that amount is not fixed, or it is not a swap. */
function amountInPath(carried: DecodedCall): readonly string[] | undefined {
  if (isInstruction(carried, PROGRAMS.dammV2, 'swap2')) {
    return SELLING_MODES.includes(numberAt(carried.args, '_params', 'swap_mode')) ? ['_params', 'amount_0'] : undefined;
  }
  const isSwap = isPoolSwap(carried) || carried.view.program === PROGRAMS.jupiterV6;
  const paths = [['amount_in'], ['_params', 'amount_in'], ['in_amount']];
  return isSwap ? paths.find((path) => typeof valueAt(carried.args, ...path) === 'bigint') : undefined;
}

/** The place of an amount in the arguments of an instruction. */
interface AmountPlace {
  readonly layout: InstructionLayout;
  readonly args: Arguments;
  readonly path: readonly string[];
}

/** Encodes the instruction with another amount. */
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

/** Writes eight bytes, little endian, at an offset. Bytes beyond the end are dropped; the result then never equals a whole instruction. */
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

/** Reviews Meteora Zap (ZAP-1, ZAP-2), which swaps the result of a withdrawal, or swaps and deposits the amounts in its ledger. */
export const reviewZap: InstructionRule = (reading, context, notes) => {
  const { layout, args } = reading;
  const { intent } = context;
  if (layout === undefined || args === undefined) {
    notes.block('ZAP-1', unreadWords(reading));
    return;
  }
  const step = ZAP_STEPS.get(layout.name);
  if (step === undefined || !allowsStep(intent, step)) {
    notes.block('ZAP-1', foreignWords(reading));
    return;
  }
  reviewPlaces(reading, context, notes);
  if (layout.name === 'zap_out') {
    reviewZapOut(reading, context, notes);
  } else if (ZAPS_IN.includes(layout.name)) {
    reviewZapIn(reading, context, notes);
  }
};

/** Checks pool, position, token accounts, rent and owner as for the programs that Zap calls. */
function reviewPlaces(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  if (isInstruction(reading, REVIEW_PROGRAMS.meteoraZap, 'zap_in_damm_v2')) {
    reviewPoolAndPosition(reading, ZAP_DAMM_ROLES, context, notes);
    reviewRecipients(reading, ZAP_DAMM_ROLES, context, notes);
    reviewNft(reading, 'ZAP-1', context, notes);
  } else {
    reviewPoolAndPosition(reading, ZAP_ROLES, context, notes);
    reviewRecipients(reading, ZAP_ROLES, context, notes);
  }
}

/** ZAP-1: the swap that a zap-out carries is reviewed like a top-level instruction, and is always a question. */
function reviewZapOut(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  const payload = zapPayload(reading);
  if ('problem' in payload) {
    notes.block('ZAP-1', l10n.t`Meteora Zap would execute an instruction that is not allowed. ${payload.problem}`);
    return;
  }
  const most = integerAt(reading.args, 'params', 'max_swap_amount') ?? 0n;
  notes.confirm('ZAP-1', l10n.t`Meteora Zap swaps whatever your token account has gained, up to ${String(most)} raw units.`, {
    amountRaw: most,
  });
  SWAP_RULES.get(payload.swap.view.program)?.(payload.swap, context, notes);
}

const SWAP_RULES: ReadonlyMap<string, InstructionRule> = new Map([
  [PROGRAMS.dlmm, reviewDlmm],
  [PROGRAMS.dammV2, reviewDamm],
  [PROGRAMS.jupiterV6, reviewJupiter],
]);

/** ZAP-1: a zap-in swaps and deposits up to the amounts in its ledger, which the same transaction must set. */
function reviewZapIn(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  const { intent } = context;
  if (putsInTokens(intent)) {
    notes.block('ZAP-1', `${inPoolWords()} ${noSwapWords()}`);
  } else {
    notes.confirm('ZAP-1', inPoolWords());
  }
  if (deposits(intent)) {
    reviewRange(reading, intent, notes);
    reviewDepositPrice(reading, context, notes);
  }
  const { a, b } = ledgerBefore(reading, context);
  if (a === undefined || b === undefined) {
    notes.block('ZAP-1', unfixedAmountWords());
    return;
  }
  const isProduct = isInstruction(reading, REVIEW_PROGRAMS.meteoraZap, 'zap_in_damm_v2');
  const sides = isProduct ? (['token_a_account', 'token_b_account'] as const) : (['user_token_x', 'user_token_y'] as const);
  const mints = isProduct ? (['token_a_mint', 'token_b_mint'] as const) : (['token_x_mint', 'token_y_mint'] as const);
  noteSpend(addressIn(reading, sides[0]), a, 'position', context, notes, addressIn(reading, mints[0]));
  noteSpend(addressIn(reading, sides[1]), b, 'position', context, notes, addressIn(reading, mints[1]));
}
