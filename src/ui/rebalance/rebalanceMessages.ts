import * as l10n from '@vscode/l10n';
import type { OpenPosition } from '../../service/positions';
import { binRange } from '../../base/format/identifiers';
import type { RebalanceResult } from '../../transactions/rebalance/types';
import type { OperationRecord } from '../../transactions/journal/types';
import { movedInAll } from '../zap/movedTokens';
import { shortSol } from '../zap/operationMessages';
import { firstTry } from '../zap/outcome';
import { listedResult } from '../zap/results';

/** A notification about the end of a rebalance. */
export interface RebalanceNotice {
  readonly severity: 'info' | 'warning';
  readonly message: string;
}

/**
 * Gives the notification about the end of a rebalance; `undefined` if the approval has said it all.
 * @param pair made safe for labels
 * @param made the new position, if it is listed
 * @param parts the journal records of its zap-outs and zap-ins
 */
export function rebalanceNotice(
  result: RebalanceResult,
  pair: string,
  made: OpenPosition | undefined,
  parts: readonly OperationRecord[] = [],
): RebalanceNotice | undefined {
  const moved = movedInAll(parts);
  const inWallet = moved === undefined ? '' : ` ${l10n.t`Change in your wallet, including fees and rent: ${moved}.`}`;
  switch (result.kind) {
    case 'declined':
      return {
        severity: 'info',
        message:
          result.isAfterFirstTry === true
            ? l10n.t`Rebalancing ${pair} was cancelled. ${firstTry()}`
            : l10n.t`Rebalancing ${pair} was cancelled. Nothing was signed.`,
      };
    case 'blocked':
      return undefined;
    case 'settled': {
      const { lamportsBack, inputLamports, range, strategy } = result.reentry;
      const listed = made === undefined ? l10n.t('The new position is listed.') : listedResult(made);
      return {
        severity: 'info',
        message: l10n.t`Rebalanced ${pair}: ${shortSol(lamportsBack)} returned, ${shortSol(inputLamports)} re-entered over ${binRange(range.fromBinId, range.toBinId)}, ${strategy}. ${listed}${inWallet}`,
      };
    }
    case 'notReentered':
      return { severity: 'warning', message: l10n.t`Rebalancing ${pair} stopped after the zap-out. ${result.words}${inWallet}` };
    case 'unconfirmed':
      return result.leg === 'zapOut'
        ? {
            severity: 'warning',
            message: l10n.t`Rebalancing ${pair}: the zap-out was sent. ${notShown(result)} Nothing has been re-entered: Binsight keeps checking, and offers to re-enter once the proceeds are known.`,
          }
        : {
            severity: 'warning',
            message: l10n.t`Rebalancing ${pair}: the position is closed and the zap-in was sent. ${notShown(result)} Binsight keeps checking: don't enter the pool again before Activity shows the result.`,
          };
  }
}

/** The same in a few words, for a list of several: "rebalanced, 1.2 SOL re-entered". */
export function rebalanceBrief(result: RebalanceResult): string {
  switch (result.kind) {
    case 'declined':
      return result.isAfterFirstTry === true
        ? l10n.t('cancelled; a first attempt was sent but did not land')
        : l10n.t('cancelled, nothing was signed');
    case 'blocked':
      return l10n.t('not signed, the review rejected it');
    case 'settled':
      return l10n.t`rebalanced, ${shortSol(result.reentry.inputLamports)} re-entered`;
    case 'notReentered':
      return l10n.t`stopped after the zap-out. ${result.words}`;
    case 'unconfirmed':
      return result.leg === 'zapOut'
        ? l10n.t('zap-out sent, not listed yet; nothing re-entered')
        : l10n.t('zapped out; zap-in sent, not listed yet');
  }
}

function notShown({ stoppedWaiting }: Extract<RebalanceResult, { kind: 'unconfirmed' }>): string {
  return stoppedWaiting ? l10n.t('You stopped waiting before your positions showed it.') : l10n.t("Your positions don't show it yet.");
}
