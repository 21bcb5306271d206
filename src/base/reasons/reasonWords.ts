import * as l10n from '@vscode/l10n';
import { formatRaw, lamportsToSol } from '../solana/amounts';
import { WRAPPED_SOL_MINT } from '../solana/programs';
import { operationNoun } from '../operationKinds';
import { tickerText } from '../solana/tickers';
import { isClosedBeforeSending, type Reason, type ReentryCost, type ServiceAnswer, type AmountLeft } from './reason';

// The words of reasons, in sentences for the user: the one place for them.

/** Symbols are untrusted text: tokens with any other symbol are named by mint. */
const PLAIN_SYMBOL = /^[\p{L}\p{N}$._-]{1,20}$/u;

/** "1.5 SOL" */
export function solText(lamports: bigint): string {
  return lamports < 0n ? `−${solText(-lamports)}` : l10n.t`${lamportsToSol(lamports)} SOL`;
}

/** The words of a reason, in sentences. */
export function reasonWords(reason: Reason): string {
  switch (reason.code) {
    case 'told':
      return reason.text;

    case 'closedBeforeSending':
      return l10n.t('Binsight was closed before anything was sent.');
    case 'declined':
      return l10n.t('It was declined: nothing was sent.');
    case 'canceled':
      return l10n.t('It was canceled: nothing was sent.');
    case 'blocked':
      return l10n.t`The review blocked it. ${reason.finding ?? ''}`.trim();
    case 'notSendable':
      return l10n.t`It could not be sent; the signed transactions were discarded. ${reason.error}`;
    case 'nothingSent':
      return l10n.t('Nothing was sent.');

    case 'answered':
      return sentWords(reason.answer);
    case 'answeredSentAgain':
      return `${sentWords(reason.answer)} ${l10n.t('The same transactions are sent again when the service allows it.')}`;
    case 'lostSight':
      return l10n.t('Binsight was closed or disconnected after sending. It is checking the outcome.');
    case 'reportedNotListed':
      return `${reportedWords()} ${notListedWords()}`;
    case 'listedNotProven':
      return `${shownWords()} ${l10n.t('Your RPC does not have all of its transactions yet.')}`;
    case 'reportedNotProven':
      return `${reportedWords()} ${l10n.t('Binsight waits until the chain shows it.')}`;

    case 'landedNotListed':
      return `${l10n.t('It landed.')} ${notListedWords()}`;
    case 'settledInPart':
    case 'failedInPart':
      return `${landedWords(reason)} ${completeRestWords()}`;
    case 'failedOnChain':
      return l10n.t`It failed on chain (${reason.error}): only its network fees were paid.`;
    case 'notLanded': {
      const words = l10n.t('It did not land: nothing happened.');
      const other = l10n.t('Another operation made the change that your positions show.');
      return followed(reason.isBesideAnother ? `${words} ${other}` : words, reason.answered);
    }
    case 'madeByAnother':
      return `${l10n.t('Another operation withdrew from this position, so it is unknown whether this one did.')} ${lookUpOrConnectWords()}`;
    case 'madeElsewhere':
      return `${shownWords()} ${l10n.t('Your RPC has none of its transactions: something else may have made it.')} ${lookUpWords()}`;
    case 'forgotten':
      return `${notShownWords()} ${l10n.t('Your RPC no longer remembers whether it landed.')} ${lookUpWords()}`;
    case 'unanswered':
      return `${notShownWords()} ${l10n.t('Your RPC did not answer in time.')} ${lookUpWords()}`;
    case 'missing':
      return `${notShownWords()} ${lookUpOrConnectWords()}`;
    case 'unproven':
      return `${l10n.t('No RPC proved whether it landed.')} ${lookUpOrConnectWords()}`;
    case 'givenUp':
      return `${l10n.t('Whether it landed could not be determined within a day.')} ${lookUpWords()}`;

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

/** What to do about an operation that landed in part. */
export const completeRestWords = (): string => l10n.t('The rest is in your wallet or in the position: use Complete Interrupted Operation.');
/** What to do before repeating what may have landed. */
export const lookUpWords = (): string => l10n.t('Look up its signatures before you repeat it.');
export const lookUpOrConnectWords = (): string => l10n.t('Look up its signatures, or connect an RPC, before you repeat it.');
const sentWords = (answer: ServiceAnswer): string => l10n.t`It was sent, and ${answerWords(answer)}.`;
const reportedWords = (): string => l10n.t('The service reports that it landed.');
const notListedWords = (): string => l10n.t('The service does not list the change.');
const shownWords = (): string => l10n.t('Your positions show the change.');
const notShownWords = (): string => l10n.t('Your positions do not show it.');

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
      return l10n.t`the service answered ${status}${said}`;
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
      return l10n.t`The ${operationNoun('zapOut')} was not executed.`;
    case 'belowMinimum':
      return `${returnedWords(reason.lamportsBack)} ${belowMinimumWords(reason.leastLamports)}`;
    case 'insufficientProceeds': {
      const list = reason.costs.map(costWords).join(', ');
      const spent = solText(reason.spentLamports);
      const balance = solText(reason.balanceLamports);
      const reserve = solText(reason.reserveLamports);
      const left = solText(reason.inputLamports > 0n ? reason.inputLamports : 0n);
      return [
        returnedWords(reason.lamportsBack),
        l10n.t`A re-entry costs ${spent} (${list}), and ${reserve} of the ${balance} in your wallet must stay there: that leaves ${left}.`,
        belowMinimumWords(reason.leastLamports),
      ].join(' ');
    }
    case 'alreadyReentered':
      return l10n.t('An earlier re-entry recorded as failed did land, so nothing more was sent. Check your positions.');
    case 'declinedReentry': {
      const chosen = `${returnedWords(reason.lamportsBack)} ${l10n.t('As you chose, it stays in your wallet.')}`;
      return reason.tries === 0
        ? chosen
        : `${chosen} ${l10n.t('No earlier re-entry is known to have landed; your positions would show it.')}`;
    }
    case 'possiblyZappedOut':
      return l10n.t`The zap-out may have landed, and nothing is re-entered. ${wordsOrNone(reason.reason)}`.trim();
    case 'possiblyReentered':
      return `${returnedWords(reason.lamportsBack)} ${l10n.t`Part of it may already be re-entered, so nothing more is re-entered. ${wordsOrNone(reason.reason)}`}`.trim();
    case 'zapInNotSent':
      // The reason "nothing was sent" is not true of the rebalance: its zap-out was sent.
      return l10n.t`The zap-in was not sent.${reason.reason === undefined || isClosedBeforeSending(reason.reason) ? '' : ` ${reasonWords(reason.reason)}`}`;
  }
}

const belowMinimumWords = (leastLamports: bigint): string =>
  l10n.t`That is below the minimum of ${solText(leastLamports)} for a re-entry, so it stays in your wallet.`;

function wordsOrNone(reason: Reason | undefined): string {
  return reason === undefined ? '' : reasonWords(reason);
}

/** What a position returned that was closed. */
export function returnedWords(lamports: bigint | undefined): string {
  return lamports === undefined
    ? `${closedWords()} ${l10n.t('How much SOL it returned could not be measured.')}`
    : l10n.t`The position was closed and returned ${solText(lamports)}.`;
}

/** Where the proceeds are. */
export const inWalletWords = (): string => l10n.t('It is in your wallet; nothing was re-entered.');

/** How the user can continue a rebalance that is still open. */
export const reentryOfferedWords = (): string => l10n.t("Re-enter it in Activity, or choose Don't Re-enter.");

/** The proceeds of the zap-out could not be measured. */
export function notMeasuredWords(): string {
  return `${returnedWords(undefined)} ${inWalletWords()} ${reentryOfferedWords()}`;
}

/** Why the user is asked before a difference of balances is re-entered. @param lamports the difference */
export const byBalanceWords = (lamports: bigint): string =>
  l10n.t`Your SOL balance grew by ${solText(lamports)}, perhaps not all of it from the position.`;

/** "0.057 SOL refundable rent for the position" */
function costWords({ kind, isMost, lamports }: ReentryCost): string {
  const amount = isMost || kind === 'fees' ? l10n.t`at most ${solText(lamports)}` : solText(lamports);
  switch (kind) {
    case 'position':
    case 'tokenAccounts':
      return `${l10n.t('Refundable rent')}: ${amount}`;
    case 'binArrays':
      return `${l10n.t('Non-refundable rent')}: ${amount}`;
    case 'fees':
      return `${l10n.t('Network fees and tip')}: ${amount}`;
    case 'found':
      return `${l10n.t('Rent and fees')}: ${amount}`;
  }
}

function landedWords({ landed, of }: { readonly landed: number; readonly of: number }): string {
  return l10n.t`${landed} of ${of} transactions landed; the others no longer can.`;
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
      return reason.isEnded ? maybeCompletedWords() : l10n.t('Its completion is in progress: see Activity.');
    case 'partUnknown':
      return `${onlyRpcWords()} ${l10n.t('Check your positions and your wallet.')}`;
    case 'notInPart':
      return nothingWords();
    case 'noneLanded':
      return `${l10n.t`As far back as your RPC goes, none of the ${reason.of} transactions landed.`} ${nothingWords()}`;
    case 'allLanded':
      return `${l10n.t`All ${reason.of} transactions landed.`} ${nothingWords()}`;
    case 'positionsUnread':
      return `${landedWords(reason)} ${unreadWords()}`;
    case 'restOfPosition':
      return `${landedWords(reason)} ${stillOpenWords()}`;
    case 'shareWithdrawnInPart':
      return `${landedWords(reason)} ${l10n.t`How much of the ${reason.shareBps / 100}% was withdrawn is not known exactly.`} ${stillOpenWords()}`;
    case 'claimedInPart':
    case 'compoundedInPart':
      return `${landedWords(reason)} ${l10n.t('The other fees are still in the position: repeat it for them.')}`;
    case 'addedInPart':
      return `${landedWords(reason)} ${againWords()}`;
    case 'swappedInPart':
      return `${landedWords(reason)} ${againWords()}`;
    case 'proceedsUnknown':
      return `${landedWords(reason)} ${closedWords()} ${l10n.t('Its proceeds are in your wallet.')} ${onlyRpcWords()}`;
    case 'proceedsLeft': {
      const left = listOf(reason.amounts);
      const wrapped = wrappedWords(reason.wrappedLamports);
      if (left === '' && wrapped === '') {
        return `${landedWords(reason)} ${closedWords()} ${l10n.t('Nothing is left to swap.')}`;
      }
      const unswapped = left === '' ? '' : ` ${l10n.t`Your wallet still has ${left} from it, not swapped.`}`;
      return `${landedWords(reason)} ${l10n.t('Nothing is lost.')}${unswapped}${wrapped}`;
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
      return `${landed} ${unreadWords()}`;
    case 'depositUnknown':
      return `${landed} ${l10n.t('The rest is in your wallet or in the position.')} ${onlyRpcWords()} ${l10n.t('Check your positions and your wallet.')}`;
    case 'depositUsed':
      return `${landed} ${openedWords(reason.isOpen)} ${l10n.t('Nothing of the planned deposit is left in your wallet.')}${wrappedWords(reason.wrappedLamports)}`;
    case 'depositTooLittle':
      return `${landed} ${openedWords(reason.isOpen)} ${depositLeftWords(reason.amounts)} ${l10n.t('That is too little to deposit.')}${wrappedWords(reason.wrappedLamports)}`;
    case 'depositOneSided':
      return `${landed} ${depositLeftWords(reason.amounts)} ${l10n.t('The pool only takes both of its tokens: swap it, or start a new zap-in.')}${wrappedWords(reason.wrappedLamports)}`;
    case 'depositOutOfRange':
      return `${landed} ${depositLeftWords(reason.amounts)} ${l10n.t('The price has left the range: zap in with another range.')}${wrappedWords(reason.wrappedLamports)}`;
    case 'depositLeft':
      return `${landed} ${openedWords(reason.isOpen)} ${depositLeftWords(reason.amounts)} ${l10n.t('A new zap-in deposits it as a new position.')}`;
  }
}

/** The operation may have been completed by another one. */
export const maybeCompletedWords = (): string => l10n.t('It may already be completed: see Activity.');
const closedWords = (): string => l10n.t('The position was closed.');
const stillOpenWords = (): string => l10n.t('The position is still open: zap out the rest.');
const againWords = (): string => l10n.t('The rest is still in your wallet: repeat it for that.');
const nothingWords = (): string => l10n.t('There is nothing to complete.');
const onlyRpcWords = (): string => l10n.t('Only an RPC that has its transactions can tell what landed (Connect to Service…).');

const unreadWords = (): string =>
  `${l10n.t('What is left to do is not known, because not everything could be loaded.')} ${l10n.t('Refresh, then try again.')}`;

function openedWords(isOpen: boolean): string {
  return isOpen ? l10n.t('The position is open with part of the planned deposit.') : l10n.t('The position was not opened.');
}

function depositLeftWords(amounts: readonly AmountLeft[]): string {
  return l10n.t`Your wallet still has ${listOf(amounts)} of the planned deposit.`;
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
    ? l10n.t`${String(raw)} raw units of ${mint}`
    : `${formatRaw(raw, decimals)} ${PLAIN_SYMBOL.test(symbol) ? tickerText(symbol, mint) : mint}`;
}

/** A sentence about SOL that is still wrapped; empty without any. Wallets don't show it as SOL, so the user must know. */
function wrappedWords(lamports: bigint): string {
  return lamports <= 0n ? '' : ` ${l10n.t`${lamportsToSol(lamports)} SOL of it is still wrapped SOL (wSOL).`}`;
}
