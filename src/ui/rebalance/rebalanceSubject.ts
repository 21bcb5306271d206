import * as l10n from '@vscode/l10n';
import type { OpenPosition } from '../../service/positions';
import { counted } from '../../base/format/numbers';
import { minutesFor, requestsToRebalance } from '../../transactions/requestPlan';
import type { OperationDependencies } from '../../transactions/types';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { ApprovalSubject } from '../zap/approval';
import { firstTryDidNotLandText } from '../zap/approvalText';
import { WHOLE_BPS } from '../../base/basisPoints';
import { worthLines } from '../zap/worth';
import { plainText } from '../shell/views/text';
import type { RebalanceRequest } from './request';
import { followUpText, slippageText } from './summary';

/** What the duration depends on. */
export interface DurationParts extends Pick<OperationDependencies, 'rpc'> {
  /** Requests a minute that the service allows; `undefined`: that is not known. */
  readonly perMinute: number | undefined;
}

/** What the question of a rebalance says besides what its transactions do. */
export function rebalanceSubject(
  { position, terms, isAgain }: Pick<RebalanceRequest, 'position' | 'terms' | 'isAgain'>,
  parts: DurationParts,
): ApprovalSubject {
  return {
    title: l10n.t`Rebalance ${plainText(position.pairName)}: zap out 100 %`,
    keyFigures: [...worthLines(position, WHOLE_BPS), ...durationLines(position, parts)],
    expectations: [
      ...(position.inRange === true ? [l10n.t('It is in range now, and earns fees where it is')] : []),
      l10n.t`Slippage: ${slippageText(terms)}`,
    ],
    afterwards: followUpText(terms, position),
    heed: isAgain === true ? [firstTryDidNotLandText()] : [],
  };
}

/** How long the service's request limit makes a rebalance take, where the limit is known and a rebalance does not fit into one minute of it. */
function durationLines({ token0, token1 }: OpenPosition, { rpc, perMinute }: DurationParts): readonly string[] {
  if (perMinute === undefined) {
    return [];
  }
  const lacksSol = token0.address !== WRAPPED_SOL_MINT && token1.address !== WRAPPED_SOL_MINT;
  const minutes = minutesFor(requestsToRebalance({ rpc }, lacksSol), perMinute);
  return minutes === 0 ? [] : [l10n.t`Duration: at least ${minutes} min (${counted(perMinute, 'request')} a minute)`];
}
