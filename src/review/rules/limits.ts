import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { lamportsToSol } from '../../base/solana/amounts';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { RentRate } from '../../base/solana/rent';
import { allowsGroup, exchanges, mostOf, spendsOf } from '../intents';
import type { OperationContext } from '../context';
import type { Notes } from '../notes';
import {
  addSpends,
  byTransaction,
  costLamports,
  lamportsToOthers,
  leftWrapped,
  NO_SPENDS,
  outflowBound,
  sumSpends,
  totalLamports,
} from '../spends';
import type { Spends } from '../types';
import { reviewCosts } from './costs';
import { putsInTokens, reviewTokensAtHand } from './tokensAtHand';
import { blocksAboveWords, confirmAboveWords, enteredWords, inTotalWords, rawAmountText, toStrangersWords, usesWords } from './words';

/**
 * Limits what the whole operation costs and moves: LIM-1 to LIM-3, TIP-1, TIP-2, FEE-1, FEE-2, FEE-4, RNT-1, BND-1 to BND-5, SYS-1.
 * @param prior the sums of earlier attempts that are signed and may still land; they count toward the limits (BND-2)
 */
export function reviewLimits(context: OperationContext, notes: Notes, prior: Spends = NO_SPENDS): void {
  const { policy, intent } = context;
  const spends = sumSpends(notes.effects);
  const all = addSpends(spends, prior);
  reviewBundle(context, notes);
  reviewOthers(context, notes, prior);
  notePrior(notes, prior);
  reviewSum(notes, ['TIP-1', 'TIP-2'], l10n.t('Tips'), all.tipLamports, policy.tipAllowLamports, policy.tipBlockLamports);
  const fees = all.networkFeeLamports + all.priorityFeeLamports;
  reviewSum(notes, ['FEE-1', 'FEE-2'], l10n.t('Network and priority fees'), fees, policy.feeAllowLamports, policy.feeBlockLamports);
  reviewCosts(context, all, notes);
  reviewRent(context, spends, prior, notes);
  const { lamports: input } = spendsOf(intent);
  if (input !== undefined) {
    reviewInput(context, input, all, leftWrapped(notes.effects) + prior.wrappedLamports, notes);
  } else {
    reviewSum(
      notes,
      ['LIM-2', 'LIM-2'],
      l10n.t('Wrapped temporarily'),
      all.wrappedLamports,
      policy.wrapAllowLamports,
      policy.wrapBlockLamports,
    );
  }
  reviewTokensAtHand(context, notes, prior);
  noteBound(context, notes);
}

/** BND-1, BND-3 and BND-5: the number of transactions, duplicates, and lists that do not belong to the operation. */
function reviewBundle(context: OperationContext, notes: Notes): void {
  const { transactions, transactionCount, policy, intent } = context;
  if (transactionCount === 0) {
    notes.operation('BND-1', 'confirm', l10n.t('There are no transactions, so signing would do nothing.'));
  } else if (transactionCount > policy.maxTransactions) {
    const words = `${inTotalWords(l10n.t('Transactions'), String(transactionCount))} ${confirmAboveWords(String(policy.maxTransactions))}`;
    notes.operation('BND-1', 'confirm', words);
  }
  const places = new Map<string, number>();
  for (const { view } of transactions) {
    const earlier = places.get(view.messageHash);
    if (earlier !== undefined) {
      notes
        .at(view.index)
        .confirm(
          'BND-3',
          l10n.t`This transaction is identical to transaction ${earlier + 1}: only one of them lands, but the amounts count both.`,
        );
    }
    places.set(view.messageHash, earlier ?? view.index);
    const isForeign = !allowsGroup(intent, view.group);
    if (isForeign || (view.group === 'swap' && putsInTokens(intent))) {
      const words = l10n.t`The service lists this transaction under "${view.group}", which is not part of this operation.`;
      notes.at(view.index)[isForeign ? 'block' : 'confirm']('BND-5', words);
    }
  }
}

/** The maximum number of recipients that a finding names. */
const MOST_NAMED = 3;

/**
 * SYS-1: a small amount in each transaction may go to strangers with the user's consent; more is blocked. Approved fee recipients may get
 * more, up to a cap over the whole operation. Everything that earlier attempts sent to others counts toward that cap, because its
 * recipients are no longer known.
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
      const [address] = strangers;
      const to = [...[...strangers].slice(0, MOST_NAMED), ...(strangers.size > MOST_NAMED ? ['…'] : [])].join(', ');
      notes.at(view.index).block('SYS-1', toStrangersWords(toStrangers, to), { amountRaw: toStrangers, address });
    }
  }
  const fees = approved + prior.otherLamports;
  if (approved > 0n && fees > feeRecipientCapLamports) {
    const words = `${inTotalWords(l10n.t('Fees to recipients that you approved'), solText(fees))} ${blocksAboveWords(solText(feeRecipientCapLamports))}`;
    notes.operation('SYS-1', 'block', words, { amountRaw: fees });
  }
}

/** BND-2: mentions what is already signed, because it raises the sums that the limits check. */
function notePrior(notes: Notes, prior: Spends): void {
  const total = totalLamports(prior);
  if (total > 0n) {
    notes.operation(
      'BND-2',
      'info',
      l10n.t`Transactions that you signed earlier may still land. They count toward the limits with ${lamportsToSol(total)} SOL.`,
      { amountRaw: total },
    );
  }
}

/**
 * RNT-1. The limit holds for the rent at the highest known rate, because a rate from an RPC must not answer a question. What is said is the
 * rent at the rate that counts. A rate above the highest known one is not believed, and a question.
 */
function reviewRent({ policy, rent, facts }: OperationContext, spends: Spends, prior: Spends, notes: Notes): void {
  const [own, earlier] = [rentOf(spends), rentOf(prior)];
  const most = RentRate.highest.converted(own, rent) + earlier;
  if (most > policy.rentConfirmLamports) {
    const sol = lamportsToSol(own + earlier);
    const spent = lamportsToSol(spends.spentRentLamports + prior.spentRentLamports);
    const words = [
      l10n.t`Up to ${sol} SOL is locked as rent, of which ${spent} SOL is not refundable.`,
      ...(most === own + earlier ? [] : [l10n.t`Without your RPC's rate, it is up to ${lamportsToSol(most)} SOL.`]),
    ];
    notes.operation('RNT-1', 'confirm', words.join(' '), { amountRaw: most });
  }
  const rate = facts.rent;
  if (rate?.isAboveHighest === true && own > 0n) {
    const words = l10n.t`By your RPC, rent is higher than ever before: up to ${lamportsToSol(rate.converted(own, rent))} SOL, where the review counts on at most ${lamportsToSol(own)} SOL.`;
    notes.operation('RNT-1', 'confirm', words, { amountRaw: rate.converted(own, rent) });
  }
}

function rentOf({ refundableRentLamports, spentRentLamports }: Spends): bigint {
  return refundableRentLamports + spentRentLamports;
}

/**
 * LIM-1: a deposit or a swap uses no more SOL than the user entered. A deposit may wrap more if it unwraps the rest and the user agrees. SOL
 * beyond the input that stays wrapped is blocked, because any later transaction could use it.
 */
function reviewInput(context: OperationContext, inputLamports: bigint, spends: Spends, leftLamports: bigint, notes: Notes): void {
  const { intent, policy } = context;
  const limit = mostOf(inputLamports, intent, policy);
  if (spends.consumedLamports > limit) {
    const words = `${usesWords(solText(spends.consumedLamports))} ${enteredWords(solText(inputLamports))}`;
    notes.operation('LIM-1', 'block', words, { amountRaw: spends.consumedLamports });
  } else if (leftLamports > limit) {
    const words = `${l10n.t`The operation would leave ${lamportsToSol(leftLamports)} SOL wrapped, where later transactions could use it.`} ${enteredWords(solText(inputLamports))}`;
    notes.operation('LIM-1', 'block', words, { amountRaw: leftLamports });
  } else if (spends.wrappedLamports > limit) {
    const words = `${l10n.t`The operation would wrap ${lamportsToSol(spends.wrappedLamports)} SOL and later unwrap the rest.`} ${enteredWords(solText(inputLamports))}`;
    notes.operation('LIM-1', exchanges(intent) ? 'block' : 'confirm', words, { amountRaw: spends.wrappedLamports });
  }
}

/** LIM-3: the most SOL that can leave the wallet. Noted only if all transactions could be read. */
function noteBound({ intent, transactions, transactionCount }: OperationContext, notes: Notes): void {
  if (transactions.length === transactionCount && transactionCount > 0) {
    const bound = outflowBound(intent, notes.effects);
    notes.operation('LIM-3', 'info', boundText(bound, intent, notes), { amountRaw: bound });
  }
}

const solText = (lamports: bigint): string => rawAmountText(WRAPPED_SOL_MINT, lamports);

/** Says what the bound consists of. Tips, fees and rent never stand for SOL that goes elsewhere. */
function boundText(bound: bigint, intent: OperationContext['intent'], { effects }: Notes): string {
  const words = l10n.t`The operation takes at most ${lamportsToSol(bound)} SOL from your wallet.`;
  const toOthers = lamportsToOthers(effects);
  if (toOthers > 0n) {
    return `${words} ${l10n.t`${lamportsToSol(toOthers)} SOL of it goes to accounts that are neither yours nor the pool's.`}`;
  }
  const besidesCosts = bound - costLamports(sumSpends(effects));
  const { lamports: input = 0n } = spendsOf(intent);
  return besidesCosts > input ? `${words} ${l10n.t`Tips, fees and rent explain all but ${lamportsToSol(besidesCosts)} SOL of it.`}` : words;
}

function reviewSum(
  notes: Notes,
  [confirmRule, blockRule]: readonly [string, string],
  what: string,
  sum: bigint,
  allowed: bigint,
  blocked: bigint,
): void {
  if (sum > blocked) {
    notes.operation(blockRule, 'block', `${inTotalWords(what, solText(sum))} ${blocksAboveWords(solText(blocked))}`, { amountRaw: sum });
  } else if (sum > allowed) {
    notes.operation(confirmRule, 'confirm', `${inTotalWords(what, solText(sum))} ${confirmAboveWords(solText(allowed))}`, {
      amountRaw: sum,
    });
  }
}
