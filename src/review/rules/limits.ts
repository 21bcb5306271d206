import { lamportsToSol } from '../../solana/amounts';
import type { OperationContext } from '../context';
import type { Notes } from '../notes';
import { ALL_BPS } from '../policy';
import { sumSpends } from '../spends';
import type { Spends } from '../types';
import type { OperationRule } from './rule';

/** Policy §11 with the sums of §6 and §8: what the whole operation may cost and move (LIM, TIP, FEE, RNT, BND). */
export const reviewLimits: OperationRule = (context, notes) => {
  const spends = sumSpends(notes.effects);
  reviewBundle(context, notes);
  reviewStrangers(context, notes);
  const { policy } = context;
  reviewSum(notes, ['TIP-1', 'TIP-2'], 'Tips', spends.tipLamports, policy.tipAllowLamports, policy.tipBlockLamports);
  const fees = spends.networkFeeLamports + spends.priorityFeeLamports;
  reviewSum(notes, ['FEE-1', 'FEE-2'], 'Network and priority fees', fees, policy.feeAllowLamports, policy.feeBlockLamports);
  reviewRent(context, spends, notes);
  if (context.intent.kind === 'zapIn') {
    reviewInput(context, context.intent.inputLamports, spends, notes);
  } else {
    reviewSum(notes, ['LIM-2', 'LIM-2'], 'SOL that is wrapped, of which a zap-out needs none,', spends.wrappedLamports, policy.wrapAllowLamports, policy.wrapBlockLamports);
  }
};

/** BND-1 and BND-3: how many transactions there are, and whether one is there twice. */
function reviewBundle(context: OperationContext, notes: Notes): void {
  const { transactions, transactionCount, policy } = context;
  if (transactionCount === 0) {
    notes.operation('BND-1', 'confirm', 'There is no transaction: signing would do nothing.');
  } else if (transactionCount > policy.maxTransactions) {
    notes.operation('BND-1', 'confirm', `There are ${transactionCount} transactions; more than ${policy.maxTransactions} are unusual.`);
  }
  const hashes = new Set<string>();
  for (const { view } of transactions) {
    if (hashes.has(view.messageHash)) {
      notes.at(view.index).confirm('BND-3', 'This transaction is the same as an earlier one.');
    }
    hashes.add(view.messageHash);
  }
}

/** SYS-1: strangers may get a little with the user's consent; what adds up to more is refused. */
function reviewStrangers(context: OperationContext, notes: Notes): void {
  for (const { view } of context.transactions) {
    const sent = notes.effects.reduce((sum, effect) => (effect.kind === 'send' && effect.transaction === view.index ? sum + effect.lamports : sum), 0n);
    if (sent > context.policy.skimBlockLamports) {
      notes.at(view.index).block('SYS-1', `${lamportsToSol(sent)} SOL would go to strangers in one transaction.`);
    }
  }
}

function reviewRent(context: OperationContext, spends: Spends, notes: Notes): void {
  const rent = spends.refundableRentLamports + spends.spentRentLamports;
  if (rent > context.policy.rentConfirmLamports) {
    notes.operation('RNT-1', 'confirm', `Up to ${lamportsToSol(rent)} SOL is locked as rent, of which ${lamportsToSol(spends.spentRentLamports)} SOL does not come back.`);
  }
}

/** LIM-1: a zap-in uses no more SOL than was asked for. */
function reviewInput(context: OperationContext, inputLamports: bigint, spends: Spends, notes: Notes): void {
  const all = BigInt(ALL_BPS);
  const limit = (inputLamports * (all + context.policy.inputToleranceBps)) / all;
  const words = (lamports: bigint): string => `${lamportsToSol(lamports)} SOL; you asked for ${lamportsToSol(inputLamports)} SOL`;
  if (spends.consumedLamports > limit) {
    notes.operation('LIM-1', 'block', `The operation would use ${words(spends.consumedLamports)}.`);
  } else if (spends.wrappedLamports > limit) {
    notes.operation('LIM-1', 'confirm', `The operation would wrap ${words(spends.wrappedLamports)}.`);
  }
}

function reviewSum(notes: Notes, [confirmRule, blockRule]: readonly [string, string], what: string, sum: bigint, allowed: bigint, blocked: bigint): void {
  const words = `${what} of the operation add up to ${lamportsToSol(sum)} SOL; ${lamportsToSol(allowed)} SOL`;
  if (sum > blocked) {
    notes.operation(blockRule, 'block', `${words} would be usual, and more than ${lamportsToSol(blocked)} SOL is refused.`);
  } else if (sum > allowed) {
    notes.operation(confirmRule, 'confirm', `${words} would be usual.`);
  }
}
