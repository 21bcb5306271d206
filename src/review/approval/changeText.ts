import * as l10n from '@vscode/l10n';
import { type Address, parseAddress } from '../../base/solana/address';
import { lamportsToSol } from '../../base/solana/amounts';
import { amountText, expectedLabel, receivedLabel, spendLabels, swapsGiveLabel } from '../describe/summary';
import type { TokenNames } from '../describe/tokenNames';
import type { TermChange } from './compareTerms';

/** Says in one line what is worse than approved: "The swaps give at least: 1.9 SOL instead of 2 SOL". */
export function changeText(change: TermChange, tokens: TokenNames): string {
  const { topic, of, approved, fresh, label = of } = change;
  const isMore = fresh > approved;
  const nowSol = l10n.t`${lamportsToSol(fresh)} SOL`;
  const beforeSol = l10n.t`${lamportsToSol(approved)} SOL`;
  const mint = parseAddress(tokenOf(change));
  const now = signedAmount(mint, fresh, tokens);
  const before = signedAmount(mint, approved, tokens);
  const labels = spendLabels();
  switch (topic) {
    case 'blocked':
      return foundText(label);
    case 'request':
      return l10n.t('The request itself has changed.');
    case 'outflow':
      return upTo(l10n.t('Leaves your wallet in total'), nowSol, beforeSol);
    case 'spent':
      return upTo(labels.consumed, nowSol, beforeSol);
    case 'wrapped':
      return upTo(l10n.t('Wrapped temporarily'), nowSol, beforeSol);
    case 'leftWrapped':
      return upTo(l10n.t('Stays wrapped'), nowSol, beforeSol);
    case 'networkFee':
      return upTo(labels.networkFee, nowSol, beforeSol);
    case 'priorityFee':
      return upTo(labels.priorityFee, nowSol, beforeSol);
    case 'tip':
      return upTo(labels.tip, nowSol, beforeSol);
    case 'refundableRent':
      return upTo(labels.refundableRent, nowSol, beforeSol);
    case 'spentRent':
      return upTo(labels.spentRent, nowSol, beforeSol);
    case 'solToOthers':
      return upTo(l10n.t`Sent to ${of}`, nowSol, beforeSol);
    case 'tokensToOthers':
      return upTo(labels.others, now, before);
    case 'swapped':
      return upTo(labels.swap, now, before);
    case 'swappedApart':
      return instead(l10n.t('Transactions that only swap'), String(fresh), String(approved));
    case 'ownTokens':
      return upTo(l10n.t('Tokens that leave your wallet if a swap does not land'), now, before);
    case 'deposited':
      return instead(labels.position, now, before);
    case 'guaranteedBySwaps':
      return instead(swapsGiveLabel(), now, before);
    case 'guaranteedByWithdrawal':
    case 'received':
      return instead(receivedLabel(), now, before);
    case 'simulated':
      return instead(expectedLabel(), now, before);
    case 'liquidity':
      return l10n.t('Less liquidity is added to the position.');
    case 'lowestActiveBin':
    case 'highestActiveBin':
    case 'lowestPrice':
    case 'highestPrice':
      return isMore ? l10n.t('The deposit accepts a higher price.') : l10n.t('The deposit accepts a lower price.');
    case 'swapSlippage':
      return instead(l10n.t('Slippage tolerance'), `${percentOf(fresh)}%`, `${percentOf(approved)}%`);
    case 'transactions':
      return instead(`${l10n.t('Transactions')} (${of})`, String(fresh), String(approved));
    case 'program':
      return l10n.t`Calls another program: ${label}`;
    case 'recipient':
      return l10n.t`Another address receives funds: ${of}`;
    case 'cosigner':
      return l10n.t`Another address signs, too: ${of}`;
    case 'feePayer':
      return l10n.t`Another address pays the network fee: ${of}`;
    case 'step':
      return isMore ? l10n.t`New step: ${of}` : l10n.t`Missing step: ${of}`;
    case 'closedAccount':
      return l10n.t`Stays open, with its rent and tokens: ${of}`;
    case 'createdAccount':
      return l10n.t`Creates another account: ${of}`;
    case 'opaqueTransaction':
      return l10n.t`Binsight cannot read a call of ${label}: it may differ from the approved one.`;
    case 'unreadAccount':
    case 'unreadTable':
      return l10n.t('It takes other accounts from a lookup table that was not read.');
    case 'unsimulatedTransactions':
      return instead(l10n.t('Transactions that were not simulated'), String(fresh), String(approved));
    case 'answersOfRpc':
      return l10n.t('It was checked without your RPC.');
    case 'finding':
    case 'findingSum':
      return foundText(label);
  }
}

const foundText = (finding: string): string => l10n.t`The review found: ${finding}`;

function upTo(what: string, now: string, before: string): string {
  return l10n.t`${what}: up to ${now} instead of ${before}`;
}

function instead(what: string, now: string, before: string): string {
  return l10n.t`${what}: ${now} instead of ${before}`;
}

/** Millionths of a basis point in a percent. */
const SLIPPAGE_PER_PERCENT = 1e8;

/** Keeps the digits that tell two tolerances apart. */
function percentOf(slippage: bigint): number {
  return Number((Number(slippage) / SLIPPAGE_PER_PERCENT).toPrecision(6));
}

/** Returns the token that a change is about. The terms of swaps name two: what is guaranteed is the bought one. */
export function tokenOf({ topic, of }: Pick<TermChange, 'topic' | 'of'>): string {
  const [first = '', bought = ''] = of.split(' ');
  return topic === 'guaranteedBySwaps' ? bought : first;
}

function signedAmount(mint: Address | undefined, amountRaw: bigint, tokens: TokenNames): string {
  return amountRaw < 0n ? `-${amountText(mint, -amountRaw, tokens)}` : amountText(mint, amountRaw, tokens);
}
