import * as l10n from '@vscode/l10n';
import { PROGRAMS } from '../../base/solana/programs';
import { allowsStep, deposits, withdraws } from '../intents';
import type { InstructionRule, TransactionContext } from '../context';
import { accountIn, addressIn, type DecodedCall, integerAt, isInstruction, recordsAt } from '../decode/instructions';
import type { PlaceNotes } from '../notes';
import { reviewDepositPrice } from './depositPrice';
import { reviewRange } from './dlmmRange';
import { isPoolSwap } from '../decode/meteora';
import { DLMM_STEPS, DLMM_ROLES } from './meteoraRoles';
import { noteSpend, reviewPoolAndPosition, reviewRecipients } from './meteoraAccounts';
import { reviewPoolSwap } from './poolSwap';
import { reviewBinArray } from './positionRent';
import { reviewShare } from './removals';
import { foreignWords, unreadWords } from './words';

/** Notes the most that a DLMM instruction takes from the owner into a position. */
function noteDlmmAmounts(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  for (const [account, mint, amountRaw] of amountsTaken(reading)) {
    noteSpend(addressIn(reading, account), amountRaw, 'position', context, notes, addressIn(reading, mint));
  }
}

/** Roles of token accounts and of their mints, with the most that the instruction may take, raw units. */
function amountsTaken(reading: DecodedCall): readonly (readonly [string, string, bigint])[] {
  const { args } = reading;
  const amount = (...path: readonly string[]): bigint => integerAt(args, ...path) ?? 0n;
  const both = (x: bigint, y: bigint): readonly (readonly [string, string, bigint])[] =>
    x === 0n && y === 0n
      ? []
      : [
          ['user_token_x', 'token_x_mint', x],
          ['user_token_y', 'token_y_mint', y],
        ];
  if (isInstruction(reading, PROGRAMS.dlmm, 'rebalance_liquidity')) {
    return both(amount('params', 'max_deposit_x_amount'), amount('params', 'max_deposit_y_amount'));
  }
  if (isInstruction(reading, PROGRAMS.dlmm, 'add_liquidity_one_side_precise')) {
    const multiplier = amount('parameter', 'decompress_multiplier');
    const units = recordsAt(args, 'parameter', 'bins').reduce((sum, bin) => sum + (integerAt(bin, 'amount') ?? 0n), 0n);
    return [['user_token', 'token_mint', units * multiplier]];
  }
  const oneSide = integerAt(args, 'liquidity_parameter', 'amount') ?? integerAt(args, 'liquidity_parameter', 'max_amount');
  if (oneSide !== undefined) {
    return [['user_token', 'token_mint', oneSide]];
  }
  return both(amount('liquidity_parameter', 'amount_x'), amount('liquidity_parameter', 'amount_y'));
}

/** Reviews Meteora DLMM (DLMM-0 to DLMM-9, and DLMM-7). DLMM-10 is checked for the whole operation (positionPlan.ts). */
export const reviewDlmm: InstructionRule = (reading, context, notes) => {
  const { layout, args } = reading;
  const { intent } = context;
  if (layout === undefined || args === undefined) {
    notes.block('DLMM-0', unreadWords(reading));
    return;
  }
  const step = DLMM_STEPS.get(layout.name);
  if (step === undefined) {
    notes.block('DLMM-5', foreignWords(reading));
    return;
  }
  if (!allowsStep(intent, step)) {
    notes.block('DLMM-8', foreignWords(reading));
    return;
  }
  reviewPoolAndPosition(reading, DLMM_ROLES, context, notes);
  reviewRecipients(reading, DLMM_ROLES, context, notes);
  reviewBase(reading, context, notes);
  if (withdraws(intent)) {
    reviewShare(reading, intent, notes);
  } else if (deposits(intent)) {
    reviewRange(reading, intent, notes);
    reviewDepositPrice(reading, context, notes);
    reviewBinArray(reading, context, notes);
  }
  reviewRebalance(reading, context, notes);
  if (isPoolSwap(reading)) {
    reviewPoolSwap(reading, context, notes);
  } else {
    noteDlmmAmounts(reading, context, notes);
  }
};

/** DLMM-6: a derived position is derived from the owner or from a co-signer. */
function reviewBase(reading: DecodedCall, { intent }: TransactionContext, notes: PlaceNotes): void {
  const base = addressIn(reading, 'base');
  if (base !== undefined && base !== intent.owner && accountIn(reading, 'base')?.signer !== true) {
    notes.block('DLMM-6', l10n.t`The position is derived from ${base}, which does not sign the transaction.`, { address: base });
  }
}

/** DLMM-8, DLMM-9: a rebalance may only move liquidity in the intended direction, and is always a question. */
function reviewRebalance(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  if (!isInstruction(reading, PROGRAMS.dlmm, 'rebalance_liquidity')) {
    return;
  }
  const does = (way: 'adds' | 'removes'): boolean => recordsAt(reading.args, 'params', way).length > 0;
  if ((does('adds') && !deposits(context.intent)) || (does('removes') && !withdraws(context.intent))) {
    notes.block('DLMM-8', foreignWords(reading));
  } else {
    notes.confirm('DLMM-9', l10n.t('What a rebalance makes of the position is not known in advance.'));
  }
}
