import * as l10n from '@vscode/l10n';
import { lamportsToSol } from '../../base/solana/amounts';
import { LEAST_REENTRY_LAMPORTS, type ReentryFunds } from './costs';

/** "1.5 SOL" */
export function solText(lamports: bigint): string {
  return lamports < 0n ? l10n.t`−${lamportsToSol(-lamports)} SOL` : l10n.t`${lamportsToSol(lamports)} SOL`;
}

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

/** The proceeds are below the minimum for a re-entry. */
export function belowMinimumMessage(lamportsBack: bigint): string {
  return l10n.t`The position was closed, and ${solText(lamportsBack)} came back from it. That is below the minimum of ${solText(LEAST_REENTRY_LAMPORTS)} for a re-entry, so it stays in your wallet.`;
}

/** Costs and reserve leave too little to re-enter with. @param inputLamports what they leave; may be 0 or less */
export function insufficientProceedsMessage(funds: ReentryFunds, inputLamports: bigint): string {
  const { lamportsBack, balanceLamports, reserveLamports, costs } = funds;
  const list = costs.parts.map(({ lamports, what }) => `${solText(lamports)} ${what}`).join(', ');
  const back = solText(lamportsBack);
  const spent = solText(costs.spentLamports);
  const balance = solText(balanceLamports);
  const reserve = solText(reserveLamports);
  return inputLamports > 0n
    ? l10n.t`The position was closed, and ${back} came back from it. A re-entry costs ${spent} (${list}), and ${reserve} of the ${balance} in your wallet must stay there. That leaves ${solText(inputLamports)}, which is below the minimum of ${solText(LEAST_REENTRY_LAMPORTS)}, so it stays in your wallet.`
    : l10n.t`The position was closed, and ${back} came back from it. A re-entry costs ${spent} (${list}), and ${reserve} of the ${balance} in your wallet must stay there. That leaves nothing to re-enter with, so it stays in your wallet.`;
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

/** It is unclear whether the zap-out landed: nothing is re-entered. @param reason of the zap-out, in sentences */
export function possiblyZappedOutMessage(reason: string | undefined): string {
  return l10n.t`The zap-out may have landed, and nothing is re-entered. ${reason ?? ''}`.trim();
}

/** A zap-in was partially executed, or may have been: nothing more is re-entered. @param reason of the zap-in, in sentences */
export function possiblyReenteredMessage(lamportsBack: bigint | undefined, reason: string | undefined): string {
  const message =
    lamportsBack === undefined
      ? l10n.t`The position was closed. Part of what came back may already be re-entered, so nothing more is re-entered. ${reason ?? ''}`
      : l10n.t`The position was closed, and ${solText(lamportsBack)} came back from it. Part of that may already be re-entered, so nothing more is re-entered. ${reason ?? ''}`;
  return message.trim();
}

/** A zap-in that was recorded as failed is on the chain or, without an RPC, listed. */
export function alreadyReenteredMessage(): string {
  return l10n.t(
    'An earlier re-entry was recorded as failed, but it took effect: what came back is re-entered, and nothing more was sent. Check your positions.',
  );
}

/**
 * The user chose not to re-enter.
 * @param tries number of earlier zap-ins that were sent and recorded as failed; they are not checked again here
 */
export function declinedMessage(lamportsBack: bigint | undefined, tries: number): string {
  const before = tries === 0 ? '' : l10n.t(' As far as is known, no earlier re-entry landed. If one did, your positions show it.');
  return lamportsBack === undefined
    ? l10n.t`The position was closed, and how much SOL came back from it could not be measured. It was not re-entered, as you chose: it stays in your wallet.${before}`
    : l10n.t`The position was closed, and ${solText(lamportsBack)} came back from it. It was not re-entered, as you chose: it stays in your wallet.${before}`;
}

/** Another window ended the rebalance while this one was suspended. */
export function positionChangedMessage(): string {
  return l10n.t('Another window took over this rebalance. Activity shows how it ended.');
}
