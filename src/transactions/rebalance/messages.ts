import * as l10n from '@vscode/l10n';
import { operationNoun } from '../../base/operationKinds';
import { inWalletWords, reentryOfferedWords, returnedWords, solText } from '../../base/reasons/reasonWords';
import { inPartWords } from '../words';

/** Why the user is asked how much to re-enter. */
export const notMeasuredWarning = (): string => l10n.t('You chose the amount, because what came back could not be measured.');

/** Why a re-entry is asked about although its rebalance was approved, or confirmed with the rules. */
export function aboveLimitWarning(inputLamports: bigint, mostLamports: bigint): string {
  return l10n.t`The re-entry would deposit ${solText(inputLamports)}, but the rules allow at most ${solText(mostLamports)}.`;
}

/** Nothing was re-entered: the proceeds are in the wallet, and re-entry is offered. @param why a sentence */
export function notReenteredMessage(lamportsBack: bigint, why: string): string {
  return `${returnedWords(lamportsBack)} ${inWalletWords()} ${why} ${reentryOfferedWords()}`;
}

/** Only some of the zap-out's transactions landed. @param reason of the zap-out, in sentences */
export function incompleteMessage(lamportsBack: bigint | undefined, reason: string | undefined): string {
  return [
    inPartWords(operationNoun('zapOut')),
    reason ?? '',
    lamportsBack === undefined ? '' : l10n.t`${solText(lamportsBack)} came back so far.`,
    l10n.t('Nothing was re-entered: use Complete Interrupted Operation in Activity first.'),
    reentryOfferedWords(),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Another window ended the rebalance while this one was suspended. */
export function positionChangedMessage(): string {
  return `${l10n.t('Another window has taken over this operation.')} ${l10n.t('Activity shows how it ended.')}`;
}
