import { lamportsToSol } from '../../solana/amounts';
import { LEAST_REENTRY_LAMPORTS, type ReentryFunds } from './amounts';

/** "1.5 SOL" */
export function solText(lamports: bigint): string {
  return lamports < 0n ? `−${lamportsToSol(-lamports)} SOL` : `${lamportsToSol(lamports)} SOL`;
}

/** How the rebalance is gone on with, where it is still open. */
export const OFFERED = 'It is still offered: "Re-enter" in Activity puts it back, "Leave It Out" ends the rebalance.';

/** It cannot be told how much came out. */
export function notMeasuredWords(): string {
  return 'The position was closed, and it could not be measured how much SOL came back from it: nothing was put back, since that could be more than came out. What came back is in your wallet; zap in again with as much as you want.';
}

/** Hardly anything came out. */
export function tooLittleAtAllWords(lamportsBack: bigint): string {
  return `The position was closed, and ${solText(lamportsBack)} came back from it, less than the ${solText(LEAST_REENTRY_LAMPORTS)} that is worth putting back: it stays in your wallet.`;
}

/** What came out is used up by costs and reserve. */
export function tooLittleWords(funds: ReentryFunds, inputLamports: bigint): string {
  const { lamportsBack, balanceLamports, reserveLamports, costs } = funds;
  const list = costs.parts.map(({ lamports, what }) => `${solText(lamports)} ${what}`).join(', ');
  const left = inputLamports > 0n ? `${solText(inputLamports)} would be left to put in, less than the ${solText(LEAST_REENTRY_LAMPORTS)} that is worth it` : 'nothing would be left to put in';
  return (
    `The position was closed, and ${solText(lamportsBack)} came back from it. To put that back costs ${solText(costs.spentLamports)} (${list}), ` +
    `and of the ${solText(balanceLamports)} in your wallet ${solText(reserveLamports)} ${reserveLamports === 1n ? 'is' : 'are'} to stay there: ${left}. It stays in your wallet.`
  );
}

/** Nothing is put back: what came out is in the wallet, and is offered. */
export function notReenteredWords(lamportsBack: bigint, why: string): string {
  return `The position was closed, and ${solText(lamportsBack)} came back from it, which is in your wallet. ${why} ${OFFERED}`;
}

/** Only a part of the zap-out has landed. */
export function halfDoneWords(lamportsBack: bigint, reason: string | undefined): string {
  return `The zap-out is only half done. ${reason ?? ''} ${solText(lamportsBack)} came back so far, and nothing was put back: look at what is missing first ("Finish What Is Half Done" in Activity). ${OFFERED}`.replace('  ', ' ');
}

/** An earlier zap-in that counted as failed is listed. */
export function wentInWords(): string {
  return 'An earlier try to put it back counted as failed, and its position is listed all the same: what came out has gone back in, and nothing more was sent. Look at your positions.';
}

/**
 * The user wants it to stay in the wallet.
 * @param tries zap-ins that were sent before, and that counted as failed: nobody looks for them here
 */
export function leftOutWords(lamportsBack: bigint, tries: number): string {
  const before = tries === 0 ? '' : ' What was sent before to put it back did not land, by all that is known; your positions would show it otherwise.';
  return `The position was closed, and ${solText(lamportsBack)} came back from it. It was not put back, as you chose: it stays in your wallet.${before}`;
}

/** Another window has ended it while this one stood still. */
export function wentOnWords(): string {
  return 'Another window has gone on with this rebalance: Activity says how it ended.';
}
