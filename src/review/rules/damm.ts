import { noteDammAmounts } from './dammAmounts';
import { DAMM_FLOWS, DAMM_ROLES } from './dammRoles';
import { isPoolSwap } from './meteora';
import { reviewPoolAndPosition, reviewRecipients } from './meteoraAccounts';
import { reviewPoolSwap } from './poolSwap';
import { isIntendedPosition, reviewNft } from './productPosition';
import { reviewShare } from './removals';
import type { InstructionRule } from './rule';

/**
 * Policy §9: Meteora DAMM v2 (DAMM-1 to DAMM-6; DLMM-0 and DLMM-4 where they apply to both). That a position is a new one (DLMM-10)
 * is the operation's matter.
 */
export const reviewDamm: InstructionRule = (reading, context, notes) => {
  const { layout, args } = reading;
  const { intent } = context;
  if (layout === undefined || args === undefined) {
    notes.block('DLMM-0', `An instruction to Meteora DAMM v2 cannot be read${layout === undefined ? '' : ` (${layout.name})`}.`);
    return;
  }
  const flows = DAMM_FLOWS.get(layout.name);
  if (flows === undefined) {
    notes.block('DAMM-5', `The Meteora DAMM v2 instruction "${layout.name}" has no place in a liquidity operation.`);
    return;
  }
  if (!flows.includes(intent.kind)) {
    notes.block('DAMM-5', `The Meteora DAMM v2 instruction "${layout.name}" has no place in a ${intent.kind === 'zapIn' ? 'zap-in' : 'zap-out'}.`);
    return;
  }
  reviewPoolAndPosition(reading, DAMM_ROLES, (position) => isIntendedPosition(position, context), context, notes);
  reviewRecipients(reading, DAMM_ROLES, context, notes);
  reviewNft(reading, 'DAMM-1', context, notes);
  if (intent.kind === 'zapOut') {
    reviewShare(reading, intent, notes);
  }
  if (isPoolSwap(reading)) {
    reviewPoolSwap(reading, context, notes);
  } else {
    noteDammAmounts(reading, context, notes);
  }
};
