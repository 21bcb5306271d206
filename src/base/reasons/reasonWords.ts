import * as l10n from '@vscode/l10n';
import { operationNoun, type SingleKind } from '../operationKinds';
import { formatRaw, lamportsToSol } from '../solana/amounts';
import { WRAPPED_SOL_MINT } from '../solana/programs';
import { tickerText } from '../solana/tickers';
import { isClosedBeforeSending, type Reason, type ReentryCost, type ServiceAnswer, type AmountLeft } from './reason';

// The words of reasons, in sentences for the user: the one place for them.

/** Symbols are untrusted text: tokens with any other symbol are named by mint. */
const PLAIN_SYMBOL = /^[\p{L}\p{N}$._-]{1,20}$/u;

/** "1.5 SOL" */
export function solText(lamports: bigint): string {
  return lamports < 0n ? l10n.t`−${lamportsToSol(-lamports)} SOL` : l10n.t`${lamportsToSol(lamports)} SOL`;
}

/** The words of a reason, in sentences. */
export function reasonWords(reason: Reason): string {
  switch (reason.code) {
    case 'told':
      return reason.text;

    case 'closedBeforeSending':
      return l10n.t('Binsight was closed before anything was sent.');
    case 'declined':
      return l10n.t('It was declined: nothing was signed or sent.');
    case 'canceled':
      return l10n.t('It was canceled: nothing was sent.');
    case 'blocked':
      return l10n.t`The review blocked it. ${reason.finding ?? ''}`.trim();
    case 'notSendable':
      return l10n.t`It could not be sent; the signed transactions were discarded. ${reason.error}`;
    case 'nothingSent':
      return l10n.t('Nothing was sent.');

    case 'answered':
      return l10n.t`It was sent, and ${answerWords(reason.answer)}.`;
    case 'answeredSentAgain':
      return l10n.t`It was sent, and ${answerWords(reason.answer)}. Binsight waits as long as the service asks, then sends the same signed transactions again.`;
    case 'lostSight':
      return l10n.t('Binsight was closed or lost its connection after it was sent. Its outcome is being checked.');
    case 'reportedNotListed':
      return l10n.t('The service reports that it landed, but does not list the change yet.');
    case 'listedNotProven':
      return l10n.t(
        'Your positions show the change, but your RPC does not show all of the transactions yet. Binsight is checking which of them landed and what they brought.',
      );

    case 'reportedNotProven':
      return l10n.t('The service reports that it landed. Binsight waits until the chain shows it.');

    case 'landedNotListed':
      return l10n.t('All of its transactions landed, but the service does not list the change. Activity has the signatures.');
    case 'settledInPart':
      return l10n.t`${reason.landed} of its ${reason.of} transactions landed, and the others no longer can. What is missing is in your wallet or in the position: use "Complete Interrupted Operation" in Activity.`;
    case 'failedInPart':
      return l10n.t`${reason.landed} of its ${reason.of} transactions landed, and the others no longer can. Nothing is lost: "Complete Interrupted Operation" in Activity finds out what is left to do.`;
    case 'failedOnChain':
      return l10n.t`It failed on chain (${reason.error}): nothing happened except that its network fees were paid.`;
    case 'notLanded': {
      const words = reason.isBesideAnother
        ? l10n.t('It did not land: another operation on the same position made the change that your positions show.')
        : l10n.t('It did not land: nothing happened.');
      return followed(words, reason.answered);
    }
    case 'madeByAnother':
      return l10n.t(
        'Another operation withdrew from the same position, so your positions cannot tell whether this one did, too. Look up its signature, or set an RPC (Connect to Service…), before you repeat it.',
      );
    case 'madeElsewhere':
      return reason.transactions === 1
        ? l10n.t(
            'Your positions show the change, but your RPC does not have its transaction: the change may have been made elsewhere, or the list may be wrong. Look up its signature, and check your positions and your wallet, before you repeat it.',
          )
        : l10n.t`Your positions show the change, but your RPC has none of its ${reason.transactions} transactions: the change may have been made elsewhere, or the list may be wrong. Look up its signatures, and check your positions and your wallet, before you repeat it.`;
    case 'forgotten':
      return l10n.t(
        'Your positions do not show it, and your RPC no longer remembers whether it landed. Look up its signature before you repeat it.',
      );
    case 'unanswered':
      return l10n.t(
        'Your positions do not show it, and your RPC did not answer in time. Look up its signature, or check the RPC, before you repeat it.',
      );
    case 'missing':
      return reason.transactions === 1
        ? l10n.t(
            'Your positions do not show it, but lists can lag. Look up its signature, or set an RPC (Connect to Service…), before you repeat it.',
          )
        : l10n.t`Your positions do not show it, but lists can lag, and some of its ${reason.transactions} transactions may have landed without the others. Look up its signatures, or set an RPC (Connect to Service…), before you repeat it.`;
    case 'unproven':
      return reason.transactions === 1
        ? l10n.t(
            'Only the chain shows whether it landed, and no RPC proved it. Look up its signature, or set an RPC (Connect to Service…), before you repeat it.',
          )
        : l10n.t`Only the chain shows which of its ${reason.transactions} transactions landed, and no RPC proved it. Look up its signatures, or set an RPC (Connect to Service…), before you repeat it.`;
    case 'givenUp':
      return l10n.t(
        'Its outcome could not be determined within a day, and it can no longer land. Look up its signature, and check your positions and your wallet, before you repeat it.',
      );

    case 'zapOutFailed':
    case 'belowMinimum':
    case 'insufficientProceeds':
    case 'alreadyReentered':
    case 'declinedReentry':
    case 'possiblyZappedOut':
    case 'possiblyReentered':
    case 'zapInNotSent':
      return rebalanceWords(reason);

    case 'completed':
    case 'partUnknown':
    case 'notInPart':
    case 'noneLanded':
    case 'allLanded':
    case 'positionsUnread':
    case 'restOfPosition':
    case 'shareWithdrawnInPart':
    case 'claimedInPart':
    case 'compoundedInPart':
    case 'addedInPart':
    case 'swappedInPart':
    case 'proceedsUnknown':
    case 'proceedsLeft':
      return remainderWords(reason);
    case 'depositUnread':
    case 'depositUnknown':
    case 'depositUsed':
    case 'depositTooLittle':
    case 'depositOneSided':
    case 'depositOutOfRange':
    case 'depositLeft':
      return depositWords(reason);
  }
}

/** Sentences, and those of the reason behind them. */
function followed(words: string, reason: Reason | undefined): string {
  return reason === undefined ? words : `${words} ${reasonWords(reason)}`;
}

/**
 * The service's answer as the end of a sentence: "the service answered 422 (Slippage exceeded)", "no answer arrived (…)". Gives no advice:
 * that of a failed request ("try again later") doesn't hold for something that may have landed.
 */
export function answerWords(answer: ServiceAnswer): string {
  switch (answer.kind) {
    case 'unusable':
      return l10n.t`its answer could not be used (${answer.error})`;
    case 'none':
      return l10n.t`no answer arrived (${answer.error})`;
    case 'unreadable':
      return l10n.t('its answer could not be read');
    case 'status': {
      const { status } = answer;
      const said = answer.said === undefined ? '' : ` (${answer.said})`;
      if (status < 300) {
        return l10n.t`the service answered that it failed${said}`;
      }
      return status < 400 ? l10n.t`the service answered ${status}, a redirect${said}` : l10n.t`the service answered ${status}${said}`;
    }
  }
}

type Of<Code extends Reason['code']> = Extract<Reason, { code: Code }>;

function rebalanceWords(
  reason: Of<
    | 'zapOutFailed'
    | 'belowMinimum'
    | 'insufficientProceeds'
    | 'alreadyReentered'
    | 'declinedReentry'
    | 'possiblyZappedOut'
    | 'possiblyReentered'
    | 'zapInNotSent'
  >,
): string {
  switch (reason.code) {
    case 'zapOutFailed':
      return l10n.t('The zap-out failed.');
    case 'belowMinimum':
      return l10n.t`The position was closed, and ${solText(reason.lamportsBack)} came back from it. That is below the minimum of ${solText(reason.leastLamports)} for a re-entry, so it stays in your wallet.`;
    case 'insufficientProceeds': {
      const list = reason.costs.map((cost) => `${solText(cost.lamports)} ${costWords(cost)}`).join(', ');
      const back = solText(reason.lamportsBack);
      const spent = solText(reason.spentLamports);
      const balance = solText(reason.balanceLamports);
      const reserve = solText(reason.reserveLamports);
      return reason.inputLamports > 0n
        ? l10n.t`The position was closed, and ${back} came back from it. A re-entry costs ${spent} (${list}), and ${reserve} of the ${balance} in your wallet must stay there. That leaves ${solText(reason.inputLamports)}, which is below the minimum of ${solText(reason.leastLamports)}, so it stays in your wallet.`
        : l10n.t`The position was closed, and ${back} came back from it. A re-entry costs ${spent} (${list}), and ${reserve} of the ${balance} in your wallet must stay there. That leaves nothing to re-enter with, so it stays in your wallet.`;
    }
    case 'alreadyReentered':
      return l10n.t(
        'An earlier re-entry was recorded as failed, but it took effect: what came back is re-entered, and nothing more was sent. Check your positions.',
      );
    case 'declinedReentry': {
      const before =
        reason.tries === 0 ? '' : l10n.t(' As far as is known, no earlier re-entry landed. If one did, your positions show it.');
      return reason.lamportsBack === undefined
        ? l10n.t`The position was closed, and how much SOL came back from it could not be measured. It was not re-entered, as you chose: it stays in your wallet.${before}`
        : l10n.t`The position was closed, and ${solText(reason.lamportsBack)} came back from it. It was not re-entered, as you chose: it stays in your wallet.${before}`;
    }
    case 'possiblyZappedOut':
      return l10n.t`The zap-out may have landed, and nothing is re-entered. ${wordsOrNone(reason.reason)}`.trim();
    case 'possiblyReentered': {
      const message =
        reason.lamportsBack === undefined
          ? l10n.t`The position was closed. Part of what came back may already be re-entered, so nothing more is re-entered. ${wordsOrNone(reason.reason)}`
          : l10n.t`The position was closed, and ${solText(reason.lamportsBack)} came back from it. Part of that may already be re-entered, so nothing more is re-entered. ${wordsOrNone(reason.reason)}`;
      return message.trim();
    }
    case 'zapInNotSent':
      // The reason "nothing was sent" is not true of the rebalance: its zap-out was sent.
      return l10n.t`The zap-in was not sent.${reason.reason === undefined || isClosedBeforeSending(reason.reason) ? '' : ` ${reasonWords(reason.reason)}`}`;
  }
}

function wordsOrNone(reason: Reason | undefined): string {
  return reason === undefined ? '' : reasonWords(reason);
}

/** "refundable rent for the new position" */
export function costWords({ kind, isMost, count }: ReentryCost): string {
  switch (kind) {
    case 'position':
      return isMost ? l10n.t('refundable rent for the new position at most') : l10n.t('refundable rent for the new position');
    case 'binArrays':
      return count === 1
        ? l10n.t('non-refundable rent for a bin array of the pool')
        : l10n.t`non-refundable rent for ${count ?? 0} bin arrays of the pool`;
    case 'tokenAccounts':
      return isMost ? l10n.t('refundable rent for token accounts at most') : l10n.t('refundable rent for token accounts');
    case 'fees':
      return l10n.t('fees and tip at most');
    case 'found':
      return l10n.t('rent for bin arrays or fees found in the transactions');
  }
}

function landedWords({ operation, landed, of }: { readonly operation: SingleKind; readonly landed: number; readonly of: number }): string {
  return l10n.t`${landed} of the ${of} transactions of this ${operationNoun(operation)} landed, and the others no longer can.`;
}

function remainderWords(
  reason: Of<
    | 'completed'
    | 'partUnknown'
    | 'notInPart'
    | 'noneLanded'
    | 'allLanded'
    | 'positionsUnread'
    | 'restOfPosition'
    | 'shareWithdrawnInPart'
    | 'claimedInPart'
    | 'compoundedInPart'
    | 'addedInPart'
    | 'swappedInPart'
    | 'proceedsUnknown'
    | 'proceedsLeft'
  >,
): string {
  switch (reason.code) {
    case 'completed':
      return reason.isEnded
        ? l10n.t('It was completed already, or may have been. See the operation after it in Activity.')
        : l10n.t('Its completion is in progress or was just sent. Activity shows the outcome.');
    case 'partUnknown':
      return l10n.t`Whether part of this ${operationNoun(reason.operation)} landed cannot be determined without an RPC that has its transactions (Connect to Service…); with one, Binsight finds out. Check your positions and your wallet. ${whereShown(reason.hasExplorer)}`;
    case 'notInPart':
      return l10n.t('This operation was not partially executed; there is nothing to complete.');
    case 'noneLanded':
      return l10n.t`Your RPC has none of the ${reason.of} transactions of this ${operationNoun(reason.operation)}. As far back as it goes, none of them landed, so there is nothing to complete.`;
    case 'allLanded':
      return l10n.t`All ${reason.of} transactions of this ${operationNoun(reason.operation)} landed, so there is nothing to complete. Your positions and your wallet have the result.`;
    case 'positionsUnread':
      return l10n.t`${landedWords(reason)} Your positions cannot be loaded right now, so it is not known whether the position is still open. Refresh them, then try again.`;
    case 'restOfPosition':
      return l10n.t`${landedWords(reason)} The position is still open. You chose to withdraw all of it: a new zap-out, which needs your approval, withdraws the rest.`;
    case 'shareWithdrawnInPart':
      return l10n.t`${landedWords(reason)} You chose to withdraw ${reason.shareBps / 100}% of the position, and how much of that was withdrawn cannot be determined exactly. Check the position, and zap out what you still want to withdraw.`;
    case 'claimedInPart':
      return l10n.t`${landedWords(reason)} The other fees are still in their positions: claim them again.`;
    case 'compoundedInPart':
      return l10n.t`${landedWords(reason)} The other fees are still in the position: compound them again.`;
    case 'addedInPart':
      return l10n.t`${landedWords(reason)} What was not deposited is in your wallet, perhaps swapped to the pool's tokens: add it to the position again.`;
    case 'swappedInPart':
      return l10n.t`${landedWords(reason)} What was not swapped is still in your wallet: swap it again.`;
    case 'proceedsUnknown':
      return l10n.t`${landedWords(reason)} The position is closed, and its proceeds are in your wallet. Which tokens they are cannot be determined without an RPC that has its transactions (Connect to Service…): check your wallet. ${whereShown(reason.hasExplorer)}`;
    case 'proceedsLeft': {
      const left = listOf(reason.amounts);
      const wrapped = wrappedWords(reason.wrappedLamports);
      if (left === '' && wrapped === '') {
        return l10n.t`${landedWords(reason)} The position is closed, and none of its proceeds are left unswapped in your wallet. There is nothing to do.`;
      }
      const unswapped = left === '' ? '' : l10n.t` Your wallet still has ${left} from it, not swapped.`;
      return l10n.t`${landedWords(reason)} Nothing is lost.${unswapped}${wrapped}`;
    }
  }
}

function depositWords(
  reason: Of<
    'depositUnread' | 'depositUnknown' | 'depositUsed' | 'depositTooLittle' | 'depositOneSided' | 'depositOutOfRange' | 'depositLeft'
  >,
): string {
  const landed = landedWords(reason);
  switch (reason.code) {
    case 'depositUnread':
      return l10n.t`${landed} Your positions, your balances or the pool cannot be loaded right now, so it is not known what is left to do. Refresh, then try again.`;
    case 'depositUnknown':
      return l10n.t`${landed} What they brought is in your wallet or in the position. How much that is cannot be determined without an RPC that has these transactions (Connect to Service…): check your wallet, and zap in with tokens what you still want to deposit. ${whereShown(reason.hasExplorer)}`;
    case 'depositUsed':
      return reason.isOpen
        ? l10n.t`${landed} Nothing of the planned deposit is left in your wallet: what was deposited is in the position.${wrappedWords(reason.wrappedLamports)}`
        : l10n.t`${landed} Nothing of the planned deposit is left in your wallet: it was moved or swapped since.${wrappedWords(reason.wrappedLamports)}`;
    case 'depositTooLittle': {
      const where = reason.isOpen ? l10n.t('What was deposited is in the position.') : l10n.t('The position was not opened.');
      return l10n.t`${landed} ${where} What is left in your wallet of the planned deposit is too little to deposit: ${listOf(reason.amounts)}. It stays there, and nothing more is done.${wrappedWords(reason.wrappedLamports)}`;
    }
    case 'depositOneSided':
      return l10n.t`${landed} Your wallet still has ${listOf(reason.amounts)} of the planned deposit. This pool takes both of its tokens, so it cannot be deposited alone: swap it, or start a new zap-in.${wrappedWords(reason.wrappedLamports)}`;
    case 'depositOutOfRange':
      return l10n.t`${landed} Your wallet still has ${listOf(reason.amounts)} of the planned deposit. The price has since left the range on the side where it cannot be deposited as it is: start a new zap-in with another range.${wrappedWords(reason.wrappedLamports)}`;
    case 'depositLeft': {
      const { fromBinId, toBinId = fromBinId } = reason;
      const where = reason.isOpen
        ? l10n.t('The position is open, with part of the planned deposit.')
        : l10n.t('The position was not opened.');
      const list = listOf(reason.amounts);
      return fromBinId === undefined || toBinId === undefined
        ? l10n.t`${landed} ${where} Your wallet still has ${list} of the planned deposit: a new zap-in, which needs your approval, deposits it as it is, as a new position.`
        : l10n.t`${landed} ${where} Your wallet still has ${list} of the planned deposit: a new zap-in, which needs your approval, deposits it as it is, as a new position over bins ${fromBinId} to ${toBinId}.`;
    }
  }
}

/** Where the user can look up the transactions. */
function whereShown(hasExplorer: boolean): string {
  return hasExplorer
    ? l10n.t('"Open Transaction in Explorer" in Activity shows its transactions.')
    : l10n.t('Activity lists its transactions.');
}

/** "12.5 BONK and 3 USDC"; empty for none. */
function listOf(amounts: readonly AmountLeft[]): string {
  return amounts.length === 0 ? '' : amounts.map(amountWords).reduce((before, amount) => l10n.t`${before} and ${amount}`);
}

function amountWords({ mint, raw, symbol = '', decimals }: AmountLeft): string {
  if (mint === WRAPPED_SOL_MINT) {
    return l10n.t`${lamportsToSol(raw)} SOL`;
  }
  return decimals === undefined
    ? l10n.t`${String(raw)} of the smallest units of ${mint}`
    : `${formatRaw(raw, decimals)} ${PLAIN_SYMBOL.test(symbol) ? tickerText(symbol, mint) : mint}`;
}

/** A sentence about SOL that is still wrapped; empty without any. Wallets don't show it as SOL, so the user must know. */
function wrappedWords(lamports: bigint): string {
  return lamports <= 0n ? '' : l10n.t` ${lamportsToSol(lamports)} SOL of it is still wrapped, in your wrapped SOL (wSOL) account.`;
}
