import * as l10n from '@vscode/l10n';
import { lamportsToSol } from '../../base/solana/amounts';
import { LEAST_REENTRY_LAMPORTS, type ReentryFunds } from './costs';

/** "1.5 SOL" */
export function solText(lamports: bigint): string {
  return lamports < 0n ? l10n.t`−${lamportsToSol(-lamports)} SOL` : l10n.t`${lamportsToSol(lamports)} SOL`;
}

/** How the rebalance is gone on with, where it is still open. */
export const offeredText = (): string =>
  l10n.t('It is still offered: "Re-enter" in Activity zaps in with it again, "Leave It Out" ends the rebalance.');

/** It could not be measured how much came out. */
export function notMeasuredMessage(): string {
  return l10n.t`The position was closed, and how much SOL came back could not be measured. It is in your wallet; nothing was re-entered, since that could be more than came back. ${offeredText()}`;
}

/** Why the user is asked how much goes back in. */
export const notMeasuredWarning = (): string => l10n.t('How much SOL came back could not be measured: you chose how much goes back in.');

/** Hardly anything came out. */
export function belowMinimumMessage(lamportsBack: bigint): string {
  return l10n.t`The position was closed, and ${solText(lamportsBack)} came back from it, less than the ${solText(LEAST_REENTRY_LAMPORTS)} that is worth re-entering with: it stays in your wallet.`;
}

/** What came out is used up by costs and reserve. */
export function insufficientProceedsMessage(funds: ReentryFunds, inputLamports: bigint): string {
  const { lamportsBack, balanceLamports, reserveLamports, costs } = funds;
  const list = costs.parts.map(({ lamports, what }) => `${solText(lamports)} ${what}`).join(', ');
  const left =
    inputLamports > 0n
      ? l10n.t`${solText(inputLamports)} would be left to put in, less than the ${solText(LEAST_REENTRY_LAMPORTS)} that is worth it`
      : l10n.t('nothing would be left to put in');
  return (
    l10n.t`The position was closed, and ${solText(lamportsBack)} came back from it. To re-enter with that costs ${solText(costs.spentLamports)} (${list}), ` +
    l10n.t`and of the ${solText(balanceLamports)} in your wallet ${solText(reserveLamports)} ${reserveLamports === 1n ? 'is' : 'are'} to stay there: ${left}. It stays in your wallet.`
  );
}

/** It was not re-entered: what came out is in the wallet, and is offered. */
export function notReenteredMessage(lamportsBack: bigint, why: string): string {
  return l10n.t`The position was closed, and ${solText(lamportsBack)} came back from it, which is in your wallet. ${why} ${offeredText()}`;
}

/** Only a part of the zap-out has landed. */
export function incompleteMessage(lamportsBack: bigint | undefined, reason: string | undefined): string {
  return l10n.t`The zap-out is only half done. ${reason ?? ''} ${lamportsBack === undefined ? 'What' : solText(lamportsBack)} came back so far and has not been re-entered: look at what is missing first ("Finish What Is Half Done" in Activity). ${offeredText()}`.replace(
    '  ',
    ' ',
  );
}

/** A part of what came back went in, or may have: what is known of that. Nothing more is put back. */
export function possiblyReenteredMessage(lamportsBack: bigint | undefined, reason: string | undefined): string {
  const back = lamportsBack === undefined ? '.' : l10n.t`, and ${solText(lamportsBack)} came back from it.`;
  return l10n.t`The position was closed${back} A part of what came back may have gone back in: nothing more is re-entered, so that no more goes in than came out. ${reason ?? ''}`.trim();
}

/** An earlier zap-in that counted as failed is listed. */
export function alreadyReenteredMessage(): string {
  return l10n.t(
    'An earlier try to re-enter counted as failed, and its position is listed all the same: what came out went back in, and nothing more was sent. Look at your positions.',
  );
}

/**
 * The user wants it to stay in the wallet.
 * @param tries zap-ins that were sent before, and that counted as failed: nobody looks for them here
 */
export function declinedMessage(lamportsBack: bigint | undefined, tries: number): string {
  const before =
    tries === 0
      ? ''
      : l10n.t(' What was sent before to re-enter did not land, by all that is known; your positions would show it otherwise.');
  const back =
    lamportsBack === undefined
      ? l10n.t('how much SOL came back from it could not be measured')
      : l10n.t`${solText(lamportsBack)} came back from it`;
  return l10n.t`The position was closed, and ${back}. It was not re-entered, as you chose: it stays in your wallet.${before}`;
}

/** Another window has ended it while this one stood still. */
export function positionChangedMessage(): string {
  return l10n.t('Another window has gone on with this rebalance: Activity says how it ended.');
}
