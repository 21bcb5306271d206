import * as l10n from '@vscode/l10n';
import { BASIS_POINTS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { lamportsToSol } from '../../base/solana/amounts';
import type { OperationContext } from '../context';
import type { Notes } from '../notes';
import { addSpends, byTransaction, leftWrapped, NO_SPENDS, outflowBound, sumSpends, totalLamports } from '../spends';
import type { Spends } from '../types';
import { putsInTokens, reviewTokensAtHand } from './tokensAtHand';

/**
 * Policy §11 with the sums of §6 and §8: what the whole operation may cost and move (LIM, TIP, FEE, RNT, BND). `prior` is what
 * earlier attempts have signed and what may still land: it counts as well (BND-2).
 */
export function reviewLimits(context: OperationContext, notes: Notes, prior: Spends = NO_SPENDS): void {
  const { policy, intent } = context;
  const spends = sumSpends(notes.effects);
  const all = addSpends(spends, prior);
  reviewBundle(context, notes);
  reviewOthers(context, notes, prior);
  notePrior(notes, prior);
  reviewSum(notes, ['TIP-1', 'TIP-2'], 'Tips', all.tipLamports, policy.tipAllowLamports, policy.tipBlockLamports);
  const fees = all.networkFeeLamports + all.priorityFeeLamports;
  reviewSum(notes, ['FEE-1', 'FEE-2'], l10n.t('Network and priority fees'), fees, policy.feeAllowLamports, policy.feeBlockLamports);
  reviewRent(context, all, notes);
  if (intent.kind === 'zapIn') {
    reviewInput(context, intent.inputLamports, all, leftWrapped(notes.effects) + prior.wrappedLamports, notes);
    reviewTokensAtHand(context, notes, prior);
  } else {
    reviewSum(
      notes,
      ['LIM-2', 'LIM-2'],
      l10n.t('SOL that is wrapped, of which a zap-out needs none,'),
      all.wrappedLamports,
      policy.wrapAllowLamports,
      policy.wrapBlockLamports,
    );
  }
  noteBound(context, notes);
}

/** BND-1, BND-3 and BND-5: how many transactions there are, whether one is there twice, and whether each is in a list of this operation. */
function reviewBundle(context: OperationContext, notes: Notes): void {
  const { transactions, transactionCount, policy, intent } = context;
  if (transactionCount === 0) {
    notes.operation('BND-1', 'confirm', l10n.t('There is no transaction: signing would do nothing.'));
  } else if (transactionCount > policy.maxTransactions) {
    notes.operation(
      'BND-1',
      'confirm',
      l10n.t`There are ${transactionCount} transactions; more than ${policy.maxTransactions} are unusual.`,
    );
  }
  const [foreign, operation] = intent.kind === 'zapIn' ? ['close', 'zap-in'] : ['add', 'zap-out'];
  const places = new Map<string, number>();
  for (const { view } of transactions) {
    const earlier = places.get(view.messageHash);
    if (earlier !== undefined) {
      notes
        .at(view.index)
        .confirm(
          'BND-3',
          l10n.t`This transaction is the same as transaction ${earlier + 1}. The network carries out only one of them, and what they give is counted twice here.`,
        );
    }
    places.set(view.messageHash, earlier ?? view.index);
    if (view.group === foreign) {
      notes
        .at(view.index)
        .block('BND-5', l10n.t`The service lists this transaction under "${foreign}", which has no place in a ${operation}.`);
    } else if (view.group === 'swap' && putsInTokens(intent)) {
      notes
        .at(view.index)
        .confirm(
          'BND-5',
          l10n.t('The service lists this transaction under "swap", and nothing is to be swapped: your tokens go in as they are.'),
        );
    }
  }
}

/**
 * SYS-1: strangers may get a little of each transaction with the user's consent; what adds up to more is refused. Those whom the
 * user has approved as recipients of fees may get more, up to a sum over the whole operation. What earlier attempts sent to
 * anybody counts against that sum, because whom it went to is not known any more.
 */
function reviewOthers({ policy, transactions }: OperationContext, notes: Notes, prior: Spends): void {
  const { feeRecipients, feeRecipientCapLamports, skimBlockLamports } = policy;
  const placed = byTransaction(notes.effects);
  let approved = 0n;
  for (const { view } of transactions) {
    let toStrangers = 0n;
    const strangers = new Set<Address>();
    for (const effect of placed.get(view.index) ?? []) {
      if (effect.kind !== 'send') {
        continue;
      }
      if (feeRecipients.includes(effect.to)) {
        approved += effect.lamports;
      } else {
        toStrangers += effect.lamports;
        strangers.add(effect.to);
      }
    }
    if (toStrangers > skimBlockLamports) {
      const [first, ...others] = strangers;
      const words = l10n.t`${lamportsToSol(toStrangers)} SOL would go to ${first ?? 'somebody'}${others.length === 0 ? '' : l10n.t` and ${others.length} more`}, neither you nor the pool.`;
      notes.at(view.index).block('SYS-1', words, { amountRaw: toStrangers, address: first });
    }
  }
  const fees = approved + prior.otherLamports;
  if (approved > 0n && fees > feeRecipientCapLamports) {
    notes.operation(
      'SYS-1',
      'block',
      l10n.t`${lamportsToSol(fees)} SOL of the operation would go to the fee recipients that you approved; you allowed them ${lamportsToSol(feeRecipientCapLamports)} SOL.`,
      { amountRaw: fees },
    );
  }
}

/** BND-2: what is signed already is said, because the sums below are larger by it. */
function notePrior(notes: Notes, prior: Spends): void {
  const total = totalLamports(prior);
  if (total > 0n) {
    notes.operation(
      'BND-2',
      'info',
      l10n.t`What you signed for this before may still be carried out: up to ${lamportsToSol(total)} SOL. It counts against the limits together with these transactions.`,
      { amountRaw: total },
    );
  }
}

function reviewRent(context: OperationContext, spends: Spends, notes: Notes): void {
  const rent = spends.refundableRentLamports + spends.spentRentLamports;
  if (rent > context.policy.rentConfirmLamports) {
    const words = l10n.t`Up to ${lamportsToSol(rent)} SOL is locked as rent, of which ${lamportsToSol(spends.spentRentLamports)} SOL does not come back.`;
    notes.operation('RNT-1', 'confirm', words, { amountRaw: rent });
  }
}

/**
 * LIM-1: a zap-in uses no more SOL than was asked for. More may be wrapped where it is unwrapped again, if the user agrees; more
 * that stays wrapped is refused, because any later transaction could use it.
 */
function reviewInput(context: OperationContext, inputLamports: bigint, spends: Spends, leftLamports: bigint, notes: Notes): void {
  const all = BASIS_POINTS;
  const limit = (inputLamports * (all + context.policy.inputToleranceBps)) / all;
  const words = (lamports: bigint): string => l10n.t`${lamportsToSol(lamports)} SOL; you asked for ${lamportsToSol(inputLamports)} SOL`;
  if (spends.consumedLamports > limit) {
    notes.operation('LIM-1', 'block', l10n.t`The operation would use ${words(spends.consumedLamports)}.`, {
      amountRaw: spends.consumedLamports,
    });
  } else if (leftLamports > limit) {
    notes.operation('LIM-1', 'block', l10n.t`The operation would wrap, and leave wrapped, ${words(leftLamports)}.`, {
      amountRaw: leftLamports,
    });
  } else if (spends.wrappedLamports > limit) {
    notes.operation('LIM-1', 'confirm', l10n.t`The operation would wrap, and later unwrap again, ${words(spends.wrappedLamports)}.`, {
      amountRaw: spends.wrappedLamports,
    });
  }
}

/** LIM-3: the most that can leave the wallet. Only said where all transactions could be read. */
function noteBound({ intent, transactions, transactionCount }: OperationContext, notes: Notes): void {
  if (transactions.length === transactionCount && transactionCount > 0) {
    const bound = outflowBound(intent, notes.effects);
    const parts =
      intent.kind === 'zapIn' && (intent.tokens === undefined || intent.inputLamports > 0n)
        ? l10n.t('the input, tips, fees and rent')
        : l10n.t('tips, fees and rent');
    notes.operation(
      'LIM-3',
      'info',
      l10n.t`By its instructions the operation takes at most ${lamportsToSol(bound)} SOL from your wallet: ${parts}.`,
      { amountRaw: bound },
    );
  }
}

function reviewSum(
  notes: Notes,
  [confirmRule, blockRule]: readonly [string, string],
  what: string,
  sum: bigint,
  allowed: bigint,
  blocked: bigint,
): void {
  const words = l10n.t`${what} of the operation add up to ${lamportsToSol(sum)} SOL; up to ${lamportsToSol(allowed)} SOL needs no decision`;
  if (sum > blocked) {
    notes.operation(blockRule, 'block', l10n.t`${words}, and more than ${lamportsToSol(blocked)} SOL is refused.`, { amountRaw: sum });
  } else if (sum > allowed) {
    notes.operation(confirmRule, 'confirm', `${words}.`, { amountRaw: sum });
  }
}
