import * as l10n from '@vscode/l10n';
import { solText } from '../../base/reasons/reasonWords';

/** How the user can continue a rebalance that is still open. */
const offeredText = (): string => l10n.t('In Activity, "Re-enter" zaps in with it again, and "Don\'t Re-enter" ends the rebalance.');

/** The proceeds of the zap-out could not be measured. */
export function notMeasuredMessage(): string {
  return l10n.t`The position was closed, but how much SOL came back could not be measured. It is in your wallet; nothing was re-entered, because that could be more than came back. ${offeredText()}`;
}

/** Why the user is asked how much to re-enter. */
export const notMeasuredWarning = (): string => l10n.t('How much SOL came back could not be measured; you chose how much is re-entered.');

/** Why the user is asked before a difference of balances is re-entered. @param lamports the difference */
export const byBalanceWarning = (lamports: bigint): string =>
  l10n.t`Your SOL balance grew by ${solText(lamports)}. Without an RPC, Binsight cannot tell whether this position paid all of it, or whether some of it came from elsewhere.`;

/** Why a re-entry is asked about although its rebalance was approved, or confirmed with the rules. */
export function aboveLimitWarning(inputLamports: bigint, mostLamports: bigint): string {
  return l10n.t`The re-entry would deposit ${solText(inputLamports)}, but the rules allow at most ${solText(mostLamports)}.`;
}

/** Nothing was re-entered: the proceeds are in the wallet, and re-entry is offered. @param why a sentence */
export function notReenteredMessage(lamportsBack: bigint, why: string): string {
  return l10n.t`The position was closed, and the ${solText(lamportsBack)} that came back is in your wallet. ${why} ${offeredText()}`;
}

/** Only some of the zap-out's transactions landed. @param reason of the zap-out, in sentences */
export function incompleteMessage(lamportsBack: bigint | undefined, reason: string | undefined): string {
  const message =
    lamportsBack === undefined
      ? l10n.t`The zap-out was partially executed. ${reason ?? ''} What came back so far has not been re-entered: use "Complete Interrupted Operation" in Activity first. ${offeredText()}`
      : l10n.t`The zap-out was partially executed. ${reason ?? ''} ${solText(lamportsBack)} came back so far and has not been re-entered: use "Complete Interrupted Operation" in Activity first. ${offeredText()}`;
  return message.replace('  ', ' ');
}

/** Another window ended the rebalance while this one was suspended. */
export function positionChangedMessage(): string {
  return l10n.t('Another window took over this rebalance. Activity shows how it ended.');
}
