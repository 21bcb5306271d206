import { PROGRAMS } from '../../solana/programs';
import { numberAt, recordsAt } from '../argumentValues';
import { isOwned, type TransactionContext } from '../context';
import type { PlaceNotes } from '../notes';
import { ALL_BPS } from '../policy';
import { accountIn, addressIn, isInstruction, type Reading } from '../reading';
import { noteDlmmAmounts } from './dlmmAmounts';
import { reviewRange } from './dlmmRange';
import { DLMM_FLOWS, isClosing, isPoolSwap, OWN_TOKEN_ROLES, OWNER_ROLES, RENT_ROLE } from './dlmmRoles';
import type { InstructionRule } from './rule';

/** Policy §9: Meteora DLMM (DLMM-0 to DLMM-9). That a position is a new one (DLMM-10) is the operation's matter. */
export const reviewDlmm: InstructionRule = (reading, context, notes) => {
  const { layout, args } = reading;
  if (layout === undefined || args === undefined) {
    notes.block('DLMM-0', `An instruction to Meteora DLMM cannot be read${layout === undefined ? '' : ` (${layout.name})`}.`);
    return;
  }
  const flows = DLMM_FLOWS.get(layout.name);
  if (flows === undefined) {
    notes.block('DLMM-5', `The Meteora instruction "${layout.name}" has no place in a liquidity operation.`);
    return;
  }
  if (!flows.includes(context.intent.kind)) {
    const operation = context.intent.kind === 'zapIn' ? 'a zap-in' : 'a zap-out';
    notes.block('DLMM-8', `The Meteora instruction "${layout.name}" has no place in ${operation}.`);
    return;
  }
  reviewPoolAndPosition(reading, context, notes);
  reviewRecipients(reading, context, notes);
  if (context.intent.kind === 'zapOut') {
    reviewShare(reading, context.intent.shareBps, notes);
  } else {
    reviewRange(reading, context.intent, context.policy, notes);
  }
  reviewRebalance(reading, context, notes);
  reviewPoolSwap(reading, notes);
  noteDlmmAmounts(reading, context, notes);
};

/** DLMM-1: the pool and the position that were asked for, and no other. */
function reviewPoolAndPosition(reading: Reading, context: TransactionContext, notes: PlaceNotes): void {
  const expected = [
    ['lb_pair', 'pool', context.intent.pool],
    ['position', 'position', context.position],
  ] as const;
  for (const [role, word, right] of expected) {
    const account = accountIn(reading, role);
    if (account === undefined) {
      continue;
    }
    if (account.address === undefined) {
      notes.confirm('DLMM-1', `The ${word} comes from a lookup table and could not be checked.`);
    } else if (account.address !== right) {
      notes.block('DLMM-1', `This is about the ${word} ${account.address}, not about ${right === undefined ? 'one that you asked for' : right}.`, {
        address: account.address,
      });
    }
  }
}

/** DLMM-2, DLMM-3, DLMM-6: tokens, rent and powers stay with the owner. */
function reviewRecipients(reading: Reading, context: TransactionContext, notes: PlaceNotes): void {
  const { owner } = context.intent;
  for (const { name: role } of reading.layout?.accounts ?? []) {
    const address = addressIn(reading, role);
    const rule = ruleOfRole(role);
    if (rule === undefined) {
      continue;
    }
    if (address === undefined) {
      notes.confirm(rule, `The account "${role}" comes from a lookup table and could not be checked.`);
    } else if (rule === 'DLMM-2' ? !isOwned(context, address) : address !== owner) {
      notes.block(rule, `${FOREIGN_ROLE[rule]} ${address}, which is not ${rule === 'DLMM-2' ? 'one of your accounts' : 'your wallet'} (${role}).`, { address });
    }
  }
  const base = addressIn(reading, 'base');
  if (base !== undefined && base !== owner && accountIn(reading, 'base')?.signer !== true) {
    notes.block('DLMM-6', `The position is derived from ${base}, which does not sign.`, { address: base });
  }
}

const FOREIGN_ROLE = {
  'DLMM-2': 'Tokens of the position would move to or from',
  'DLMM-3': 'The rent of what is closed would go to',
  'DLMM-6': 'The position would belong to, or be paid for by,',
} as const;

function ruleOfRole(role: string): keyof typeof FOREIGN_ROLE | undefined {
  if (OWN_TOKEN_ROLES.includes(role)) {
    return 'DLMM-2';
  }
  if (role === RENT_ROLE) {
    return 'DLMM-3';
  }
  return OWNER_ROLES.includes(role) ? 'DLMM-6' : undefined;
}

/** DLMM-4: not more of the position than was asked for. */
function reviewShare(reading: Reading, shareBps: number, notes: PlaceNotes): void {
  const removed = [
    numberAt(reading.args, 'bps_to_remove'),
    ...recordsAt(reading.args, 'bin_liquidity_removal').map((bin) => numberAt(bin, 'bps_to_remove')),
  ].filter((bps) => bps !== undefined);
  const most = Math.max(0, ...removed);
  if (most > shareBps) {
    notes.confirm('DLMM-4', `${most / 100} % of a bin's liquidity is taken out; you asked for ${shareBps / 100} %. The money comes to you.`);
  }
  const ends = isClosing(reading) || isInstruction(reading, PROGRAMS.dlmm, 'remove_all_liquidity');
  if (ends && shareBps < ALL_BPS) {
    notes.confirm('DLMM-4', `The position is emptied or closed; you asked for ${shareBps / 100} %. The money comes to you.`);
  }
}

/** DLMM-8, DLMM-9: a rebalance may go in the intended direction only, and is always for the user to decide on. */
function reviewRebalance(reading: Reading, context: TransactionContext, notes: PlaceNotes): void {
  if (!isInstruction(reading, PROGRAMS.dlmm, 'rebalance_liquidity')) {
    return;
  }
  const wrongWay = context.intent.kind === 'zapIn' ? 'removes' : 'adds';
  if (recordsAt(reading.args, 'params', wrongWay).length > 0) {
    notes.block('DLMM-8', `A rebalance ${wrongWay === 'adds' ? 'puts liquidity in' : 'takes liquidity out'}, which you did not ask for.`);
  } else {
    notes.confirm('DLMM-9', 'The position is changed by a rebalance, whose result is not known beforehand.');
  }
}

/** SWP-3, SWP-8 and the host fee of swaps in the pool itself. */
function reviewPoolSwap(reading: Reading, notes: PlaceNotes): void {
  if (!isPoolSwap(reading)) {
    return;
  }
  notes.confirm('SWP-8', 'Tokens are swapped directly in the pool, at whatever price it has then.');
  if (numberAt(reading.args, 'max_price_impact_bps') === undefined && minimumOut(reading) === 0n) {
    notes.block('SWP-3', 'A swap in the pool would accept any result, even nothing.');
  }
  const host = addressIn(reading, 'host_fee_in');
  if (host !== PROGRAMS.dlmm) {
    notes.confirm('SWP-4', `A part of the swap's fee goes to ${host ?? 'an account in a lookup table'}.`, { address: host });
    if (host !== undefined) {
      notes.effect({ kind: 'recipient', address: host, role: 'host fee of the pool' });
    }
  }
}

function minimumOut(reading: Reading): bigint | undefined {
  const value = reading.args?.['min_amount_out'] ?? reading.args?.['out_amount'];
  return typeof value === 'bigint' ? value : undefined;
}
