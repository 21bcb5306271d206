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

export interface DurationParts extends Pick<OperationDependencies, 'rpc'> {
  /** Requests per minute that the service allows; `undefined` if unknown. */
  readonly perMinute: number | undefined;
}

/** The subject of the question about a rebalance. */
export function rebalanceSubject(
  { position, terms, isAgain }: Pick<RebalanceRequest, 'position' | 'terms' | 'isAgain'>,
  parts: DurationParts,
): ApprovalSubject {
  return {
    title: l10n.t`Rebalance ${plainText(position.pairName)}: zap out 100%`,
    keyFigures: [...worthLines(position, WHOLE_BPS), ...durationLines(position, parts)],
    expectations: [...(position.inRange === true ? [l10n.t('It is in range now and earning fees')] : []), slippageText(terms)],
    afterwards: followUpText(terms, position),
    heed: isAgain === true ? [firstTryDidNotLandText()] : [],
  };
}

/** The minimum duration because of the service's request limit, if the limit is known and a rebalance takes more than a minute of it. */
function durationLines({ token0, token1 }: OpenPosition, { rpc, perMinute }: DurationParts): readonly string[] {
  if (perMinute === undefined) {
    return [];
  }
  const lacksSol = token0.address !== WRAPPED_SOL_MINT && token1.address !== WRAPPED_SOL_MINT;
  const minutes = minutesFor(requestsToRebalance({ rpc }, lacksSol), perMinute);
  return minutes === 0 ? [] : [l10n.t`Duration: at least ${minutes} min (${counted(perMinute, 'request')} per minute)`];
}
