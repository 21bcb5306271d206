import * as l10n from '@vscode/l10n';
import type { OpenPosition } from '../../service/positions';
import { binRange } from '../../base/format/places';
import type { RebalanceResult } from '../../transactions/rebalance/types';
import type { OperationRecord } from '../../transactions/journal/types';
import { movedInAll } from '../zap/movedTokens';
import { shortSol } from '../zap/operationMessages';
import { firstTry } from '../zap/outcome';
import { listedResult } from '../zap/results';

/** How a rebalance ended, to be told. */
export interface RebalanceNotice {
  readonly severity: 'info' | 'warning';
  readonly message: string;
}

/**
 * How a rebalance ended, in sentences; `undefined` where there is nothing to add to what the approval has said.
 * @param pair cleaned for labels
 * @param made the new position, where it is listed
 * @param parts its zap-outs and zap-ins, as the journal has them
 */
export function rebalanceNotice(
  result: RebalanceResult,
  pair: string,
  made: OpenPosition | undefined,
  parts: readonly OperationRecord[] = [],
): RebalanceNotice | undefined {
  const moved = movedInAll(parts);
  const inWallet = moved === undefined ? '' : l10n.t` Into and out of your wallet in all, fees and rent included: ${moved}.`;
  switch (result.kind) {
    case 'declined':
      return {
        severity: 'info',
        message: l10n.t`Rebalancing ${pair} was cancelled. ${result.isAfterFirstTry === true ? firstTry() : l10n.t('Nothing was signed, nothing was sent.')}`,
      };
    case 'blocked':
      return undefined;
    case 'settled': {
      const { lamportsBack, inputLamports, range, strategy } = result.reentry;
      const listed = made === undefined ? l10n.t('The new position is listed.') : listedResult(made);
      return {
        severity: 'info',
        message: l10n.t`Rebalanced ${pair}: ${shortSol(lamportsBack)} came back, and ${shortSol(inputLamports)} went back in over ${binRange(range.fromBinId, range.toBinId)}, ${strategy}. ${listed}${inWallet}`,
      };
    }
    case 'notReentered':
      return { severity: 'warning', message: l10n.t`Rebalancing ${pair} stopped after the zap-out. ${result.words}${inWallet}` };
    case 'unconfirmed':
      return result.leg === 'zapOut'
        ? {
            severity: 'warning',
            message: l10n.t`Rebalancing ${pair}: the zap-out was sent, and ${notShown(result)}. Nothing was re-entered so far. Binsight goes on watching it, and offers to re-enter once it is known what came back.`,
          }
        : {
            severity: 'warning',
            message: l10n.t`Rebalancing ${pair}: the position is closed, and the zap-in with what came back was sent, but ${notShown(result)}. Binsight goes on watching it, and Activity says how it ends. Do not enter the pool again before that.`,
          };
  }
}

/** The same in a line, for a list of several: "rebalanced, 1.2 SOL went back in". */
export function rebalanceBrief(result: RebalanceResult): string {
  switch (result.kind) {
    case 'declined':
      return result.isAfterFirstTry === true
        ? l10n.t('not done: a first try was sent and did not land')
        : l10n.t('not done: nothing was signed');
    case 'blocked':
      return l10n.t('not signed: the review refused it');
    case 'settled':
      return l10n.t`rebalanced, ${shortSol(result.reentry.inputLamports)} went back in`;
    case 'notReentered':
      return l10n.t`stopped after the zap-out. ${result.words}`;
    case 'unconfirmed':
      return result.leg === 'zapOut'
        ? l10n.t('zap-out sent and not listed yet; nothing was re-entered so far')
        : l10n.t('zapped out; the zap-in was sent and is not listed yet');
  }
}

function notShown({ stoppedWaiting }: Extract<RebalanceResult, { kind: 'unconfirmed' }>): string {
  return stoppedWaiting ? l10n.t('you stopped waiting before your positions showed it') : l10n.t('your positions do not show it yet');
}
