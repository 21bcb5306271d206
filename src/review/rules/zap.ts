import { PROGRAMS } from '../../solana/programs';
import { integerAt } from '../argumentValues';
import type { TransactionContext } from '../context';
import { REVIEW_PROGRAMS } from '../knownPrograms';
import type { PlaceNotes } from '../notes';
import { addressIn, isInstruction, type DecodedCall } from '../reading';
import { reviewDamm } from './damm';
import { reviewDlmm } from './dlmm';
import { reviewRange } from './dlmmRange';
import { reviewJupiter } from './jupiter';
import { reviewPoolAndPosition, reviewRecipients } from './meteoraAccounts';
import { isIntendedPosition, reviewNft } from './productPosition';
import type { InstructionRule } from './rule';
import { noteSpend } from './spending';
import { putsInTokens } from './tokensAtHand';
import { ledgerBefore } from './zapLedger';
import { zapPayload } from './zapPayload';
import { ZAP_DAMM_ROLES, ZAP_FLOWS, ZAP_ROLES, ZAPS_IN } from './zapRoles';

/** Policy §9: Meteora Zap (ZAP-1, ZAP-2), which swaps what a withdrawal brought, or swaps and deposits what its ledger says. */
export const reviewZap: InstructionRule = (reading, context, notes) => {
  const { layout, args } = reading;
  const { intent } = context;
  if (layout === undefined || args === undefined) {
    notes.block('ZAP-1', `An instruction to Meteora Zap cannot be read${layout === undefined ? '' : ` (${layout.name})`}.`);
    return;
  }
  if (ZAP_FLOWS.get(layout.name)?.includes(intent.kind) !== true) {
    notes.block('ZAP-1', `The Meteora Zap instruction "${layout.name}" has no place in a ${intent.kind === 'zapIn' ? 'zap-in' : 'zap-out'}.`);
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
    notes.block('ZAP-1', `Meteora Zap would carry out another instruction. ${payload.problem}`);
    return;
  }
  const most = integerAt(reading.args, 'params', 'max_swap_amount') ?? 0n;
  notes.confirm('ZAP-1', `Meteora Zap swaps what your token account has gained, at most ${most} raw units: how much that is is not known beforehand.`, { amountRaw: most });
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
    notes.block('ZAP-1', 'Meteora Zap would swap in the pool before it deposits; you asked that your tokens go in as they are.');
  } else {
    notes.confirm('ZAP-1', 'Meteora Zap swaps in the pool and deposits in one step, at whatever price the pool has then.');
  }
  if (intent.kind === 'zapIn') {
    reviewRange(reading, intent, policy, notes);
  }
  const { a, b } = ledgerBefore(reading, context);
  if (a === undefined || b === undefined) {
    notes.block('ZAP-1', 'How much Meteora Zap would take is not in the transaction: it goes by a ledger that was filled before it.');
    return;
  }
  const isProduct = isInstruction(reading, REVIEW_PROGRAMS.meteoraZap, 'zap_in_damm_v2');
  const sides = isProduct ? (['token_a_account', 'token_b_account'] as const) : (['user_token_x', 'user_token_y'] as const);
  const mints = isProduct ? (['token_a_mint', 'token_b_mint'] as const) : (['token_x_mint', 'token_y_mint'] as const);
  noteSpend(addressIn(reading, sides[0]), a, 'position', context, notes, addressIn(reading, mints[0]));
  noteSpend(addressIn(reading, sides[1]), b, 'position', context, notes, addressIn(reading, mints[1]));
}
